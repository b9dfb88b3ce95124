"""The keys of an experiment file that speak of neither systems, policies nor calendars."""

import datetime as dt
from collections.abc import Iterable
from typing import Any, Literal, Self

from pydantic import Field, StrictBool, field_validator, model_validator

from .errors import InputError, nearest
from .metrics import METRICS, Metric
from .replaying.kept import Forecasts
from .rules import List
from .sample import ALL_STRATA, Sample
from .spec import Spec, quantity


class Header(Spec):
    """The keys above all tables."""

    kind: Literal["experiment"] = "experiment"
    title: str = Field("", description="the question; heads the report; the name of the file where left out")
    answer: str = Field("", description="what came out, in one sentence: stands under the title where many are shown")
    more: str = Field("", description="what else came out")
    seed: int = quantity(1, "of everything random", unit="whole number", ge=0)
    source: str = Field("", description="where the games are from and under which licence, said if a file is missing")

    @field_validator("title", "answer", "more")
    @classmethod
    def _as_one_line(cls, text: str) -> str:
        return " ".join(text.split())


class SourceTable(Spec):
    """What `[[stream]]` and `[[world]]` may both say."""

    name: str = Field("", description="in tables and figures; that of the file or world where left out")
    start: str | tuple[str, ...] = Field(
        "",
        description="table of ratings that players begin with, or list of FIDE's, a file beside this one; "
        "or `published`: the first rating that the stream publishes of each; or `skills`, of a world's players; "
        "or a list of these, put together. Rows with a day in `since` replace what is believed from then on",
    )
    newcomers: float = quantity(
        0.0,
        "part of the players of `start`, drawn at random, who begin as if they were not in it",
        unit="share",
        ge=0,
        lt=1,
    )
    by_pool: StrictBool = Field(default=False, description="whether a player has a rating of their own in each pool")

    @model_validator(mode="after")
    def _of_a_start(self) -> Self:
        for key in ("start_list", "newcomers"):
            if key in self.model_fields_set and not self.start:
                raise InputError(f"key '{key}'", expected="none where there is no start")
        return self


class StreamTable(SourceTable):
    """`[[stream]]`: games from a file."""

    kind: Literal["stream"] = "stream"
    games: str = Field(..., min_length=1, description="file of games beside this one, of any form that is imported")
    columns: dict[str, Any] = Field(default_factory=dict, description="what the columns of the file are called")
    aliases: str = Field(
        "",
        description="table of other names of players, a file beside the games: `alias` (or `former`) stands for "
        "`player` (`current`), with `from` and `until` for a while, so that a rating outlives a name",
    )
    start_list: List | None = Field(None, description="which list is meant, of a file of FIDE's that holds all three")


class WorldTable(SourceTable):
    """`[[world]]`: games of a world, whose own parameters stand in the same table."""

    kind: Literal["world"] = "world"
    replicates: int = quantity(1, "worlds of the same law, each with luck of its own", unit="worlds", ge=1, le=10_000)


