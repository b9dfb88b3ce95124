"""Several pools: the same players, or some of them, with skills that differ from pool to pool."""

from functools import cached_property
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from ..errors import InputError
from ..rng import Luck
from ..spec import Spec, quantity
from .base import Floats, Mask
from .bounds import FAR


class Pools(Spec):
    """Pools whose rounds take turns; each round is of one pool.

    A player's skill in a pool is their skill plus a normal deviate of that player and pool. Where skills have variance
    v, those in two pools correlate by v / (v + spread²). A share of the players, the bridges, plays in all pools, all
    others in their home pool alone; homes are drawn in proportion to `share`.
    """

    kind: Literal["pools"] = "pools"
    names: tuple[str, ...] = Field(..., description="of the pools, two at least")
    share: tuple[float, ...] = Field((), description="of rounds, and of homes, by pool; equal where left out")
    spread: float = quantity(
        0.0, "standard deviation of skill in a pool around a player's own", unit="rating points", ge=0, le=FAR
    )
    bridges: float = quantity(1.0, "share of players who play in all pools", unit="share", ge=0, le=1)
    shift: tuple[float, ...] = Field((), description="added to the skills of those at home in each pool, rating points")

    @model_validator(mode="after")
    def _each_pool(self) -> Self:
        if len(self.names) < 2 or len({*self.names}) < len(self.names):
            raise InputError(f"names = {list(self.names)}", expected="two names of pools at least, each once")
        for key, values in (("share", self.share), ("shift", self.shift)):
            if values and (len(values) != len(self.names) or not np.isfinite(values).all()):
                raise InputError(f"{key} = {list(values)}", expected=f"a number for each of {len(self.names)} pools")
        if self.share and (min(self.share) <= 0 or abs(sum(self.share) - 1) > 1e-9):
            raise InputError(f"share = {list(self.share)}", expected="shares above 0 that sum to 1")
        if self.shift and max(map(abs, self.shift)) > FAR:
            raise InputError(f"shift = {list(self.shift)}", expected=f"at most {FAR:g} rating points")
        return self

    @cached_property
    def shares(self) -> Floats:
        """The share (P,) of each pool."""
        count = len(self.names)
        return np.array(self.share) if self.share else np.full(count, 1.0 / count)

    def turns(self, rounds: int) -> NDArray[np.int64]:
        """Return the pool of each round: that which is then furthest behind its share, the first of equals."""
        had, turns = np.zeros(len(self.names)), np.empty(rounds, np.int64)
        for number in range(rounds):
            turns[number] = np.argmax(np.round(self.shares * (number + 1) - had, 9))
            had[turns[number]] += 1
        return turns

    def homes(self, luck: Luck, players: int) -> NDArray[np.int64]:
        """Return the home pool (R, N) of each player."""
        ends = np.cumsum(self.shares)[:-1]
        return np.searchsorted(ends, luck.uniform("home", 0, players), side="right")

    def members(self, luck: Luck, home: NDArray[np.int64]) -> Mask:
        """Return who plays where, (R, N, P)."""
        bridge = luck.uniform("bridge", 0, home.shape[1]) < self.bridges
        member: Mask = bridge[:, :, None] | (home[:, :, None] == np.arange(len(self.names)))
        return member

    def offsets(self, luck: Luck, home: NDArray[np.int64]) -> Floats:
        """Return what is added to skills in each pool, (R, N, P)."""
        own = [luck.normal("own", p, home.shape[1]) for p in range(len(self.names))]
        shift = np.array(self.shift or np.zeros(len(self.names)))
        offset: Floats = self.spread * np.stack(own, axis=2) + shift[home][:, :, None]
        return offset
