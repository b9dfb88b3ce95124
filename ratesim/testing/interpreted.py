"""The same replay in plain Python, in a process of its own, since numba is switched off before it is imported."""

import os
import pickle
import subprocess
import sys

from ..stream import GameStream
from ..systems.base import Floats
from .trial import Trial, figures, starts

SWITCH = "NUMBA_DISABLE_JIT"


def replay_interpreted(trial: Trial, games: GameStream) -> tuple[Floats, Floats]:
    """Return the forecasts (G,) and final figures (N, C) that un-jitted kernels make.

    The system's module must be importable by name.
    """
    result = subprocess.run(  # noqa: S603  # this very Python, this very module
        [sys.executable, "-c", f"from {__name__} import main; main()"],
        input=pickle.dumps((trial, games)),
        capture_output=True,
        check=False,
        env={**os.environ, SWITCH: "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    if result.returncode:
        raise AssertionError(f"{trial} cannot be replayed un-jitted: {result.stderr.decode()[-2000:]}")
    forecast, final = pickle.loads(result.stdout)  # noqa: S301  # written by the process above
    return forecast, final


def main() -> None:
    """Replay what stands on stdin, write what comes out to stdout."""
    trial, games = pickle.load(sys.stdin.buffer)  # noqa: S301  # written by the process that called this one
    run = trial.replay(games, start=starts(trial.system))
    sys.stdout.buffer.write(pickle.dumps((run.forecast, figures(run))))
