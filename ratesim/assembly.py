"""Engines put together: the templates of `engine` bound to the kernels of one system and one policy."""

import functools
import math
from collections import namedtuple
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from . import engine, fused, passes, telling
from .jit import Function, kernel, part, rows, specialise
from .policies import MOST
from .records import Career, Game
from .state import SEATS, Dates, Floats, Games, Past, State

if TYPE_CHECKING:
    from .slots import *  # noqa: F403  # the capitals: `bindings` binds them


class Plan(NamedTuple):
    """What is compiled into an engine, besides the kernels."""

    singly: bool = False  # every game is a period of its own
    alone: bool = False  # there is one lane
    keep: bool = True  # write forecasts down, a row a game; else into the one row there is
    own: bool = False  # each lane has its own results
    own_weight: bool = False  # each lane has its own weights; where there is drift, a column more: its span, NaN before
    depth: int = 1  # periods that evidence can wait for
    rules: bool = False  # params have several rows, by date
    draws: bool = False  # chances of a draw are written down in the place of forecasts


Engine = Callable[[Floats, Floats, State, Games, Dates, Floats, Floats, int, bool], None]


@kernel
def stay(p: Any, me: Any, clock: Any) -> Any:
    """Return a belief that time does not touch."""
    return me


@kernel
def as_before(p: Any, me: Any, total: Any, n: float) -> Any:
    """Return a belief of which nothing is made before the period closes."""
    return me


@kernel
def as_expected(p: Any, me: Any, foe: Any, game: Any, expected: float) -> float:
    """Return the expected score."""
    return expected


@kernel
def no_loss(e: float, s: float) -> float:
    """Return nothing lost."""
    return 0.0


def checked(q: Any, rating: float, career: Career) -> float:
    """Return K; NaN in the place of what is none, which no rating outlives: `replaying.sound` finds it."""
    k: float = GAIN(q, rating, career)
    return k if 0.0 <= k <= MOST else math.nan


class Unlearning(NamedTuple):
    """The part of a policy that ageing needs: none."""

    Params: type = Game
    gain: Function = no_loss
    career: bool = False
    sound: bool = True


NO_POLICY = Unlearning()


@functools.cache
def build(system: Any, policy: Any, plan: Plan = Plan(), loss: Function | None = None, label: str = "") -> Engine:  # noqa: B008
    """Return the engine of a system's kernels and a policy's.

    Parameters
    ----------
    system : `systems.base.Kernels`.
    policy : `policies.PolicyKernels`.
    plan : what else is compiled in.
    loss : kernel (forecast, score) -> loss, summed by bucket and lane in the pass; None sums nothing.
    label : what is said while it compiles.

    Returns
    -------
    Compiled (params, policy, state, games, dates, born, forecast, until, last) -> None, which changes `state` and
    `forecast` (G, L), or (1, L) where none are kept, in place; compiled at its first call unless the disk has it.
    """
    if system.careful and policy.career:
        msg = (
            f"{label}: a system with a `careful` kernel learns without K, so it cannot have a policy that keeps careers"
        )
        raise TypeError(msg)
    parts = bindings(system, policy, plan, loss)
    _helped(parts, HELPERS)
    return specialise(fused.play_singly if plan.singly else engine.play, label, **parts)


@functools.cache
def ageing(system: Any, label: str = "") -> Function:
    """Return the compiled (params, rows, marks, rule, day, units, season) -> None that ages all who have played."""
    parts = bindings(system, NO_POLICY, Plan(), None)
    return specialise(engine.age, label, **_helped(parts, ("lanes_of", "since", "mark", "drift", "bring")))


@functools.cache
def gaining(system: Any, policy: Any, label: str = "") -> Function:
    """Return the compiled (rows, policy, rule, born, now, year, fresh, out) -> None that tells K of some players."""
    parts = bindings(system, policy, Plan(), None) | {"GAIN": policy.gain}  # as it is, be it sound or not
    return specialise(telling.gains, label, **_helped(parts, ("lanes_of", "gain_of", "tile")))


