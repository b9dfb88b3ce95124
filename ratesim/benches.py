"""Where the runs over a stream are judged, on the same games in the same blocks: from all forecasts, or from sums."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .analysis import calibration_error, player_months, recalibration, scaled_metrics
from .analysis.conventions import Scaled
from .analysis.recalibration import Recalibration
from .blocks import Blocks, blocks
from .comparing import Asked, Comparison, Skill, common, compare, compare_sums, skill_of, skill_score
from .dates import day_of
from .errors import InputError
from .experiment import Experiment
from .inference import Mean, Paired, count, mean, month_blocks, paired
from .io.gamefile import GameFile
from .judged import Scored
from .keys import Score
from .metrics import Metric
from .plan import Loaded, Planned
from .replaying.losses import mean_loss, paired_loss, sums_of
from .sample import SEEN, Strata, strata
from .store import Store
from .stream import GameStream

Floats = NDArray[np.float64]


class Part(NamedTuple):
    """The mean loss of a run over some games."""

    metric: str
    by: str
    stratum: str
    found: Mean


@dataclass(frozen=True)
class Judged:
    """A run with its means; losses per game are made when they are needed, for many runs do not fit in memory."""

    run: Planned
    bench: "Judge"
    parts: Sequence[Part]

    @property
    def means(self) -> dict[str, Mean]:
        """The means over all games judged, by metric."""
        return {part.metric: part.found for part in self.parts if part.by == "all"}


class Forecasts(NamedTuple):
    """Forecasts of several runs over the same games."""

    of: Mapping[str, Floats]  # by label of the cell
    score: Floats
    weight: Floats | None
    said: str = ""  # which games they are, where not all


class Judge(ABC):
    """Where the runs over one stream are judged."""

    of: Loaded

    @property
    @abstractmethod
    def weighted(self) -> bool:
        """Whether games have weights."""

    @property
    def block(self) -> str:
        """What the games are of that are taken as one in errors."""
        return "month"

    def oracle(self, metrics: Mapping[str, Metric]) -> dict[str, Mean]:
        """Return the means of forecasts by the truth, by metric; none where it is not known."""
        return {}

    @abstractmethod
    def judge(self, run: Planned, metrics: Mapping[str, Metric], store: Store) -> Judged:
        """Return the means of a run."""

    @abstractmethod
    def pair(self, run: Planned, other: Planned, metric: Metric, store: Store, asked: Asked) -> Paired | None:
        """Return the mean difference of one run's losses less another's; None where it is not known."""

    @abstractmethod
    def compare(self, runs: Sequence[Planned], metric: Metric, store: Store, asked: Asked) -> Comparison | None:
        """Hold two or more runs against each other, by their ids; None where it is not known."""

    def excess(
        self, run: Planned, metrics: Mapping[str, Metric], store: Store, *, seed: int, level: float, draws: int
    ) -> dict[str, Paired]:
        """Return the mean of a run's losses less those of forecasts by the truth, by metric; none where not known."""
        return {}

    @abstractmethod
    def skill(self, run: Planned, baseline: Planned, metric: Metric, store: Store, asked: Asked) -> Skill | None:
        """Return how much of a baseline's loss a run takes away; None where it is not known."""

    def scores(self, run: Planned, store: Store) -> dict[str, Any]:
        """Return what is said of all forecasts together beside mean losses; nothing where they are not kept.

        Numbers are rounded to nine digits: logarithms and exponentials of machines differ in the last.
        """
        return {}

    @abstractmethod
    def forecasts(self, runs: Sequence[Planned], store: Store) -> Forecasts | None:
        """Return forecasts of games judged, None where none are kept."""

    @abstractmethod
    def count(self, judged: Sequence[Judged]) -> float:
        """Return how many games are judged."""

    def keep(self, store: Store) -> None:  # noqa: B027  # sums need no games
        """Write what it takes to judge forecasts again, where they are kept."""

    def remarks(self, judged: Judged) -> Iterator[str]:
        """Yield what a reader should know of how a run is judged."""
        if self.of.truth_alone:
            said = "simulated games of a file, which has no skills over time to hold ratings against"
            yield f"{self.of.source.name}: {said}; tables and figures of the truth are made for [world]"


