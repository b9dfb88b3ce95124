"""Losses of many systems on the same games, held against each other."""

import functools
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

from ..arrays import weights
from ..errors import InputError
from ..inference import (
    Interval,
    Sums,
    block_sums,
    check_draws,
    difference,
    mean_of,
    paired_of,
    resampled,
)
from .dyads import Players, couples, dyadic
from .many import TURNED, holm, verdict
from .power import POWER, games_needed, resolvable
from .series import diebold_mariano

Floats = NDArray[np.float64]
TABLE = {
    "system": pl.String, "mean": pl.Float64, "se": pl.Float64, "n": pl.Float64, "left_out": pl.Float64,
    "rank": pl.Int64, "rank_low": pl.Int64, "rank_high": pl.Int64, "best": pl.Float64,
}  # fmt: skip
PAIRS = {
    "system": pl.String, "against": pl.String, "difference": pl.Float64, "se": pl.Float64, "low": pl.Float64,
    "high": pl.Float64, "n": pl.Float64, "left_out": pl.Float64, "blocks": pl.Int64, "hac": pl.Float64,
    "dm": pl.Float64, "p": pl.Float64, "holm": pl.Float64, "verdict": pl.String, "resolvable": pl.Float64,
    "needed": pl.Float64, "players_se": pl.Float64, "players_low": pl.Float64, "players_high": pl.Float64,
}  # fmt: skip


class Asked(NamedTuple):
    """How systems are held against each other, see `compare`."""

    seed: int
    level: float = 0.95
    draws: int = 2000
    interval: Interval = "bootstrap"
    lower_is_better: bool = True
    power: float = POWER

    @property
    def sign(self) -> int:
        """What turns the metric into a loss."""
        return 1 if self.lower_is_better else -1


def common(losses: Iterable[Floats]) -> NDArray[np.bool_]:
    """Return the games that all have a loss of (G,)."""
    return functools.reduce(np.logical_and, (~np.isnan(loss) for loss in losses))


def _check_losses(losses: Mapping[str, Floats], there: NDArray[np.bool_]) -> None:
    """Refuse losses that no mean can be made of, of games that all have and that only some have."""
    for name, loss in losses.items():
        if np.isinf(loss).any():
            game = int(np.isinf(loss).argmax())
            raise InputError(f"loss = {loss[game]} of {name}", where=f"game {game}", expected="a finite number, or NaN")
    if not there.any():
        empty = next((name for name, loss in losses.items() if np.isnan(loss).all()), "")
        said = f"{empty} has no loss" if empty else "no game that all of them forecast"
        raise InputError(said, where="losses", expected="games in common")


def check(asked: Asked, systems: int) -> None:
    """Refuse what cannot be asked.

    Raises
    ------
    InputError : there are fewer than two systems, or a number is out of range.
    """
    if systems < 2:
        raise InputError(f"{systems} systems", expected="two or more to compare")
    check_draws(asked.level, asked.draws, asked.interval)
    resolvable(0.0, level=asked.level, power=asked.power)


class Comparison(NamedTuple):
    """Systems on the same games, the best mean on top.

    Attributes
    ----------
    table : a row a system, over the games that all of them forecast: `mean` loss with its error `se` by blocks, `n`
        games, `left_out`; its `rank`, 1 the best, `rank_low` to `rank_high`, where it stands in the share `level` of
        draws of the blocks (of systems that are nearly alike that covers the true rank less often), and `best`, the
        share of draws in which it comes first.
    pairs : a row a pair, `system` the lower in the table, over the games that both forecast: mean `difference` of
        losses, with `se`, `low`, `high`, `n`, `left_out` and `blocks` as `rs.paired` has them, of this pair alone and
        of blocks that do not hang together; `hac`, its error where successive blocks do, with `dm` and `p`, the test
        of Diebold and Mariano, and `holm`, which is p corrected for all the pairs; `verdict` of system over against,
        "better" or "worse" where holm is at most 1 - level, else "tie", so that an interval may leave out 0 where the
        verdict is a tie; `resolvable`, the smallest difference that such games tell from none, by the test that the
        best of as many pairs has to pass, in four of five samples, and `needed`, the games that it takes for the
        difference seen; `players_se`, `players_low`, `players_high`, the error where games of one player hang together
        (`rs.by_players`), null where players are not given.
    level : of all intervals.
    """

    table: pl.DataFrame
    pairs: pl.DataFrame
    level: float

    def matrix(self) -> pl.DataFrame:
        """Return the verdicts as a square, a row a system: "better", "worse" or "tie" than the system of the column."""
        names = self.table["system"].to_list()
        verdicts = {(row, column): verdict for row, column, verdict in self._verdicts()}
        cells = {column: [verdicts.get((row, column), "") for row in names] for column in names}
        return pl.DataFrame({"system": names, **cells})

    def tied(self) -> list[str]:
        """Return the systems that these games do not tell from the one on top, that one first."""
        top = self.table["system"][0]
        return [top, *(row for row, column, verdict in self._verdicts() if column == top and verdict == "tie")]

    def _verdicts(self) -> Iterator[tuple[str, str, str]]:
        for system, against, said in self.pairs.select("system", "against", "verdict").iter_rows():
            yield system, against, said
            yield against, system, TURNED[said]


