"""A simulated world as a stream of games with its truth."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..stream import GameStream, Paths

if TYPE_CHECKING:
    from .base import Floats
    from .league import League
    from .rounds import Played, Playing

READINGS = 60  # rounds at the most whose skills are written down


def told(world: "League", seed: int, replicates: Sequence[int]) -> GameStream:
    """Return all games of some replicates in order of time, of replicates within one moment."""
    kept, readings, days, skill = [], set(reading_rounds(world.rounds)), [], []
    opening: Floats | None = None
    pools = () if world.pools is None else world.pools.names
    playing = world.play(seed, replicates)
    for played in playing:
        kept.append(_columns(played, world.players, len(pools) or 1))
        if opening is None:
            opening = played.skill.copy()
        if played.moment.round in readings:
            days.append(played.moment.day)
            skill.append(_skills(playing, played))
    assert opening is not None  # noqa: S101  # a world has a round at least
    columns: dict[str, Any] = {name: np.concatenate([each[name] for each in kept]) for name in kept[0]}
    if world.outcomes.edge or world.outcomes.edge_growth:
        columns["edge"] = np.ones(len(columns["time"]))
    return GameStream(
        players=roster(world.players, replicates, opening), paths=Paths(np.array(days), np.array(skill)),
        pools=pools, source={"world": world.canonical(), "seed": seed}, **columns,
    )  # fmt: skip


def reading_rounds(rounds: int) -> NDArray[np.int64]:
    """Return the rounds whose skills are written down: all, or half of `READINGS` evenly and half by logarithm."""
    if rounds <= READINGS:
        return np.arange(rounds)
    even = np.linspace(0, rounds - 1, READINGS // 2)
    return np.unique(np.round([*even, *np.geomspace(1, rounds - 1, READINGS - len(even))]).astype(np.int64))


def roster(players: int, replicates: Sequence[int], skill: "Floats") -> pl.DataFrame:
    """Return the table of players: names, replicates and the skills that the world began with."""
    width = len(str(players))
    names = [f"P{n:0{width}}" for n in range(1, players + 1)]
    many = len(replicates) > 1 or replicates[0] > 0
    named = [f"{name} #{r}" for r in replicates for name in names] if many else names
    number = np.repeat(np.array(replicates, dtype=np.int32), players)
    return pl.DataFrame({"player": named, "replicate": number, "skill": skill.ravel()})


def _skills(playing: "Playing", played: "Played") -> "Floats":
    """Return the skills of all players, (R N,) or by pool (R N, P); NaN of those who are not there."""
    skill = np.where(played.there, played.skill, np.nan)
    if playing.offset is None:
        return skill.ravel()
    assert playing.member is not None  # noqa: S101  # it comes with the offsets
    by_pool: Floats = np.where(playing.member, skill[:, :, None] + playing.offset, np.nan)
    return by_pool.reshape(-1, by_pool.shape[2])


def _columns(played: "Played", players: int, pools: int) -> dict[str, NDArray[np.generic]]:
    """Return the games of a round as columns, game by game, replicate by replicate within."""
    there = (played.first >= 0).T.ravel()
    offset = np.arange(len(played.first), dtype=np.int32)[:, None] * np.int32(players)
    first, second = ((side + offset).T.ravel()[there] for side in (played.first, played.second))
    numbers = {
        "score": played.score, "truth": played.truth, "skill_first": played.skill_first,
        "skill_second": played.skill_second,
    }  # fmt: skip
    if played.shown is not None:
        numbers |= {"performance_first": played.shown.first, "performance_second": played.shown.second}
    time = np.repeat(played.time, len(played.first))[there]
    columns = {"first": first, "second": second, "time": time, **{k: x.T.ravel()[there] for k, x in numbers.items()}}
    return columns if pools == 1 else {**columns, "pool": np.full(len(time), played.moment.pool, np.int32)}
