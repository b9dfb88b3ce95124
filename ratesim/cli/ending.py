"""SIGTERM, as schedulers and `timeout` send it, ends a verb as SIGINT does: what is half written is cleared away."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import typer

INTERRUPTED, TERMINATED = 128 + signal.SIGINT, 128 + signal.SIGTERM  # exit codes, as shells have them
_asked = threading.Event()


@contextmanager
def orderly() -> Iterator[None]:
    """Make SIGTERM interrupt the block; where SIGINT is not Python's own or SIGTERM is taken, nothing changes.

    Python's handlers wait for the main thread, which may be deep in Polars for as long as games are written. Polars
    hears SIGINT alone, so a thread of ours hears SIGTERM and passes it on as that.
    """
    _asked.clear()
    if os.name != "posix" or threading.current_thread() is not threading.main_thread() or not _free():
        yield
        return
    heard, told = os.pipe()
    os.set_blocking(told, False)
    listener = threading.Thread(target=_listen, args=(heard,), daemon=True)
    listener.start()
    before = signal.set_wakeup_fd(told, warn_on_full_buffer=False)
    signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.set_wakeup_fd(before)
        os.close(told)
        listener.join()
        os.close(heard)


def code_of_interruption() -> int:
    """Return the exit code of a verb that was interrupted, by SIGINT or by SIGTERM."""
    return TERMINATED if _asked.is_set() else INTERRUPTED


@contextmanager
def kept() -> Iterator[None]:
    """End at once where the block is interrupted, of a verb that goes on where it was."""
    try:
        yield
    except KeyboardInterrupt:
        _stop()


def _stop() -> NoReturn:
    import multiprocessing

    code = code_of_interruption()
    typer.echo("interrupted; what is finished is kept: run it again to go on", err=True)
    processes = multiprocessing.active_children()
    for process in processes:
        process.terminate()
    if processes:
        raise SystemExit(code)  # all is said: `main` need not
    sys.stderr.flush()
    os._exit(code)  # threads inside a kernel hear no signal, and Python would wait for them


def _free() -> bool:
    own = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # a job of a script ignores it
    return own and signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


def _listen(heard: int) -> None:
    """Pass the first SIGTERM on, for `timeout` sends two; end once nobody can tell of any."""
    while numbers := os.read(heard, 64):
        if signal.SIGTERM in numbers and not _asked.is_set():
            _asked.set()
            os.kill(os.getpid(), signal.SIGINT)
