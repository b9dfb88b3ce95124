"""What tuning found, and how sure it is."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
import polars as pl

from ..inference import Mean, Paired, Sums, count, mean_of
from ..keys import Tune
from ..policies import Policy
from ..ranges import Range
from ..stream import GameStream
from ..sweep import Swept
from ..systems.base import Rater
from .folds import Parts, day_of
from .space import Impossible, Setting, Space
from .sums import Floats, Ints, Resampled, difference, errors, idle, pick, resampled, tied, within

EDGE = 0.01  # share of a range that counts as its end
FEW = 10  # periods of which an interval is made that is told to be rough
End = Literal["low", "high"]


class Tried(NamedTuple):
    """Settings that were tried."""

    settings: list[Setting]
    lost: Swept  # over what is tuned on, of those played over all of it
    place: Ints  # of those played over all of it among the settings
    seen: Sequence[float]  # share of what is tuned on that each was played over
    rank: Ints  # among equals, of those played over all of it
    impossible: Sequence[Impossible] = ()  # whose values do not go together: nothing was played


@dataclass(frozen=True)
class Parameter:
    """A parameter, its range, and what was found of it.

    `interval` and `alike` answer two questions and may differ widely. `interval`: where would the best lie, had other
    periods been played? It is chosen anew in each resample of the periods, among all settings. `alike`: which settings
    do these periods not tell from the best? Each is held against it, pair by pair over the same periods.
    """

    name: str
    range: Range
    usual: float | None  # where it is not tuned
    best: float
    interval: tuple[float, float] | None  # of the best, chosen anew in each resample; None with fewer than two periods
    alike: tuple[float, float]  # least and greatest value of the settings that, one by one, are not told from the best
    edge: End | None  # the end of the range at which the best lies
    cut: End | None = None  # beyond the best on this side no value that was tried goes together with the rest
    idle: bool = False  # whether it changes nothing: its best is then the usual value, its interval the whole range

    @property
    def reaches(self) -> tuple[End, ...]:
        """The ends of the range that the interval of the best reaches; none where the parameter changes nothing."""
        if self.interval is None or self.idle:
            return ()
        low, high = self.interval
        ends: dict[End, bool] = {"low": low <= self.range.at(0), "high": high >= self.range.at(1)}
        return tuple(end for end, reached in ends.items() if reached)

    def canonical(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        own = {key: getattr(self, key) for key in ("name", "usual", "best", "interval", "alike", "edge", "cut", "idle")}
        own["reaches"] = list(self.reaches)
        return {**{k: v for k, v in self.range.canonical().items() if k != "kind"}, **own}


@dataclass(frozen=True)
class Fold:
    """What the best of the past was worth on what came next."""

    since: str  # its first day
    games: float
    best: Mapping[str, float]  # chosen by the games before
    loss: float
    usual: float  # what the usual setting lost
    least: float  # what the setting lost that was the best here, which nobody knew before


@dataclass(frozen=True)
class Tuning:
    """The outcome of tuning.

    Attributes
    ----------
    system, policy : the winner, of the least mean loss over the games tuned on.
    parameters : what had a range, each with the interval of the best value: a block bootstrap over periods that
        chooses anew each time, extended halfway to the next value that was tried.
    settings : a row a setting: its values, loss, se, `difference` (loss less that of the best) with low and high over
        the same periods, `alike` (whether it cannot be told from the best: the interval has 0 in it or is on its side),
        `wins` (share of resamples in which it was the best), and `seen`, the share of the games it was played over.
    train, test : mean loss of the winner over the games tuned on, and over those after them (None: there are none).
    usual_train, usual_test : the same of the usual setting.
    cost : of not tuning: loss of the usual setting less that of the winner over the games after, with its interval.
        More than 0 where the usual setting is the worse: of metrics of which more is better, as accuracy, the winner's
        less that of the usual setting.
    folds : what the best of the past was worth on what came next, within what is tuned on.
    split : first day of the games after; None where all are tuned on.
    scored : first and last day of those of them that are judged; None where all are tuned on.
    impossible : settings whose values do not go together, such as thresholds that do not rise: left out, with why.
    period : what intervals are made of: month or replicate.
    lower_is_better : of what `loss` is.
    notes : what a reader should know, a line each.
    """

    system: Rater
    policy: Policy | None
    parameters: tuple[Parameter, ...]
    settings: pl.DataFrame
    train: Mean
    test: Mean | None
    usual_train: Mean
    usual_test: Mean | None
    cost: Paired | None
    folds: tuple[Fold, ...]
    since: str
    split: str | None
    period: str
    how: Tune
    lower_is_better: bool = True
    notes: tuple[str, ...] = field(default=())
    scored: tuple[str, str] | None = None
    impossible: tuple[Impossible, ...] = ()

    @property
    def best(self) -> dict[str, float]:
        """The winner's values by name."""
        return {each.name: each.best for each in self.parameters}

    @property
    def alike(self) -> pl.DataFrame:
        """The settings that cannot be told from the best, itself among them."""
        return self.settings.filter("alike")

    @property
    def optimism(self) -> float | None:
        """How much worse the winner is over the games after than over those tuned on, which promised too much.

        The games differ as well, so `gain` is the better measure.
        """
        return None if self.test is None else self._worse(self.test, self.train)

    @property
    def gain(self) -> tuple[float, float | None]:
        """How much worse the usual setting is than the winner, over the games tuned on and over those after."""
        after = None if self.test is None or self.usual_test is None else self._worse(self.usual_test, self.test)
        return self._worse(self.usual_train, self.train), after

    def _worse(self, one: Mean, than: Mean) -> float:
        return one.mean - than.mean if self.lower_is_better else than.mean - one.mean

    def canonical(self) -> dict[str, Any]:
        """Return all but the settings, as JSON has it."""
        pairs = {"train": self.train, "test": self.test, "cost": self.cost}
        usual = {"train": self.usual_train, "test": self.usual_test}
        return {
            "system": self.system.canonical(),
            "policy": None if self.policy is None else self.policy.canonical(),
            "parameters": [each.canonical() for each in self.parameters],
            **{name: None if each is None else each._asdict() for name, each in pairs.items()},
            "usual": {name: None if each is None else each._asdict() for name, each in usual.items()},
            "optimism": self.optimism,
            "gain": dict(zip(("train", "test"), self.gain, strict=True)),
            "folds": [vars(each) for each in self.folds],
            "since": self.since,
            "split": self.split,
            "scored": self.scored,
            "period": self.period,
            "lower_is_better": self.lower_is_better,
            "settings": self.settings.height,
            "alike": self.alike.height,
            "impossible": [
                {"values": dict(zip(self.best, each.setting, strict=True)), "why": each.why} for each in self.impossible
            ],
            "tune": self.how.canonical(),
            "notes": list(self.notes),
        }


