"""Other people's code on the same games: a C loop built here, riix, evalica and glicko2 as they are installed."""

import ctypes
import math
import shutil
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import peers
from numpy.typing import NDArray
from zipf import Columns

import ratesim as rs

if TYPE_CHECKING:
    from riix.core.base import OnlineRatingSystem

K = 20.0
START = 1500.0
SOURCE = Path(__file__).with_name("elo.c")
Play = Callable[[], object]


def build_c(folder: Path) -> ctypes.CDLL:
    """Compile the C loop with gcc -O3."""
    library = folder / "elo.so"
    subprocess.run(["gcc", "-O3", "-shared", "-fPIC", "-o", library, SOURCE, "-lm"], check=True)
    loop = ctypes.CDLL(str(library))
    loop.elo.argtypes = [
        ctypes.c_int64, *[ctypes.c_void_p] * 3, ctypes.c_double, ctypes.c_double, *[ctypes.c_void_p] * 2,
    ]  # fmt: skip
    loop.elo.restype = None
    return loop


def has_gcc() -> bool:
    """Return whether there is a compiler to build it with."""
    return shutil.which("gcc") is not None


def c_loop(loop: ctypes.CDLL, games: Columns, forecast: NDArray[np.float64]) -> None:
    """Write down the forecasts (G,) of the C loop."""
    rating = np.full(games.players, START)
    pointers = [column.ctypes.data for column in (*games[:3], rating, forecast)]
    loop.elo(len(games.first), *pointers[:3], math.log(10) / 400, K, *pointers[3:])


def evalica_core(games: Columns) -> Play:
    """Return evalica's Rust core on the indices it is quickest with; its wrapper in Python takes several times as long.

    It keeps ratings alone, no forecasts.
    """
    from evalica import _brzo

    first, second = games.first.astype(np.uint64), games.second.astype(np.uint64)
    winner = np.select([games.score == 1, games.score == 0], [1, 2], 0).astype(np.uint8)
    weight = np.ones(len(first))
    return partial(_brzo.elo, first, second, winner, weight, games.players, START, 10.0, 400.0, K, 1.0, 0.5)


def riix_ratings(system: "OnlineRatingSystem", games: Columns) -> Play:
    """Return riix's own quickest mode: one call that learns game after game and keeps no forecasts."""
    sides = np.stack([games.first, games.second], axis=1).astype(np.int64)
    return partial(system.iterative_update, sides, games.score, time_step=0)


def riix_forecasts(system: "OnlineRatingSystem", games: Columns) -> Play:
    """Return riix with a forecast kept before each game, as we do: a time step a game."""
    from riix.utils.data_utils import MatchupDataset

    data = MatchupDataset.init_from_arrays(
        time_steps=np.arange(len(games.first)), matchups=np.stack([games.first, games.second], axis=1).astype(np.int64),
        outcomes=games.score, competitors=list(range(games.players)),
    )  # fmt: skip
    return partial(system.fit_dataset, data, return_pre_match_probs=True)


def riix(name: str, games: Columns) -> "OnlineRatingSystem":
    """Return a fresh system of riix: "elo" or "glicko2"."""
    if name == "elo":
        return peers.riix_named("elo:Elo", games.players, k=K)
    return peers.riix_named("glicko2:Glicko2", games.players)


def glicko2_pypi(stream: rs.GameStream, calendar: rs.Calendar) -> Play:
    """Return the PyPI package `glicko2`, driven player by player."""
    return partial(rs.replay, rs.Glicko2PyPI(), stream, calendar=calendar)
