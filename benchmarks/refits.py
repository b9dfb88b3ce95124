"""The systems that are fitted to all games at once, by iterations, beside other packages' iterations."""

import importlib
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from unittest.mock import patch

import numpy as np
import peers
import rivals
from race import Contender, race
from scoreboard import Bound, Row
from zipf import Columns

import ratesim as rs
from ratesim.systems import bradley_terry_fit, solving
from ratesim.systems.base import Fitter, Games, Refit

ITERATIONS = 5
UNIT = "ns/game/iteration"
FIFTH, AHEAD = Bound(ratio=0.2, strict=True), Bound(ratio=1, strict=True)  # under five times one Elo pass; ahead


def fitter_of(system: Refit, drawn: Columns) -> Fitter:
    """Return what fits a system to the games."""
    first, second, score, day, players = drawn
    return system.fitter(Games(first, second, score, day, np.zeros(len(first), np.int32), players))


def refits(asked: set[str], drawn: Columns, few: Columns, rounds: int, cpp: Path | None) -> Iterator[Row]:
    """Yield the rows of both."""
    if "bradley-terry" in asked:
        yield from bradley_terry(drawn, few, rounds)
    if "whr" in asked:
        yield from whole_history(drawn, few, rounds, cpp)


def bradley_terry(drawn: Columns, few: Columns, rounds: int) -> Iterator[Row]:
    """Yield a whole fit, to the last digit, by passes over all pairs, beside an Elo pass and iterations of others."""
    games, kind, system = len(drawn.first), "bradley-terry", rs.BradleyTerry()
    stream, (steps, passes) = drawn.stream(), counted(system, drawn)

    def fit(share: Columns) -> Contender:
        return lambda: partial(fitter_of(system, share).refit, len(share.first), share.time[-1])

    elo = partial(rs.replay, rs.Elo(), stream, policy=rs.Constant(rivals.K))
    ready: dict[str, tuple[Contender, float]] = {
        "fit": (fit(drawn), games),
        "Elo": (lambda: elo, games),
        "evalica": (lambda: partial(evalica_core, few), len(few.first) * ITERATIONS),
        "choix": (lambda: choix(few), len(few.first) * ITERATIONS),
    }
    found = race(ready, rounds, time.process_time_ns)
    ours = [value / passes for value in found["fit"]]
    mode = f"a fit to the last digit has {steps} Newton steps, {passes} passes: a pass"
    yield Row(kind, kind, mode, UNIT, ours, "one pass of Elo", found["Elo"], FIFTH)
    for name in ("evalica", "choix"):
        yield Row(kind, kind, "a pass", UNIT, ours, name, found[name])
    whole = [value / steps for value in found["fit"]]
    yield Row(kind, kind, "a Newton step, all its passes", UNIT, whole, "one pass of Elo", found["Elo"])


def counted(system: Refit, drawn: Columns) -> tuple[int, int]:
    """Return how many steps of Newton's method a fit takes, and how often it goes over all pairs."""
    steps, turns = 0, 0
    conjugate, view = solving.conjugate, bradley_terry_fit._View  # noqa: SLF001  # counted from without
    curve = view._curve  # noqa: SLF001

    def step(here: solving.Local, tolerance: float) -> np.ndarray:
        nonlocal steps
        steps += 1
        return conjugate(here, tolerance)

    def turn(self: object, v: np.ndarray) -> np.ndarray:
        nonlocal turns
        turns += 1
        return curve(self, v)

    with patch.object(solving, "conjugate", step), patch.object(view, "_curve", turn):
        fitter_of(system, drawn).refit(len(drawn.first), drawn.time[-1])
    return steps, steps + 1 + turns  # a look before each step and one at the end


def evalica_core(games: Columns) -> None:
    """Take iterations of evalica's Rust core, which holds a number for every two players."""
    from evalica import _brzo

    winner = np.select([games.score == 1, games.score == 0], [1, 2], 0).astype(np.uint8)
    sides, weight = (games.first.astype(np.uint64), games.second.astype(np.uint64)), np.ones(len(winner))
    _brzo.bradley_terry(*sides, winner, weight, games.players, 1.0, 0.5, 0.0, ITERATIONS)


def choix(games: Columns) -> Callable[[], object]:
    """Return iterations of choix, which takes no draws, with each draw as a win of first."""
    from choix import mm_pairwise

    won = games.score > 0
    winners, losers = np.where(won, games.first, games.second), np.where(won, games.second, games.first)
    pairs = list(zip(winners.tolist(), losers.tolist(), strict=True))

    def iterate() -> None:
        with suppress(RuntimeError):  # that it has not come to an end
            mm_pairwise(games.players, pairs, alpha=0.1, max_iter=ITERATIONS)

    return iterate


def whole_history(drawn: Columns, few: Columns, rounds: int, cpp: Path | None) -> Iterator[Row]:
    """Yield iterations over all players beside those of packages; each goes on from where it was."""
    kind, games = "whr", len(drawn.first)
    slow = few.prefix(len(few.first) // 10)  # in Python an iteration takes a hundred times as long as a pass of others
    ready: dict[str, tuple[Contender, float]] = {"ours": (going_on(drawn), games * ITERATIONS)}
    others: Mapping[str, tuple[Contender, float]] = {
        "whole-history-rating": (iterating("WHR", None, slow), len(slow.first) * ITERATIONS),
        **({"whr (C++)": (iterating("Base", cpp, drawn), games * ITERATIONS)} if cpp else {}),
    }
    found = race({**ready, **others}, rounds, time.process_time_ns)
    for name in reversed(others):
        yield Row(kind, kind, "an iteration", UNIT, found["ours"], name, found[name], AHEAD)


def going_on(drawn: Columns) -> Contender:
    """Return ours."""
    fitter = fitter_of(rs.Whr(w2=300.0, iterations=ITERATIONS), drawn)
    return lambda: partial(fitter.refit, len(drawn.first), drawn.time[-1])


def iterating(name: str, folder: Path | None, games: Columns) -> Contender:
    """Return iterations of one of the two packages whose module is `whr`, that in a folder or that installed."""
    kind = getattr(imported(folder), name)
    base = kind({"w2": 300})
    peers.told(base, games.stream())
    return lambda: partial(base.iterate, ITERATIONS)


def imported(folder: Path | None) -> object:
    """Return the module `whr` afresh."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "whr"]:
        del sys.modules[name]
    with patch.object(sys, "path", [*([str(folder)] if folder else []), *sys.path]):
        return importlib.import_module("whr")
