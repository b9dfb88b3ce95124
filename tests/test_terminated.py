"""SIGTERM ends a verb in order: nothing half written stays."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from ratesim.cli import main
from ratesim.cli.ending import code_of_interruption, orderly

pytestmark = pytest.mark.skipif(os.name != "posix", reason="SIGTERM cannot be caught elsewhere")
PROGRAM = """import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # which jobs of scripts are born without
from ratesim.cli import main
sys.exit(main())
"""
WORLD = "[world]\nplayers = 2000\nrounds = 1000000\n"


def verb(*words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", PROGRAM, *words]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def terminated(process: subprocess.Popen[str], begun: str) -> tuple[int, str]:
    """Send SIGTERM, twice as `timeout` does, once something of that pattern is there."""
    for _ in range(1200):
        if any(Path().glob(begun)) or process.poll() is not None:
            break
        time.sleep(0.05)
    assert any(Path().glob(begun)), process.communicate()
    process.send_signal(signal.SIGTERM)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=20)
    return process.returncode, said


def test_simulate_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("world.toml").write_text(WORLD)
    code, said = terminated(verb("simulate", "world.toml", "-o", "k.parquet"), ".k.parquet.*.part")
    assert (code, "Traceback" in said) == (143, False)
    assert [path.name for path in Path().iterdir()] == ["world.toml"]


def test_import_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Path("games.csv").open("w") as file:
        file.write("first,second,score,time\n")
        file.writelines(f"P{n % 997},Q{n % 991},{n % 2},2024-01-{n % 28 + 1:02}\n" for n in range(1_000_000))
    code, said = terminated(verb("import", "games.csv", "-o", "k.parquet"), ".k.parquet.*.part")
    assert (code, "Traceback" in said) == (143, False)
    assert [path.name for path in Path().iterdir()] == ["games.csv"]


def interrupted(*_, **__):
    raise KeyboardInterrupt


@pytest.mark.parametrize("verb", ["run", "tune"])
def test_before_anything_is_played_what_goes_on_says_so(verb, monkeypatch, capsys):
    monkeypatch.setattr("ratesim.experiment.read", interrupted)
    monkeypatch.setattr(os, "_exit", sys.exit)
    with pytest.raises(SystemExit, match=r"^130$"):
        main([verb, "a.toml"])
    assert capsys.readouterr().err == "interrupted; what is finished is kept: run it again to go on\n"


@pytest.mark.parametrize("line", ["rate g.csv --system elo", "policy fide constant --stream g.csv"])
def test_before_anything_is_read_what_begins_anew_says_so(line, monkeypatch, call):
    monkeypatch.setattr("ratesim.systems.base.SYSTEMS.find", interrupted)
    assert call(*line.split()) == (130, "", "interrupted; nothing half-written is left\n")


def test_a_handler_of_somebody_else_stays():
    def own(*_):
        raise AssertionError

    before = signal.signal(signal.SIGTERM, own)
    try:
        with orderly():
            assert signal.getsignal(signal.SIGTERM) is own
        assert signal.getsignal(signal.SIGTERM) is own
    finally:
        signal.signal(signal.SIGTERM, before)


def test_ours_goes_with_the_block_and_is_the_main_threads():
    before, seen = signal.getsignal(signal.SIGTERM), []

    def end_this():
        with orderly():
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(10)

    with pytest.raises(KeyboardInterrupt):
        end_this()
    assert (code_of_interruption(), signal.getsignal(signal.SIGTERM)) == (143, before)
    with orderly():
        assert code_of_interruption() == 130

    def elsewhere():
        with orderly():
            seen.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert seen == [before] == [signal.SIG_DFL]
