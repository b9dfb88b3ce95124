"""Systems that each break one law; run un-jitted by test_contract_bites, it prints what the checks say of each."""

import json
import math
from typing import Literal, NamedTuple

import numpy as np

import ratesim as rs
from ratesim.systems.base import SYSTEMS, Found, Kernels, System, WholeStream
from ratesim.testing import checks_for


class Params(NamedTuple):
    floor: float
    c: float


class Belief(NamedTuple):
    rating: float
    variance: float


class Evidence(NamedTuple):
    games: float
    surplus: float


def curve(gap):
    return 0.5 + 0.5 * math.tanh(gap / 347)


def predict(p, me, foe, game):
    return curve(me.rating - foe.rating + 50 * game.edge)


def evidence(p, me, foe, game, expected):
    return Evidence(1.0, game.score - expected)


def absorb(p, me, total, gain, clock):
    return Belief(me.rating + gain * total.surplus, max(0.9**total.games * me.variance, p.floor**2))


def drift(p, me, clock):
    return Belief(me.rating, me.variance + p.c**2 * (clock.idle + clock.span))


@SYSTEMS.add
class Sound(System):
    """Elo with a deviation of a sort: it keeps the laws until one kernel is exchanged."""

    takes_policy = True
    kind: Literal["sound"] = "sound"
    fault: str = ""
    floor: float = 40.0
    ceiling: float = 1000.0

    def kernels(self):
        return Kernels(Params, Belief, Evidence, predict, evidence, absorb, drift, seen=1)._replace(
            **KERNELS.get(self.fault, DRAWS.get(self.fault, {}))
        )

    def params(self):
        return (self.floor, 20.0)

    def belief(self, start):
        rating = 1500.0 if math.isnan(start.rating) else start.rating
        deviation = 300.0 if math.isnan(start.deviation) else start.deviation
        return rating, min(deviation, self.ceiling) ** 2

    def columns(self, beliefs):
        return {"rating": beliefs[:, 0], "deviation": beliefs[:, 1] ** 0.5}

    @property
    def unit(self):
        return 30.0


def count(x):
    count.calls += 1
    return x + 1e-6 * count.calls


count.calls = 0  # what no kernel may have


def squares(p, me, foe, game):
    return curve((me.rating**2 - foe.rating**2) / 3000)


def edge_for_both(p, me, foe, game):
    return curve(me.rating - foe.rating + 50 * abs(game.edge))


def by_one_deviation(p, me, foe, game):
    return curve((me.rating - foe.rating) / (1 + foe.variance / 1e5))


def counting(p, me, foe, game):
    return count(predict(p, me, foe, game))


def overflowing(p, me, foe, game):
    return predict(p, me, foe, game) + 0 * ((me.rating - foe.rating) * 1e304)


def truncated(p, me, total, gain, clock):
    return Belief(math.floor(me.rating + gain * total.surplus), me.variance)


def without_floor(p, me, total, gain, clock):
    return Belief(me.rating + gain * total.surplus, 0.1**total.games * me.variance)


def inverted(p, me, total, gain, clock):
    return absorb(p, me, total, -gain, clock)


def squared_time(p, me, clock):
    return Belief(me.rating, me.variance + (p.c * (clock.idle + clock.span)) ** 2)


def by_variance(p, me, foe, game, expected):
    return Evidence(1.0, (game.score - expected) * (1.0 + 1e-9 * me.variance))


KERNELS = {
    "translation": {"predict": squares},
    "sides": {"predict": edge_for_both},
    "complement": {"predict": by_one_deviation, "seen": None},
    "conservation": {"absorb": truncated},
    "resume": {"predict": counting},
    "bounds": {"absorb": without_floor},
    "ageing": {"drift": squared_time},
    "finite": {"predict": overflowing},
    "truth": {"absorb": inverted},
    "monotone": {"absorb": inverted},
    "seen": {"evidence": by_variance},
}


def sound_draw(p, me, foe, game, expected):
    return expected * (1 - expected)


def draw_of_one_side(p, me, foe, game, expected):
    return 0.5 * expected * (1 - expected) * (1 + expected)


def too_many_draws(p, me, foe, game, expected):
    return 0.3


def negative_draws(p, me, foe, game, expected):
    return sound_draw(p, me, foe, game, expected) - 1e-17


def endless_draws(p, me, foe, game, expected):
    return expected * (1 - expected) + 0 * ((me.rating - foe.rating) * 1e304)


DRAWS = {
    "none": {"draw": sound_draw},
    "of one side": {"draw": draw_of_one_side},
    "too many": {"draw": too_many_draws},
    "negative": {"draw": negative_draws},
    "endless": {"draw": endless_draws},
}


def rate_by_game(games):
    """The rate of first, each game learnt from before the next one of its period."""
    return np.concatenate([[0.5], np.cumsum(games.score)[:-1] / np.arange(1, len(games.score))])


WHOLE = {
    "names": lambda games: 0.5 + 0.001 * games.first,
    "order": rate_by_game,
    "foresight": lambda games: np.full(len(games.score), games.score.mean()),
    "one game": lambda games: np.full(len(games.score), games.score.mean()),
    "purity": lambda games: np.full(len(games.score), count(0.0)),
    "weights": lambda games: np.full(len(games.score), 1 / len(games.score)),
    "same bytes": lambda games: np.full(len(games.score), count(0.0)),
}


@SYSTEMS.add
class Whole(WholeStream):
    """A baseline that breaks a law."""

    kind: Literal["whole"] = "whole"
    fault: str

    def whole(self, games):
        return Found(np.asarray(WHOLE[self.fault](games)))


def verdict(check):
    """What a check says, or None where it has nothing to say."""
    try:
        check()
    except AssertionError as error:
        return str(error)
    return None


def said(system, law=None):
    """What the checks of one law, or of all but the one that needs compiled kernels, say of a system."""
    checks = checks_for(system, rs.Months())
    wanted = [check for check in checks if check.law == law or (law is None and check.law != "one kernel")]
    return {check.law: verdict(check) for check in wanted}


if __name__ == "__main__":
    broken = {law: said(Sound(fault=law), law)[law] for law in KERNELS} | {
        law: said(Whole(fault=law), law)[law] for law in WHOLE
    }
    draws = {fault: [said(Sound(fault=fault), law)[law] for law in ("complement", "finite")] for fault in DRAWS}
    print(json.dumps({"sound": said(Sound()), "broken": broken, "draws": draws}))  # noqa: T201  # read by the test
