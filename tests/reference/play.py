"""A small stream, played period by period: all of a period's games are judged before any is learnt from."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .digits import mp, number


class Played(NamedTuple):
    """One game as first sees it."""

    period: Any
    first: str
    second: str
    score: float
    edge: float = 0.0
    weight: float = 1.0


class Result(NamedTuple):
    """One game as one of its sides sees it, the other's belief from before the period."""

    foe: Any
    score: Any
    edge: Any
    weight: Any


@dataclass
class Career:
    """What a K may depend on."""

    games: float  # by weight
    peak: Any


def mirrored(game: Played, beliefs: dict[str, Any]) -> list[tuple[str, Result]]:
    score, edge, weight = number(game.score), number(game.edge), number(game.weight)
    return [
        (game.first, Result(beliefs[game.second], score, edge, weight)),
        (game.second, Result(beliefs[game.first], 1 - score, -edge, weight)),
    ]


def play(
    system: Any,
    games: Sequence[Played],
    start: dict[str, Any],
    k: Callable[[Career, int], Any] | None = None,
    careers: dict[str, Career] | None = None,
    last: dict[str, Any] | None = None,
) -> tuple[list[Any], dict[str, Any]]:
    """Forecasts of first in the order of the games, and beliefs at the close of the last period.

    `system` has `aged(belief, periods)`, with the periods that began since the last one played (0 at debut),
    `idle(belief)` at the close of a period sat out, `expected(me, foe, edge)` and `learnt(belief, results, k)`;
    `k(career, games)` is asked once a period, games counted by weight; one of weight 0 is only forecast. A period's
    number is its opening in units of growth; `last` has the last one that players had before the stream.
    """
    beliefs, last, forecasts = dict(start), dict(last or {}), []
    careers = careers if careers is not None else {who: Career(0, rating_of(belief)) for who, belief in start.items()}
    periods = defaultdict(list)
    for game in games:
        periods[game.period].append(game)
    for period, games_now in sorted(periods.items()):
        before = {
            who: system.aged(beliefs[who], max(period - last.get(who, period), 0))  # nobody grows younger
            for who in sides(games_now)
        }
        results = defaultdict(list)
        for game in games_now:
            forecasts.append(system.expected(before[game.first], before[game.second], number(game.edge)))
            for who, result in mirrored(game, before) if game.weight else ():
                results[who].append(result)
        playing = sides(game for game in games_now if game.weight)
        for who in playing:
            career, count = careers[who], sum(float(result.weight) for result in results[who])
            factor = None if k is None else number(k(career, count))
            beliefs[who] = system.learnt(before[who], results[who], factor)
            last[who] = period
            career.games += count
            career.peak = max(career.peak, rating_of(beliefs[who]))
    for who in set(last) - playing:  # they sat the last period out
        beliefs[who] = system.idle(system.aged(beliefs[who], period - last[who]))
    return forecasts, beliefs


def sides(games: Iterable[Played]) -> set[str]:
    return {who for game in games for who in (game.first, game.second)}


def rating_of(belief: Any) -> Any:
    return belief[0] if isinstance(belief, tuple) else belief


def total(values) -> Any:
    """Sum to the last of the forty digits."""
    return mp.fsum(values)