@dataclass(frozen=True)
class ForecastJudge(Judge):
    """Where all forecasts are kept."""

    of: Loaded
    stream: GameStream
    mask: NDArray[np.bool_]  # (G,)
    blocks: Blocks  # of the games judged
    weight: Floats | None  # of the games judged
    strata: Mapping[str, Strata]  # of all games

    @classmethod
    def over(cls, of: Loaded, stream: GameStream, score: Score) -> "ForecastJudge":
        """Prepare a stream.

        Raises
        ------
        InputError : no game of it is judged, or it has no column for the strata, or no replicates.
        """
        name = of.source.name
        mask = score.sample.mask(stream)
        if not mask.any():
            raise InputError(f"{_sampled(score)} no game of stream {name}", expected="a game")
        try:
            parts = {by: strata(stream, by) for by in score.strata if by not in SEEN}
        except InputError as error:
            raise error.inside(f"strata, stream {name}") from None
        weight = None if stream.weight is None else stream.weight[mask]
        return cls(of, stream, mask, blocks(stream, mask, score, name), weight, parts)

    @property
    def weighted(self) -> bool:
        """Whether games have weights."""
        return self.weight is not None

    @property
    def block(self) -> str:
        """What the games are of that are taken as one in errors."""
        return self.blocks.kind

    @cached_property
    def scored(self) -> Scored:
        """The games, with what losses are made of."""
        games, block = self.stream, np.zeros(len(self.mask), np.int32)
        block[self.mask] = self.blocks.of
        sides = games.first, games.second
        return Scored(games.score, games.time, *sides, games.weight, self.mask, block, games.replicate)

    def keep(self, store: Store) -> None:
        """Write the games, so that forecasts of two folders can be held against each other."""
        store.keep_games(self.stream.digest, self.scored.frame())

    def oracle(self, metrics: Mapping[str, Metric]) -> dict[str, Mean]:
        """Return the means of forecasts by the truth, by metric; none where it is not known."""
        truth = self.stream.truth
        if truth is None:
            return {}
        return {name: self._mean(self.losses(metric, truth)) for name, metric in metrics.items()}

    def judge(self, run: Planned, metrics: Mapping[str, Metric], store: Store) -> Judged:
        """Return the means of a run."""
        parts = []
        for name, metric in metrics.items():
            loss = self.losses_of(run, metric, store)
            parts.append(Part(name, "all", "all", self._mean(loss)))
            for by, each in self.strata.items():
                code = each.code[self.mask]
                parts += [Part(name, by, stratum, self._mean(loss, code == n)) for n, stratum in enumerate(each.names)]
        return Judged(run, self, parts)

    def pair(self, run: Planned, other: Planned, metric: Metric, store: Store, asked: Asked) -> Paired:
        """Return the mean difference of one run's losses less another's."""
        a, b = (self.losses_of(each, metric, store) for each in (run, other))
        return self._paired(a, b, seed=asked.seed, level=asked.level, draws=asked.draws)

    def compare(self, runs: Sequence[Planned], metric: Metric, store: Store, asked: Asked) -> Comparison | None:
        """Hold runs against each other, by their ids, where there is a game that all forecast."""
        losses = {run.id: self.losses_of(run, metric, store) for run in runs}
        if not common(losses.values()).any():
            return None
        first, second = (side[self.mask] for side in (self.stream.first, self.stream.second))
        how = asked._asdict() | {"interval": self.blocks.interval, "lower_is_better": metric.lower_is_better}
        return compare(losses, self.blocks.of, weight=self.weight, first=first, second=second, **how)

    def excess(
        self, run: Planned, metrics: Mapping[str, Metric], store: Store, *, seed: int, level: float, draws: int
    ) -> dict[str, Paired]:
        """Return the mean of a run's losses less those of forecasts by the truth, by metric."""
        truth = self.stream.truth
        if truth is None:
            return {}
        both = {name: (self.losses_of(run, each, store), self.losses(each, truth)) for name, each in metrics.items()}
        return {name: self._paired(a, b, seed=seed, level=level, draws=draws) for name, (a, b) in both.items()}

    def skill(self, run: Planned, baseline: Planned, metric: Metric, store: Store, asked: Asked) -> Skill:
        """Return how much of a baseline's loss a run takes away."""
        a, b = (self.losses_of(each, metric, store) for each in (run, baseline))
        seed, level, draws, interval = asked.seed, asked.level, asked.draws, self.blocks.interval
        return skill_score(a, b, self.blocks.of, self.weight, seed=seed, level=level, draws=draws, interval=interval)

    def scores(self, run: Planned, store: Store) -> dict[str, Any]:
        """Return recalibration, calibration error, and what Kaggle's contest and PlayerRatings measure."""
        games = self.stream.take(self.mask)
        judged = store.forecast(run.id)[self.mask], games.score
        months = month_blocks(games.time)
        line, scaled = recalibration(*judged, self.weight, self.blocks.of), scaled_metrics(*judged, self.weight)
        return {
            "recalibration": _rounded(line),
            "calibration_error": round(calibration_error(*judged, self.weight), 9),
            "player_months": round(player_months(*judged, games.first, games.second, months, self.weight), 9),
            "scaled": _rounded(scaled),
        }

    def _paired(self, a: Floats, b: Floats, *, seed: int, level: float, draws: int) -> Paired:
        blocks, interval = self.blocks.of, self.blocks.interval
        return paired(a, b, blocks, self.weight, seed=seed, level=level, draws=draws, interval=interval)

    def _mean(self, loss: Floats, here: NDArray[np.bool_] | None = None) -> Mean:
        """Return the mean over the games judged, or over some of them."""
        here = np.ones(len(loss), np.bool_) if here is None else here
        return mean(loss[here], self.blocks.of[here], None if self.weight is None else self.weight[here])

    def losses(self, metric: Metric, forecast: Floats) -> Floats:
        """Return the loss of each game judged, NaN without a forecast, see `Scored.losses`."""
        return self.scored.losses(metric, forecast)

    def losses_of(self, run: Planned, metric: Metric, store: Store) -> Floats:
        """Return the loss of each game judged of a run, by its own chances of draws where it tells them."""
        draw = store.draw(run.id) if metric.three_way else None
        return self.scored.losses(metric, store.forecast(run.id), draw)

    def forecasts(self, runs: Sequence[Planned], store: Store) -> Forecasts:
        """Return the forecasts of all games judged."""
        of = {run.cell.label: store.forecast(run.id)[self.mask] for run in runs}
        return Forecasts(of, self.stream.score[self.mask], self.weight)

    def count(self, judged: Sequence[Judged]) -> float:  # it is known beforehand
        """Return how many games are judged."""
        return int(self.mask.sum())