def compare(
    losses: Mapping[str, ArrayLike], blocks: ArrayLike, *, weight: ArrayLike | None = None,
    first: ArrayLike | None = None, second: ArrayLike | None = None, seed: int, level: float = 0.95,
    draws: int = 2000, interval: Interval = "bootstrap", lower_is_better: bool = True, power: float = POWER,
) -> Comparison:  # fmt: skip
    """Hold systems against each other by what each lost on the same games.

    Parameters
    ----------
    losses : by name of the system, losses per game (G,), NaN where it made no forecast.
    blocks : (G,) whole numbers in order of time, such as `rs.month_blocks(games.time)`.
    weight : (G,) at least 0, 1 where None.
    first, second : (G,) players, whole numbers, for errors by players; None: there are none of these.
    seed : of the bootstrap. level : of intervals, 0..1. draws : of blocks.
    interval : "student" for blocks that are independent, such as replicates of a world, which tests then go by too.
    lower_is_better : whether the metric is a loss, not a gain such as accuracy.
    power : the chance by which `resolvable` and `needed` go.

    A difference in a game of 1e-12 of what either lost, or less, is rounding, and none.

    Raises
    ------
    InputError : there are fewer than two systems, lengths differ, a loss is infinite, no game has a loss of all, one
        player of games is not given, or a number is out of range.

    >>> month = [0, 0, 1, 1, 2, 2]
    >>> found = compare({"Elo": [.6, .7, .5, .9, .6, .7], "Glicko": [.7, .7, .6, .9, .7, .8]}, month, seed=1)
    >>> found.table["system"].to_list(), found.tied()  # three months are few
    (['Elo', 'Glicko'], ['Elo', 'Glicko'])
    """
    asked = Asked(seed, level, draws, interval, lower_is_better, power)
    check(asked, len(losses))
    every = {name: np.asarray(loss, dtype=np.float64) for name, loss in losses.items()}
    counts = {name: loss.shape for name, loss in every.items()} | {"blocks": np.shape(blocks)}
    seats = {"first": first, "second": second}
    counts |= {name: np.shape(side) for name, side in seats.items() if side is not None}
    if len(set(counts.values())) > 1:
        told = ", ".join(f"{name} {shape}" for name, shape in counts.items())
        raise InputError(f"shapes {told}", expected="the same games, (G,)")
    there = common(every.values())
    _check_losses(every, there)
    if (first is None) != (second is None):
        raise InputError("one player of each game", expected="first and second, or neither")
    met = None if first is None or second is None else couples(first, second)
    times = weights(weight, np.size(blocks))

    def gap(system: str, against: str) -> tuple[Sums, Players | None]:
        values = difference(every[system], every[against])
        return block_sums(values, blocks, weight), met and dyadic(values, met, times, level=level)

    sums = {name: block_sums(np.where(there, loss, np.nan), blocks, weight) for name, loss in every.items()}
    return held(sums, gap, asked)