def judged(
    space: Space, games: GameStream, how: Tune, parts: Parts, tried: Tried, both: Swept, *, sign: int, seed: int
) -> Tuning:
    """Say what was found.

    Parameters
    ----------
    both : what the winner and the usual setting lost over all games.
    sign : 1 where less is better, -1 where more is.
    """
    train, folds = within(tried.lost, parts, 0, parts.folds + 1), parts.folds
    best, found = pick(train, sign, tried.rank), None
    if train.total.shape[1] > 1:
        found = resampled(
            train, best, sign=sign, rank=tried.rank, seed=seed, draws=how.draws, level=how.level, kind=parts.kind
        )  # fmt: skip
    settings = _table(space, tried, train, best, found, sign)
    system, policy = space.pair(tried.settings[tried.place[best]])
    after = within(both, parts, folds + 1, folds + 2) if parts.tested else None
    before = within(both, parts, 0, folds + 1)
    cost = None
    if after is not None:
        worse, better = (1, 0) if sign > 0 else (0, 1)
        cost = difference(after, worse, better, seed=seed, draws=how.draws, level=how.level, kind=parts.kind)
    parameters = tuple(_parameters(space, tried, best, found, settings, how.level))
    return Tuning(
        system=system,
        policy=policy,
        parameters=parameters,
        settings=settings,
        train=_mean(before, 0),
        test=None if after is None else _mean(after, 0),
        usual_train=_mean(before, 1),
        usual_test=None if after is None else _mean(after, 1),
        cost=cost,
        folds=tuple(_folds(space, games, parts, tried, both, sign)),
        since=day_of(games, 0),
        split=day_of(games, parts.split) if parts.tested else None,
        period=parts.kind,
        how=how,
        lower_is_better=sign > 0,
        notes=(*_notes(parameters, settings, train, parts, how), *_left_out(tried), *_moved(space)),
        scored=_scored(games, parts) if parts.tested else None,
        impossible=tuple(tried.impossible),
    )