class Score(Spec):
    """`[score]`: which losses, over which games, and how their errors are made."""

    kind: Literal["score"] = "score"
    metrics: tuple[str | dict[str, Any], ...] = Field(
        ("log_loss", "brier", "accuracy"),
        description="kinds of metrics, or tables with a kind and its parameters; standings go by the first",
    )
    clip: float = quantity(1e-6, "of log_loss: forecasts are moved into clip..1 - clip", unit="score", gt=0, lt=0.5)
    burn_in: int = quantity(0, "games both players must have played before", unit="games", ge=0)
    since: dt.date | None = Field(None, description="first day whose games are judged (UTC)")
    until: dt.date | None = Field(None, description="last day whose games are judged (UTC)")
    strata: tuple[str, ...] = Field(
        (), description=f"properties of games by whose values losses are also told apart: {', '.join(ALL_STRATA)}"
    )
    reference: str = Field(
        "",
        description="label of the run by which the strata gap, rating and deviation go; the first over a stream whose "
        "system has what is needed where left out",
    )
    block: Literal["week", "month", "year", "season", "replicate"] | None = Field(
        None,
        description="games that are taken as one in errors: of a week (from Monday), a month, a year (UTC), a season "
        "(the stream's column), or a replicate of a world; left out, replicates where there are two or more, else "
        "months",
    )
    forecasts: Forecasts | None = Field(
        None,
        description="what is kept of the forecasts of a stream that `ratesim import` wrote: `all`; `losses`, their "
        "sums by month, of which means, errors and paired differences are made; `sample`, these and about a million "
        "games; left out, all of up to five million games, losses of more, unless a system or a calendar has to see "
        "all games at once: then all of any number, in memory",
    )
    level: float = quantity(0.95, "of intervals", unit="probability", gt=0, lt=1)
    draws: int = quantity(2000, "resamples of the block bootstrap", unit="resamples", ge=1, le=1_000_000)

    @model_validator(mode="after")
    def _sampled(self) -> Self:
        self.sample  # noqa: B018  # making it checks it
        return self

    @property
    def sample(self) -> Sample:
        """The games that are judged."""
        return Sample(burn_in=self.burn_in, since=self.since, until=self.until)

    def after(self, since: dt.date | None) -> Self:
        """Return the same of games from a day on alone; None: of all.

        Raises
        ------
        InputError : none are judged that late.
        """
        if since is None or (self.since is not None and self.since >= since):
            return self
        if self.until is not None and self.until < since:
            said = f"until = {self.until} is before {since}"
            raise InputError(said, expected="a later day, or a smaller train in [tune]")
        return self.model_copy(update={"since": since})

    def build(self, where: str = "") -> dict[str, Metric]:
        """Return the metrics by kind, in the order asked for.

        Raises
        ------
        InputError : there is no such metric or stratum, none at all, or one stands twice; a clip that nothing has.
        """
        if not self.metrics:
            raise InputError("metrics = []", where=where, expected="at least one metric")
        for name in self.strata:
            if name not in ALL_STRATA:
                near = nearest(name, ALL_STRATA)
                expected = "" if near else f"one of {', '.join(ALL_STRATA)}"
                raise InputError(f"unknown strata '{name}'", where=where, expected=expected, near=near)
        once("strata", self.strata, where)
        tables = [{"kind": each} if isinstance(each, str) else each for each in self.metrics]
        clipped = [{"clip": self.clip, **each} if each.get("kind") == "log_loss" else each for each in tables]
        metrics = [METRICS.build(table, where) for table in clipped]
        once("metrics", [each.kind for each in metrics], where)
        if "clip" in self.model_fields_set and not any(e.get("kind") == "log_loss" and "clip" not in e for e in tables):
            raise InputError("key 'clip'", where=where, expected="it where log_loss is among metrics, and has none")
        return {each.kind: each for each in metrics}


class Tune(Spec):
    """`[tune]`: how the ranges of an experiment are searched, and on which games."""

    kind: Literal["tune"] = "tune"
    method: Literal["grid", "random", "optuna"] = Field(
        "grid",
        description="grid: all combinations of values; random: `budget` settings; optuna: as many, each sixteen "
        "chosen by what the former lost (pip install 'ratesim[tune]')",
    )
    budget: int | None = quantity(None, "settings of random and optuna; none: 64", unit="settings", ge=2, le=1_000_000)
    train: float = quantity(
        0.3, "part of the games, by time, that tuning sees; the rest is scored: with 1, for `ratesim tune` alone, none",
        unit="share of games", gt=0, le=1,
    )  # fmt: skip
    folds: int = quantity(
        4, "times the best of what came before is scored on what comes next, within that part", unit="folds", ge=1,
        le=100,
    )  # fmt: skip
    burn_in: int = quantity(0, "games both players must have played before", unit="games", ge=0)
    metric: str | dict[str, Any] = Field(
        "log_loss", description="kind of the metric that decides, or a table with its parameters"
    )
    halving: StrictBool = Field(
        default=False,
        description="whether settings are first played over a quarter and a half of that part, and every second one is "
        "dropped each time; of grid and random",
    )
    level: float = quantity(0.95, "of intervals", unit="probability", gt=0, lt=1)
    draws: int = quantity(2000, "resamples of the block bootstrap", unit="resamples", ge=1, le=1_000_000)

    @model_validator(mode="after")
    def _of_its_method(self) -> Self:
        if self.budget is not None and self.method == "grid":
            raise InputError("key 'budget'", expected="it with method random or optuna; of a grid, points of a range")
        if self.halving and self.method == "optuna":
            raise InputError("halving = true", expected="method grid or random")
        return self

    def build(self, where: str = "") -> Metric:
        """Return the metric.

        Raises
        ------
        InputError : there is no such metric, or it judges more than the expected score.
        """
        metric = METRICS.build(self.metric, where)
        if metric.three_way:
            expected = "a metric of the expected score, such as log_loss"
            raise InputError(f"metric '{metric.kind}'", where=where, expected=expected)
        return metric


