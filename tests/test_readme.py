"""Commands that our pages print are run as printed; what sets a machine up is left to `.ci/run`."""

import re
import shlex
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal
from printed import PROGRAMS, commands
from undrawn import leave

import ratesim
from ratesim.cli import main
from ratesim.io.sources import zstd

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]  # those of docs/ have a test of their own
FIGURES = [Path("docs/figure.svg")]
STUDIES = ("experiments/articles/", "k-policies-")
GAMES = "first,second,score,time\n" + "".join(
    f"{'ABCD'[k % 4]},{'ABCD'[(k + 1 + k % 3) % 4]},{k % 3 / 2},2024-{1 + k // 28:02}-{1 + k % 28:02}\n"
    for k in range(112)
)

MONTH = "lichess_db_standard_rated_2013-01.pgn.zst"


def month():
    """A file as Lichess has it of that month, of a few made-up games."""
    games = []
    for k in range(400):
        white, black, result = f"P{k % 7}", f"P{(k + 1 + k % 5) % 7}", ("1-0", "0-1", "1/2-1/2")[k % 3]
        speed, clock = (("Blitz", "300+3"), ("Bullet", "60+0"))[k % 2]
        tags = {
            "Event": f"Rated {speed} game", "Site": f"https://lichess.org/{k:08}", "White": white, "Black": black,
            "Result": result, "UTCDate": f"2013.01.{1 + k // 15:02}", "UTCTime": f"{k % 24:02}:00:00",
            "WhiteElo": f"{1500 + k % 90}", "BlackElo": f"{1500 - k % 70}", "WhiteRatingDiff": "+5",
            "BlackRatingDiff": "-5", "TimeControl": clock, "Termination": "Normal",
        }  # fmt: skip
        games.append("".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + f"\n1. e4 e5 {result}\n")
    return "\n".join(games)


def sets_up(command):
    return "pip install" in command.line


def test_readme_has_the_two_commands():
    first, second = filter(sets_up, commands(ROOT / "README.md"))
    for command in (first.line, second.line):
        assert command.startswith("python3 -m venv .venv && .venv/bin/pip install -q ")
    assert "ratesim run experiments/quickstart.toml" in first.line
    assert ".venv/bin/pytest" in second.line
    assert (ROOT / "experiments/quickstart.toml").is_file()


@pytest.mark.parametrize("studies", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_of_ratesim_work_as_printed(page, studies, tmp_path, monkeypatch, capfd):
    """In the order of the page, in a folder with our experiments, a small `games.csv` and a game to come.

    With whole studies and the figures of all runs, or without.
    """
    if not studies:
        leave(monkeypatch.setattr)
    place = tmp_path / "ratesim"
    place.mkdir()
    (place / "experiments").symlink_to(ROOT / "experiments")
    (place / "docs").mkdir()
    (place / "games.csv").write_text(GAMES, encoding="utf-8")
    (place / "pairs.csv").write_text("first,second\nA,C\n", encoding="utf-8")
    (place / MONTH).write_bytes(zstd.compress(month().encode()))
    monkeypatch.chdir(place)
    ours = [command.words for command in commands(page) if command.words[0] == "ratesim"]
    for words in ours:
        if any("../shared" in word for word in words):
            continue  # held to its numbers by the tests of the experiments
        if any(study in word for study in STUDIES for word in words) and not studies:
            continue
        code = main(words[1:])
        assert code == 0, f"{shlex.join(words)}: {capfd.readouterr().err}"
    assert page.name != "README.md" or ours
    for figure in FIGURES if page.name == "README.md" else []:
        made, shown = (pl.read_csv(folder / figure.with_suffix(".csv")) for folder in (place, ROOT))
        assert_frame_equal(made, shown, rel_tol=1e-9)


def test_the_figure_of_the_first_screen_is_small_and_says_how_it_is_made():
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    for figure in FIGURES:
        assert f"]({figure.as_posix()})" in page.split("## ", 1)[0]
        assert f"-o {figure.as_posix()}" in page
        assert (ROOT / figure).stat().st_size < 100_000


def test_every_experiment_is_in_the_table():
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = set(re.findall(r"^\| `([\w/-]+\.toml)` \|", page, re.MULTILINE))
    folder = ROOT / "experiments"
    assert rows == {path.relative_to(folder).as_posix() for path in folder.rglob("*.toml")}


def test_every_system_is_in_the_table():
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([\w-]+)` \| `rs\.(\w+)` \|", page, re.MULTILINE))
    assert {kind: getattr(ratesim, name) for kind, name in rows.items()} == {
        kind: cls for kind, cls in ratesim.SYSTEMS.kinds().items() if cls.__module__.startswith("ratesim.")
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_that_other_commands_name_are_there(page):
    for command in commands(page):
        assert command.words[0] in PROGRAMS
        for word in command.words[1:]:
            if re.fullmatch(r"(tests|benchmarks|experiments|notebooks|\.ci)/[\w./-]+", word):
                assert (ROOT / word).exists(), f"{command}: no {word}"