def _mean(lost: Swept, n: int) -> Mean:
    there = lost.games[n] > 0
    return mean_of(Sums(lost.total[n][there], lost.games[n][there]))


def _table(space: Space, tried: Tried, train: Swept, best: int, found: Resampled | None, sign: int) -> pl.DataFrame:
    """Return the settings as a table, what is not known of those that were dropped null."""
    S, mean = len(tried.settings), train.mean
    low, high = (np.full(len(mean), np.nan),) * 2 if found is None else (found.low, found.high)
    alike = np.full(len(mean), fill_value=True) if found is None else ~((low if sign > 0 else -high) > 0)
    alike |= tied(train, best)
    won = np.bincount([best] if found is None else found.winner, minlength=len(mean))
    columns = {
        "loss": mean, "se": errors(train), "difference": mean - mean[best], "low": low, "high": high,
        "wins": won / won.sum(),
    }  # fmt: skip
    values = dict(zip(space.names, zip(*tried.settings, strict=True), strict=True))
    whole = dict(zip(space.names, (each.whole for each in space.ranges), strict=True))
    frame = pl.DataFrame(
        {name: pl.Series(each, dtype=pl.Int64 if whole[name] else pl.Float64) for name, each in values.items()}
    )
    for name, each in columns.items():
        full = np.full(S, np.nan)
        full[tried.place] = each
        frame = frame.with_columns(pl.Series(name, full).fill_nan(None))
    there = np.zeros(S, np.bool_)
    there[tried.place] = alike
    return frame.with_columns(alike=there, seen=pl.Series(tried.seen, dtype=pl.Float64))


def _parameters(
    space: Space, tried: Tried, best: int, found: Resampled | None, settings: pl.DataFrame, level: float
) -> Iterator[Parameter]:
    whole = [tried.settings[n] for n in tried.place]
    alike = settings.filter("alike")
    for n, (name, each, usual) in enumerate(zip(space.names, space.ranges, space.usual, strict=True)):
        values = np.array([setting[n] for setting in whole], dtype=np.float64)
        mine, some = whole[best][n], alike[name].to_list()
        all_tried = np.unique([setting[n] for setting in tried.settings]).astype(np.float64)
        unmoved = idle(tried.lost, np.array(whole, dtype=np.float64), n)
        interval, edge = None, None if unmoved else _edge(each, mine)
        cut = None if unmoved or edge else _cut([setting[n] for setting, _ in tried.impossible], all_tried, mine)
        if found is not None:
            interval = (each.low, each.high) if unmoved else _interval(each, all_tried, values[found.winner], level)
        yield Parameter(name, each, usual, mine, interval, (min(some), max(some)), edge, cut, unmoved)


def _interval(each: Range, tried: Floats, winners: Floats, level: float) -> tuple[float, float]:
    """Return the interval of the best value, extended halfway to the next one that was tried: none between was."""
    tail = (1 - level) / 2
    low = float(np.quantile(winners, tail, method="lower"))
    high = float(np.quantile(winners, 1 - tail, method="higher"))
    if each.whole:
        return low, high
    at = [0.0, *(each.share(float(value)) for value in tried), 1.0]
    first, last = 1 + int(np.searchsorted(tried, low)), 1 + int(np.searchsorted(tried, high))
    return each.at((at[first - 1] + at[first]) / 2), each.at((at[last] + at[last + 1]) / 2)


