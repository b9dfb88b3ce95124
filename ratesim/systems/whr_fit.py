"""Fits of whole histories to games so far, each begun where the one before ended."""

from dataclasses import dataclass

import numpy as np

from ..errors import InputError
from .base import Fit, Fitter, Floats, Games, Ints
from .bradley_terry_kernels import Prior
from .paired import seen
from .solving import Local, Reach, climb, scores
from .whr_kernels import Rows, compiled
from .whr_nodes import Nodes
from .whr_reading import History, at, compiled as reading

CLOSE = 0.1  # natural units: what a sweep moves nobody by more than is left to Newton's method for all at once
SWEEPS = 20  # at most, before that


@dataclass(frozen=True)
class Model:
    """What is fitted, in natural units."""

    drift: float  # variance of the Wiener process, a day
    prior: Prior
    mean: float  # rating points of rating 0
    scale: float  # rating points in a natural unit
    worth: float  # of an edge of +1
    sweeps: int | None  # as many, and nothing else; None: until nothing moves


@dataclass(frozen=True)
class HistoryFit(Fit):
    """Histories of everybody."""

    model: Model
    rank: Ints
    history: History
    settled: bool = True

    def predict(self, first: Ints, second: Ints, edge: Floats | None, day: Floats | float) -> Floats:
        """Return the expected score of first (G,), by the ratings at the day of each game."""
        when = np.broadcast_to(np.asarray(day, dtype=np.float64), first.shape)
        mine, theirs = (at(self.history, self.rank[side], when)[0] for side in (first, second))
        lead = 0.0 if edge is None else self.model.worth * edge
        return scores(mine - theirs + lead)

    def columns(self, day: float) -> dict[str, Floats]:
        """Return rating and deviation (N,) on a day, in rating points."""
        rating, variance = at(self.history, self.rank, np.full(len(self.rank), day))
        model = self.model
        return {"rating": model.mean + model.scale * rating, "deviation": model.scale * np.sqrt(variance)}


class HistoryFitter(Fitter):
    """Fits to more and more of a stream."""

    def __init__(self, model: Model, games: Games) -> None:
        self.model, self.games = model, seen(games)
        self.nodes = Nodes.of(self.games, model.drift, model.worth)
        self.r, self.slope, self.curve, self.pivot, self.step = np.zeros((5, len(self.nodes.day)))
        self.bend = np.zeros(len(self.nodes.rows.foe))
        self.known = 0

    @property
    def chains(self) -> tuple[Ints, Ints, Floats, Rows, Ints, Ints]:
        """What kernels take of the nodes."""
        n = self.nodes
        return n.start, n.length, n.tie, n.rows, n.begin, n.end

    def refit(self, upto: int, day: float) -> HistoryFit:
        """Return the fit to the first `upto` games of the stream; never fewer than before."""
        end, before = int(self.games.upto[upto]), self.nodes.length.copy()
        self.nodes.play(self.known, end)
        if end > self.known:
            self._carry(before)
        self.known = end
        kernels, settled = compiled(), True
        for _ in range(SWEEPS if self.model.sweeps is None else self.model.sweeps):
            moved = kernels.sweep(
                self.r, *self.chains, *self.model.prior, self.bend, self.slope, self.curve, self.pivot, self.step
            )
            if self.model.sweeps is None and moved < CLOSE:
                break
        if self.model.sweeps is None:
            self.r, _, settled = climb(self.r, self._look, _reach)
        if not np.isfinite(self.r).all():
            where = f"fit to the first {upto:,} games"
            raise InputError("no finite ratings were found", where=where, expected="a stronger prior")
        return self._fit(settled)

    def _carry(self, before: Ints) -> None:
        """Begin new nodes at the rating of the one before."""
        fresh = np.flatnonzero(self.nodes.length > before)
        for a, old, new in zip(self.nodes.start[fresh], before[fresh], self.nodes.length[fresh], strict=True):
            self.r[a + old : a + new] = self.r[a + old - 1] if old else 0.0

    def _look(self, r: Floats) -> Local:
        kernels, nodes = compiled(), self.nodes
        slope = np.zeros_like(r)
        kernels.survey(r, *self.chains, *self.model.prior, self.bend, slope, self.curve, self.pivot)

        def curve(v: Floats) -> Floats:
            out = np.zeros_like(v)
            start, length, tie, rows, begin, end = self.chains
            kernels.bent(v, start, length, tie, rows.foe, begin, end, self.curve, self.bend, out)
            return out

        def ease(v: Floats) -> Floats:
            out = np.zeros_like(v)
            kernels.ease(v, nodes.start, nodes.length, nodes.tie, self.pivot, out)
            return out

        return Local(slope, curve, ease)

    def _fit(self, settled: bool) -> HistoryFit:
        nodes, model = self.nodes, self.model
        self._look(self.r)
        variance, link = np.zeros((2, len(self.r)))
        reading()[0](nodes.start, nodes.length, nodes.tie, self.curve, self.pivot, variance, link)
        unknown = 1.0 / model.prior.information if model.prior.information else np.inf
        history = History(
            nodes.start, nodes.length.copy(), nodes.day, self.r.copy(), variance, link, model.drift, unknown
        )  # fmt: skip
        return HistoryFit(model, self.games.rank, history, settled)


def _reach(_: Floats, step: Floats) -> Reach:
    """Return how far a step goes: no gap changes by more than two ratings do."""
    return Reach(2.0 * float(np.abs(step).max(initial=0.0)))