def compare_sums(sums: Mapping[str, Sums], asked: Asked) -> Comparison:
    """Hold systems against each other by losses summed over the same blocks of the same games, as `compare` does.

    Raises
    ------
    InputError : there are fewer than two systems, blocks differ, a game has no loss, or a number is out of range.
    """
    check(asked, len(sums))
    games = next(iter(sums.values())).games
    if any(each.left_out or not np.array_equal(each.games, games) for each in sums.values()):
        raise InputError("sums over different games", where="losses", expected="a loss of every game by every system")
    return held(sums, lambda a, b: (Sums(difference(sums[a].total, sums[b].total), games), None), asked)


def held(sums: Mapping[str, Sums], gap: Callable[[str, str], tuple[Sums, Players | None]], asked: Asked) -> Comparison:
    """Hold systems against each other, from sums over the games of all and the gap between any two over their own."""
    table = _table(sums, asked)
    pairs: list[dict[str, Any]] = []
    both = list(itertools.combinations(table["system"].to_list(), 2))
    for against, system in both:
        between, players = gap(system, against)
        pair = paired_of(
            between, seed=asked.seed, level=asked.level, draws=asked.draws, interval=asked.interval
        )._asdict()
        by = {} if players is None else {f"players_{key}": getattr(players, key) for key in ("se", "low", "high")}
        pairs.append({"system": system, "against": against, **pair, **_tested(between, asked, len(both)), **by})
    return Comparison(table, _judged(pairs, asked), asked.level)


def _table(sums: Mapping[str, Sums], asked: Asked) -> pl.DataFrame:
    """Return the systems over the games that all forecast, the best first; of equals the first given."""
    means = [mean_of(each) for each in sums.values()]
    rows = [
        {"system": name, "mean": found.mean, "se": found.se, "n": found.n, "left_out": found.left_out, **rank}
        for name, found, rank in zip(sums, means, _ranks(list(sums.values()), asked), strict=True)
    ]
    losses = np.array([asked.sign * found.mean for found in means])
    order = np.argsort(losses, kind="stable")
    return pl.DataFrame([rows[n] | {"rank": 1 + int((losses < losses[n]).sum())} for n in order], schema=TABLE)


def _ranks(sums: list[Sums], asked: Asked) -> list[dict[str, Any]]:
    """Return the interval of each rank and how often it is the first; nothing under two blocks."""
    if len(sums[0].games) < 2:
        return [{} for _ in sums]
    drawn = asked.sign * np.stack([resampled(each, asked.seed, asked.draws) for each in sums], axis=1)
    ranks = (drawn[:, None, :] < drawn[:, :, None]).sum(axis=2) + 1
    alike = (drawn[:, None, :] == drawn[:, :, None]).sum(axis=2)
    first = np.where(ranks == 1, 1.0 / alike, 0.0).mean(axis=0)
    ends = [(1 - asked.level) / 2, (1 + asked.level) / 2]
    low, high = np.quantile(ranks, ends, axis=0, method="inverted_cdf")
    return [
        {"rank_low": int(a), "rank_high": int(b), "best": float(share)}
        for a, b, share in zip(low, high, first, strict=True)
    ]


def _tested(sums: Sums, asked: Asked, pairs: int) -> dict[str, float]:
    """Return what a pair's test says, to 12 digits: of cosines and quantiles machines may differ in the last."""
    test = diebold_mariano(sums, independent=asked.interval == "student")
    n = float(sums.games.sum())
    middle = math.fsum(sums.total) / n if n else math.nan
    level = 1 - (1 - asked.level) / pairs  # what Holm asks of the first of them
    how = {"degrees": test.degrees, "level": level, "power": asked.power}
    found = {
        "hac": test.se, "dm": test.statistic, "p": test.p,
        "resolvable": resolvable(test.se, **how), "needed": games_needed(middle, test.se, n, **how),
    }  # fmt: skip
    return {name: float(format(value, ".12g")) for name, value in found.items()}


def _judged(pairs: list[dict[str, Any]], asked: Asked) -> pl.DataFrame:
    """Return the pairs with p corrected for their number, and the verdict that follows."""
    corrected = holm([row["p"] for row in pairs])
    for row, p in zip(pairs, corrected.tolist(), strict=True):
        row |= {"holm": p, "verdict": verdict(asked.sign * row["difference"], p, asked.level)}
    return pl.DataFrame(pairs, schema=PAIRS)