class Figures(Spec):
    """`[figures]`: what is drawn, and whose histories."""

    kind: Literal["figures"] = "figures"
    main: str = Field("", description="the figure that shows the answer; the first one drawn where left out")
    runs: tuple[str, ...] = Field(
        (), description="labels of those drawn, the first two against each other; one a kind of system where left out"
    )
    curves: StrictBool = Field(default=False, description="whether the curves table, logistic and normal are drawn too")
    bands: float = quantity(
        0.0, "width of the bands of ratings in which runs are compared with the first drawn; 0 not drawn", ge=0,
        unit="rating points",
    )  # fmt: skip
    gaps: float = quantity(
        0.0, "width of the bands of gaps of skills in which forecasts are held against the truth; 0 not drawn", ge=0,
        unit="rating points",
    )  # fmt: skip
    upsets: float = quantity(
        0.0, "width of the bands of rating differences in which what one game is worth is drawn; 0 not drawn", ge=0,
        unit="rating points",
    )  # fmt: skip
    excess: StrictBool = Field(
        default=False, description="whether what runs lose more than an oracle is drawn, world by world"
    )
    shares: StrictBool = Field(default=False, description="whether wins, draws and losses are drawn over the forecast")
    monthly: StrictBool = Field(default=False, description="whether changes in a month are drawn over the games in it")
    initial: StrictBool = Field(
        default=False, description="whether first ratings of newcomers are drawn against their skill"
    )
    careers: StrictBool = Field(
        default=False,
        description="whether the K in force is drawn over the games of all players, and over time for those drawn",
    )
    cold_start: StrictBool | None = Field(
        None,
        description="whether losses are drawn over the games that the less experienced of the two had played; left "
        "out, where two runs or more of 2,000 games from a file are drawn",
    )
    inflation: StrictBool = Field(
        default=False, description="whether mean and spread of the ratings of those who play are drawn over time"
    )
    moved: int = quantity(
        0, "that the second run drawn moves most against the first, drawn beside what it does by rating; 0 not drawn",
        unit="players", ge=0, le=100,
    )  # fmt: skip
    pair: tuple[str, ...] = Field(
        (),
        description="labels of the two runs that parting, scales and ranks hold against each other, that whose scale "
        "it is first; the first two of the standing that keep ratings where left out",
    )
    parting: int = quantity(
        0, "that parted the two runs of `pair` most about a player, marked in the ratings of those drawn, by both on "
        "one scale; 0 not drawn", unit="games", ge=0, le=20,
    )  # fmt: skip
    scales: StrictBool = Field(
        default=False,
        description="whether ratings by the two runs of `pair` are drawn over each other, with a rising fit",
    )
    ranks: int = quantity(
        0, "whose ranks by the two runs of `pair` differ most, drawn with both; 0 not drawn", unit="players", ge=0,
        le=100,
    )  # fmt: skip
    pause: float = quantity(0.0, "break after which a game's change is drawn; 0 not drawn", unit="days", ge=0)
    players: tuple[str, ...] = Field((), description="names of those whose histories are drawn, in that order")
    lookup: int = quantity(
        1000, "whose ratings over time the report knows: those with most games; 0 none", unit="players", ge=0,
        le=100_000,
    )  # fmt: skip
    top: int = quantity(5, "players drawn where none are named: those with most games", unit="players", ge=1, le=1000)
    bins: int = quantity(20, "of forecasts, in the calibration figure", unit="bins", ge=2, le=1000)
    points: int = quantity(200, "moments at which histories are read", unit="moments", ge=2, le=100_000)

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        once("runs", self.runs)
        once("players", self.players)
        once("pair", self.pair)
        if self.pair and len(self.pair) != 2:
            raise InputError(f"pair of {len(self.pair)}", expected="two labels of runs")
        if self.players and "top" in self.model_fields_set:
            raise InputError("key 'top'", expected="none where there are players")
        return self


def once(key: str, names: Iterable[str], where: str = "") -> None:
    """Refuse a list that says something twice.

    Raises
    ------
    InputError : it does.
    """
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InputError(f"{key}: '{name}' stands twice", where=where, expected="each once")
        seen.add(name)