def _edge(each: Range, best: float) -> End | None:
    """Return the end of a range, as it is declared, at which the best of its values lies or to which it is close."""
    share = each.share(best)
    if share <= EDGE:
        return "low"
    return "high" if share >= 1 - EDGE else None


def _cut(impossible: Sequence[float], tried: Floats, best: float) -> End | None:
    """Return the side of the best on which there are values of impossible settings alone."""
    if best == tried[0] and any(value < best for value in impossible):
        return "low"
    return "high" if best == tried[-1] and any(value > best for value in impossible) else None


def _folds(space: Space, games: GameStream, parts: Parts, tried: Tried, both: Swept, sign: int) -> Iterator[Fold]:
    """Choose by all blocks before each one, and score on it."""
    for fold in range(1, parts.folds + 1):
        here = within(tried.lost, parts, fold, fold + 1)
        mean, chosen = here.mean, pick(within(tried.lost, parts, 0, fold), sign, tried.rank)
        setting = tried.settings[tried.place[chosen]]
        usual = within(both, parts, fold, fold + 1)
        yield Fold(
            since=day_of(games, parts.first[fold]),
            games=count(float(here.games[chosen].sum())),
            best=dict(zip(space.names, setting, strict=True)),
            loss=float(mean[chosen]),
            usual=float(usual.mean[1]),
            least=float(mean[pick(here, sign, tried.rank)]),
        )


def _notes(
    parameters: Sequence[Parameter], settings: pl.DataFrame, train: Swept, parts: Parts, how: Tune
) -> Iterator[str]:
    for each in parameters:
        yield from _noted(each)
    periods = train.total.shape[1]
    if periods < 2:
        yield f"all games tuned on are of one {parts.kind}: nothing tells how sure the best is"
    elif periods < FEW:
        yield f"intervals are made of {periods} {parts.kind}s alone, so they are rough"
    if (train.games != train.games[0]).any():
        yield "settings forecast different games: their losses are means over different ones"
    dropped = settings.filter(pl.col("seen") < 1).height
    if dropped:
        yield f"{dropped:,} of {settings.height:,} settings were dropped early, after the first games"
    if dropped or how.method == "optuna":
        yield "folds choose among settings that later games helped to find, so they flatter"


def _left_out(tried: Tried) -> Iterator[str]:
    if tried.impossible:
        of, why = len(tried.settings) + len(tried.impossible), tried.impossible[0].why
        are = "is none" if len(tried.impossible) == 1 else "are none"
        yield f"{len(tried.impossible):,} of {of:,} settings {are} and left out, values that do not go together: {why}"


def _moved(space: Space) -> Iterator[str]:
    """Say that usual values are not those that they are said to be."""
    if space.moved:
        named = [
            f"{name} = {usual:g}" for name, usual in zip(space.names, space.usual, strict=True) if usual is not None
        ]
        yield f"usual is {', '.join(named)}: defaults, or middles of ranges, do not go together, so they were moved"


def _scored(games: GameStream, parts: Parts) -> tuple[str, str]:
    """Return the first and the last day of the games after that are judged."""
    there = parts.split + np.flatnonzero(parts.bucket[parts.split :] >= 0)
    return day_of(games, there[0]), day_of(games, there[-1])


def _noted(found: Parameter) -> Iterator[str]:
    if found.idle:
        yield f"{found.name} changes nothing here"
    if found.edge:
        yield f"{found.name} = {found.best:g} lies at the {found.edge} end of its range: the best may lie beyond"
    if found.cut:
        than = "higher" if found.cut == "high" else "lower"
        yield f"{found.name} = {found.best:g}: no {than} value that was tried goes together with the rest"
    for end in found.reaches:
        if end != found.edge:
            yield f"{found.name}: the interval reaches the {end} end of the range"
