"""Fits of Bradley and Terry's model to games so far, each begun where the one before ended."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import InputError
from .base import Fit, Fitter, Floats, Games, Ints
from .bradley_terry_kernels import Prior, compiled
from .existence import check
from .paired import pairs, seen
from .solving import Local, Reach, Top, climb, sums
from .ties import MODELS


@dataclass(frozen=True)
class Model:
    """What is fitted, in natural units."""

    ties: str
    prior: Prior
    mean: float  # rating points of rating 0
    scale: float  # rating points in a natural unit
    worth: float  # of an edge of +1; where the fit begins if `fitted`
    fitted: bool  # whether the worth of an edge is


@dataclass(frozen=True)
class PairFit(Fit):
    """Ratings of everybody, in natural units (N,), and what belongs to them."""

    model: Model
    strength: Floats
    information: Floats  # (N,) about each rating, those of all others given
    worth: float
    tie: float
    settled: bool = True

    def predict(self, first: Ints, second: Ints, edge: Floats | None, day: Floats | float) -> Floats:
        """Return the expected score of first (G,)."""
        return self._foreseen(first, second, edge)[0]

    def draw(self, first: Ints, second: Ints, edge: Floats | None, day: Floats | float) -> Floats | None:
        """Return the chance of a draw (G,), None where the model has none."""
        return None if self.model.ties == "half" else self._foreseen(first, second, edge)[1]

    def _foreseen(self, first: Ints, second: Ints, edge: Floats | None) -> tuple[Floats, Floats]:
        gaps = self.strength[first] - self.strength[second]
        if edge is not None:
            gaps += self.worth * edge
        expected, draw = np.empty((2, len(gaps)))
        compiled(self.model.ties)[2](gaps, self.tie, expected, draw)
        return expected, draw

    def columns(self, day: float) -> dict[str, Floats]:
        """Return rating and deviation (N,), in rating points."""
        with np.errstate(divide="ignore"):
            deviation = self.model.scale / np.sqrt(self.information)
        return {"rating": self.model.mean + self.model.scale * self.strength, "deviation": deviation}

    @property
    def found(self) -> dict[str, float]:
        """What was fitted beside ratings: `advantage` in rating points, `nu` of Davidson, `theta` of Rao and Kupper."""
        names = {"davidson": "nu", "rao-kupper": "theta"}
        tie = {names[self.model.ties]: float(np.exp(self.tie))} if self.model.ties in names else {}
        return ({"advantage": self.model.scale * self.worth} if self.model.fitted else {}) | tie


class PairFitter(Fitter):
    """Fits to more and more of a stream."""

    def __init__(self, model: Model, games: Games) -> None:
        self.model = model
        self.games = seen(games)
        self.pairs = pairs(self.games, edges=games.edge is not None and bool(model.worth or model.fitted))
        self.counts = np.zeros((3, len(self.pairs.first)))
        self.known = 0  # games that are counted
        self.free = np.array([float(model.fitted), float(model.ties != "half")])
        self.x = np.array([model.worth, MODELS[model.ties][2]])

    def refit(self, upto: int, day: float) -> PairFit:
        """Return the fit to the first `upto` games of the stream; never fewer than before."""
        end = int(self.games.upto[upto])
        self.pairs.counts(self.known, end, self.counts)
        self.known = end
        players = int(self.games.met[end])
        model = self.model
        check(self.pairs, self.counts, players, model.prior, model.ties, upto, worth=model.fitted)
        x = np.concatenate([self.x[:-2], np.zeros(players + 2 - len(self.x)), self.x[-2:]])
        view = _View(self, players, int(self.pairs.met[end]))
        top = climb(x, view.look, view.reach) if players else Top(x, 0, reached=True)
        self.x = top.x
        if players:
            view.look(self.x)
        if not np.isfinite(self.x).all():
            where = f"fit to the first {upto:,} games"
            raise InputError("no finite strengths were found", where=where, expected="more virtual_draws")
        return self._fit(players, view.diagonal, top.reached)

    def _fit(self, players: int, diagonal: Floats, settled: bool) -> PairFit:
        rank, known = self.games.rank, (self.games.rank >= 0) & (self.games.rank < players)
        strength = np.zeros(len(rank))
        information = np.full(len(rank), self.model.prior.information)
        strength[known] = self.x[rank[known]]
        information[known] = diagonal[rank[known]]
        return PairFit(self.model, strength, information, float(self.x[-2]), float(self.x[-1]), settled)


class _View:
    """The likelihood of the results so far, as `climb` asks about it."""

    def __init__(self, of: PairFitter, players: int, met: int) -> None:
        self.survey, self.bent, _ = compiled(of.model.ties)
        self.prior, self.free, self.restless = of.model.prior, of.free, of.model.ties == "rao-kupper"
        self.rows: tuple[Any, ...] = (of.pairs.first[:met], of.pairs.second[:met], of.pairs.edge[:met])
        self.counts = np.ascontiguousarray(of.counts[:, :met])
        self.widest = float(np.abs(self.rows[2]).max(initial=1.0))
        self.diagonal, self.own = np.zeros((2, players + 2))
        self.bend, self.twist = np.zeros((2, met))

    def look(self, x: Floats) -> Local:
        """Return gradient and curvature at a point."""
        gradient = np.zeros_like(x)
        self.survey(
            x, *self.rows, self.counts, *self.prior, self.free, gradient, self.diagonal, self.own, self.bend, self.twist
        )
        self._level(x, gradient, -1.0)
        safe = np.where(self.diagonal > 0, self.diagonal, 1.0)
        return Local(gradient, self._curve, lambda v: v / safe)

    def _curve(self, v: Floats) -> Floats:
        out = np.zeros_like(v)
        self.bent(v, *self.rows, self.own, self.bend, self.twist, self.diagonal[-1], self.free, out)
        self._level(v, out, 1.0)
        return out

    def _level(self, x: Floats, out: Floats, sign: float) -> None:
        """Hold the mean rating at 0 where no prior does: the likelihood knows differences only."""
        if not self.prior.information:
            out[:-2] += sign * sums()(x[:-2], np.ones(len(x) - 2)) / (len(x) - 2)

    def reach(self, x: Floats, step: Floats) -> Reach:
        """Return how far a step goes; θ of Rao and Kupper, whose logarithm is above 0, at most half the way there."""
        low, high = min(step[:-2].min(), 0.0), max(step[:-2].max(), 0.0)
        far = float(high - low + self.widest * abs(step[-2]) + abs(step[-1]))
        most = 0.5 * x[-1] / -step[-1] if self.restless and step[-1] < 0 else 1.0
        return Reach(far, min(1.0, float(most)))
