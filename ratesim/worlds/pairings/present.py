"""Who is there to be paired."""

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...maths import log
from ...rng import ROUND, Keys, Luck, unit
from ..base import Floats, Ints, Moment, Pairs, Pool
from ..compiled import compiled


def two_at_least(pool: Pool, kind: str, moment: Moment) -> None:
    """Refuse a round of chance meetings that has nobody to meet.

    Raises
    ------
    InputError : fewer than two players are there.
    """
    if not pool.alike and (np.count_nonzero(pool.weight, axis=1) < 2).any():
        said = f"pairing {kind}, round {moment.round}: fewer than two players are there"
        raise InputError(said, expected="two players in every round")


def once(kind: str, players: int, per_round: int) -> int:
    """Return how many games a round has in which nobody plays twice.

    Raises
    ------
    InputError : more are wanted than half the players.
    """
    if per_round > players // 2:
        said = f"per_round = {per_round} of {players} players, of whom pairing {kind} lets each play once a round"
        raise InputError(said, expected=f"at most {players // 2}")
    return per_round or players // 2


def attending(weight: Floats, luck: Luck, number: int, most: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return who plays a round, (R, most) in an order by lot, and how many they are in each replicate, (R,).

    All who are there, or as many of them as there is room for: these are drawn one by one, each in proportion to the
    weights (R, N) of those who are left. To draw so is to let each come at a random moment, of an exponential
    distribution with their weight as rate (Efraimidis & Spirakis, Inf. Process. Lett. 97 (2006) 181).
    """
    moment = np.empty(weight.shape)
    compiled(come, "who plays a round")(luck.keys("who plays"), np.uint64(number), weight, moment)
    order = np.argsort(moment, axis=1, kind="stable")[:, :most]
    return order, np.minimum(np.count_nonzero(weight, axis=1), most)


def only_those_there(first: Ints, second: Ints, weight: Floats) -> Pairs:
    """Return the games of a fixed schedule whose players are both there."""
    played = (first >= 0) & (second >= 0)
    for side in (first, second):
        played &= np.take_along_axis(weight, np.maximum(side, 0), axis=1) > 0
    return Pairs(*(np.where(played, side, np.int32(-1)) for side in (first, second)))


def come(keys: Keys, round_: np.uint64, weight: Floats, moment: Floats) -> None:
    """Write the moment at which each player comes (R, N), never for those who are away."""
    for r in range(weight.shape[0]):
        for i in range(weight.shape[1]):
            w = weight[r, i]
            moment[r, i] = -log(unit(keys[r], round_ * ROUND + np.uint64(i))) / w if w > 0.0 else np.inf
