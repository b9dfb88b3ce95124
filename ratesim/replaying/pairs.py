"""Systems with their policies: what each learns by where nothing is said, and which can be played side by side."""

import logging
from collections.abc import Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import polars as pl

from ..calendars import CALENDARS, Calendar, PerGame
from ..errors import InputError, shown
from ..policies import POLICIES, Constant, Policy
from ..spec import Spec
from ..state import SEATS
from ..systems.base import Rater, System
from .openings import Variant

log = logging.getLogger("ratesim")
Starts = str | Path | pl.DataFrame | Mapping[str, Mapping[str, Any]]
Pair = tuple[Rater, Policy | None]


class Playing(Protocol):
    """Games of players, in memory or on disk."""

    @property
    def players(self) -> pl.DataFrame:
        """One row a player."""

    @property
    def n_players(self) -> int:
        """The number of players N."""


def check_pairs(pairs: Iterable[Pair], calendar: Calendar | None) -> list[Pair]:
    """Return the pairs in a list, once each is a system with a policy or None, and a system without K has none.

    Raises
    ------
    InputError : it is not so, or what is given as a calendar is none.
    """
    listed = _listed(pairs)
    for system, policy in listed:
        _instance(system, Rater, "a system such as rs.Elo()")
        _instance(Constant() if policy is None else policy, Policy, "a policy such as rs.Constant(20)")
    _instance(PerGame() if calendar is None else calendar, Calendar, "a calendar such as rs.Months()")
    for system, policy in listed:
        if policy is not None and not system.takes_policy:
            raise InputError(f"system '{system.kind}' learns without K", where=f"policy {policy.kind}", expected="none")
    return listed


def _listed(pairs: object) -> list[Pair]:
    """Return what is a number of twos in a list."""
    expected = "(system, policy) pairs, such as [(rs.Elo(), rs.Constant(20))]"
    if not isinstance(pairs, Iterable) or isinstance(pairs, Mapping | Spec | str):
        raise InputError(f"{shown(pairs)} is no list of pairs", expected=expected)
    listed = list(pairs)
    for each in listed:
        if not isinstance(each, tuple | list) or len(each) != 2:
            raise InputError(f"{shown(each)} is no pair", expected=expected)
    return listed


def _instance(value: object, cls: type, expected: str) -> None:
    if not isinstance(value, cls):
        raise InputError(f"{shown(value)} is no {cls.__name__.lower()}", expected=expected)


def blocks(pairs: Sequence[Pair], calendar: Calendar | None) -> list[list[int]]:
    """Return the places of the pairs in groups of at most 256, each of which is played side by side."""
    groups: dict[Hashable, list[int]] = {}
    for n, (system, policy) in enumerate(pairs):
        groups.setdefault(_group(system, policy, calendar, n), []).append(n)
    return [members[begin : begin + SEATS] for members in groups.values() for begin in range(0, len(members), SEATS)]


def _group(system: Rater, policy: Policy | None, calendar: Calendar | None, n: int) -> Hashable:
    if not isinstance(system, System):
        return n
    gains = learning(system, policy)
    if system.alone:
        return n
    own = (system.kernels(), system.unit, system.grows, system.tells)
    return (*own, gains.kernels(), (calendar or usual(system)).label)


def learning(system: Rater, policy: Policy | None) -> Policy:
    """Return what a system learns by, its own default where nothing is said."""
    return system.learning(policy or POLICIES.build(system.default_policy if system.takes_policy else "constant"))


def usual(system: Rater) -> Calendar:
    """Return the calendar of a system where nothing is said."""
    return CALENDARS.build(system.usual_calendar)


def variants_of(pairs: Sequence[Pair]) -> list[Variant]:
    """Return a lane for each system that is made of kernels."""
    return [Variant(system, learning(system, policy)) for system, policy in pairs if isinstance(system, System)]


def of_players(start: pl.DataFrame, games: Playing) -> pl.DataFrame:
    """Return the rows of a start table whose players are among those of games, and say how many are not.

    Raises
    ------
    InputError : none is.
    """
    table = start.filter(pl.col("player").is_in(games.players["player"].implode()))
    known = start["player"].n_unique()  # who may have several rows, of several days
    present = table["player"].n_unique()
    absent = known - present
    if not len(table):
        raise InputError(
            f"none of its {absent:,} players has a game", where="start", expected="the names of the stream"
        )
    if absent:
        log.info("start: %s of %s players have no game", f"{absent:,}", f"{known:,}")
    if new := games.n_players - present:
        log.info("start: %s of %s players of the stream are not in it", f"{new:,}", f"{games.n_players:,}")
    return table