@functools.cache
def saying(system: Any, label: str = "") -> Function:
    """Return the compiled (rows, params, rule, games, out) -> None that tells what games say of their players."""
    return specialise(telling.evidences, label, **bindings(system, NO_POLICY, Plan(), None))


@functools.cache
def foretelling(system: Any, label: str = "") -> Function:
    """Return the compiled (rows, params, edges, out) -> None that tells what is expected of games to come."""
    return specialise(telling.forecasts, label, **bindings(system, NO_POLICY, Plan(draws=True), None))


def _helped(parts: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Return the parts with helpers of the templates compiled into each other."""
    for name in names:
        template = next(getattr(module, name) for module in (engine, fused, passes) if hasattr(module, name))
        parts[name] = part(template, inline=HELPERS[name], **parts)
    return parts


# In the order in which they call each other; what is inlined has arrays among its arguments on a path of every game.
HELPERS = {
    "lanes_of": True, "fetch": True, "since": True, "mark": True, "lengthen": True, "learn": True, "gain_of": True,
    "charge": True, "lose": False, "judge": False, "played": True, "settle": False, "tile": False, "drift": True,
    "bring": False, "raise_flags": False, "join": False, "review": False, "close": False,
    "meet": True, "summon": False, "seat": True, "post": True, "report": True,
    "reconsider": False, "take_seat": True, "judge_again": False, "judge_alone_again": True,
}  # fmt: skip


@functools.cache
def leading(record: type, count: int | None) -> type:
    """Return the record of the first so many fields of another."""
    fields: tuple[str, ...] = record._fields  # type: ignore[attr-defined]  # every NamedTuple has them
    if count is None or count == len(fields):
        return record
    part: type = namedtuple(f"Seen{record.__name__}", fields[:count])  # type: ignore[misc]  # noqa: PYI024  # known at run time
    part.__module__ = record.__module__
    return part


def bindings(system: Any, policy: Any, plan: Plan, loss: Function | None) -> dict[str, Any]:
    """Return the globals of the templates: kernels, accessors of records, and where each lies."""
    fields, width = len(system.Belief._fields), len(system.Evidence._fields)
    kept = fields + (len(Past._fields) if policy.career else 0)
    gain = policy.gain if policy.sound else part(checked, inline=True, GAIN=policy.gain)
    seated = 2 * fields + len(Game._fields) + 1  # me, foe, game, weight
    return {
        "PARAMS": rows(system.Params), "POLICY": rows(policy.Params), "BELIEF": rows(system.Belief),
        "SEEN": rows(leading(system.Belief, system.seen)),
        "EVIDENCE": rows(system.Evidence), "GAME": rows(Game), "PAST": rows(Past),
        "PREDICT": system.predict, "LEARN": system.evidence, "ABSORB": system.absorb, "GAIN": gain,
        "DRIFT": system.drift or stay, "CAREFUL": system.careful or stay, "LOSS": loss or no_loss,
        "TELL": (system.draw or as_expected) if plan.draws else as_expected, "BETWEEN": system.between or as_before,
        "AGES": system.drift is not None, "CAREER": policy.career, "COMPLEMENT": system.complement,
        "HAS_CAREFUL": system.careful is not None, "FLAGGED": bool(system.flags), "LOSSES": loss is not None,
        "KEEP": int(plan.keep), "OWN": int(plan.own), "OWN_WEIGHT": int(plan.own_weight), "DEPTH": plan.depth,
        "PASSES": system.passes,
        "RULES": plan.rules, "ALONE": plan.alone,
        "FIELDS": fields, "WIDTH": width, "FLAG": fields - 1, "OPEN": float(2 ** len(system.flags)),
        "KEPT": kept, "AFTER": kept + width,
        "FOE": fields, "SEATED_GAME": 2 * fields, "WEIGHT": seated - 1, "SEATED_EVIDENCE": seated,
        "EXPECTED": seated + 2 * width, "DESK": seated + 2 * width + 1, "SEATS": SEATS,
    }  # fmt: skip