@dataclass(frozen=True)
class SumsJudge(Judge):
    """Where sums of losses are kept while games on disk are played."""

    of: Loaded
    games: GameFile
    kept: str  # their key

    @classmethod
    def over(cls, of: Loaded, games: GameFile, score: Score) -> "SumsJudge":
        """Prepare games on disk.

        Raises
        ------
        InputError : no game is judged, as far as days tell, there is no column for the strata, or replicates or metrics
            of draws are asked for.
        """
        late = score.since is not None and games.ends < day_of(score.since)
        early = score.until is not None and games.begins >= day_of(score.until) + 1
        if late or early:
            raise InputError(f"{_sampled(score)} no game of stream {of.source.name}", expected="a game")
        first = next(games.pieces())
        if score.block not in {None, "month"}:
            expected = "block = 'month', or forecasts = 'all'"
            raise InputError(f"block = '{score.block}' of stream {of.source.name}, from disk", expected=expected)
        for kind in (kind for kind, metric in score.build().items() if metric.three_way):
            expected = "a metric of the expected score, or forecasts = 'all'"
            raise InputError(f"metric '{kind}' of stream {of.source.name}, from disk", expected=expected)
        for by in score.strata:
            try:
                strata(first, by)
            except InputError as error:
                raise error.inside(f"strata, stream {of.source.name}") from None
        return cls(of, games, of.kept or "")

    @property
    def weighted(self) -> bool:
        """Whether games have weights."""
        return "weight" in self.games.columns

    def judge(self, run: Planned, metrics: Mapping[str, Metric], store: Store) -> Judged:
        """Return the means of a run."""
        losses = store.losses(run.id, self.kept)
        keys = losses.select("metric", "by", "stratum").unique(maintain_order=True).rows()
        keys.sort(key=lambda key: [*metrics].index(key[0]))
        parts = [Part(name, by, stratum, mean_loss(losses, name, by, stratum)) for name, by, stratum in keys]
        return Judged(run, self, parts)

    def pair(self, run: Planned, other: Planned, metric: Metric, store: Store, asked: Asked) -> Paired | None:
        """Return the mean difference of one run's losses less another's, where both forecast all games."""
        a, b = (store.losses(each.id, self.kept) for each in (run, other))
        if any(mean_loss(each, metric.kind).left_out for each in (a, b)):
            return None
        return paired_loss(a, b, metric.kind, seed=asked.seed, level=asked.level, draws=asked.draws)

    def compare(self, runs: Sequence[Planned], metric: Metric, store: Store, asked: Asked) -> Comparison | None:
        """Hold runs against each other, by their ids, where all forecast all games."""
        losses = {run.id: store.losses(run.id, self.kept) for run in runs}
        if any(mean_loss(each, metric.kind).left_out for each in losses.values()):
            return None
        sums = {name: sums_of(each, metric.kind) for name, each in losses.items()}
        return compare_sums(sums, asked._replace(lower_is_better=metric.lower_is_better))

    def skill(self, run: Planned, baseline: Planned, metric: Metric, store: Store, asked: Asked) -> Skill | None:
        """Return how much of a baseline's loss a run takes away, where both forecast all games."""
        own, other = (sums_of(store.losses(each.id, self.kept), metric.kind) for each in (run, baseline))
        if own.left_out or other.left_out:
            return None
        return skill_of(own, other, asked)

    def forecasts(self, runs: Sequence[Planned], store: Store) -> Forecasts | None:
        """Return the forecasts of the games drawn, where some were."""
        samples = {run.cell.label: store.sample(run.id, self.kept) for run in runs}
        drawn = {label: sample for label, sample in samples.items() if sample is not None}
        if not drawn:
            return None
        first = next(iter(drawn.values()))
        weight = first["weight"].to_numpy() if "weight" in first.columns else None
        of = {label: sample["forecast"].to_numpy() for label, sample in drawn.items()}
        return Forecasts(of, first["score"].to_numpy(), weight, f"{len(first):,} games drawn at random")

    def count(self, judged: Sequence[Judged]) -> float:
        """Return how many games are judged, by weight where they have weights."""
        found = next(iter(judged[0].means.values()))
        return count(float(found.n + found.left_out))

    def remarks(self, judged: Judged) -> Iterator[str]:
        """Yield what is not known from sums too."""
        yield from super().remarks(judged)
        yield f"{self.of.source.name}: played from disk; means, errors and differences are made from sums by month"
        if next(iter(judged.means.values())).left_out:
            yield f"{judged.run.label}: games without a forecast, so not paired; all forecasts would tell which"


def benches(loaded: Sequence[Loaded], experiment: Experiment) -> dict[str, Judge]:
    """Return where the runs over each stream are judged, by the stream's name.

    Raises
    ------
    InputError : a stream has no game to judge, or no column for the strata.
    """
    try:
        return {of.source.name: _bench(of, experiment.score.after(of.since)) for of in loaded}
    except InputError as error:
        raise error.inside(f"{experiment.file}, score") from None


def _bench(of: Loaded, score: Score) -> Judge:
    if isinstance(of.stream, GameFile) and of.kept is not None and of.keep is not None:
        return SumsJudge.over(of, of.stream, score)
    assert isinstance(of.stream, GameStream)  # noqa: S101  # there is no third
    return ForecastJudge.over(of, of.stream, score)


def _rounded(found: Recalibration | Scaled) -> dict[str, float]:
    return {name: round(value, 9) for name, value in found._asdict().items()}


def _sampled(score: Score) -> str:
    """Return what leaves games out, with its verb."""
    said = [f"{key} = {value}" for key in ("burn_in", "since", "until") if (value := getattr(score, key))]
    return f"{' and '.join(said) or 'weight 0'} {'leave' if len(said) > 1 else 'leaves'}"
