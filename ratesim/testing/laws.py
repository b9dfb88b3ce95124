"""The laws, one function each; every one is the sign of a fault that rating software has shipped."""

import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace as changed
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from ..chances import three_way
from ..policies import Constant
from ..replay import replay
from ..replaying.saved import load_state
from ..systems.base import Floats, Rater, Refit, System
from .interpreted import replay_interpreted
from .trial import (
    LONG,
    Trial,
    bounded,
    columns,
    figures,
    holds,
    league,
    near,
    ratings,
    same_bits,
    starts,
    stream,
    swapped,
)

Prove = Callable[[Trial], None]
GAMES_A_DAY = 3


class Law(NamedTuple):
    """A law and the systems it speaks of."""

    prove: Prove
    speaks_of: Callable[[Rater], bool]


LAWS: dict[str, Law] = {}


def anything(system: Rater) -> bool:
    """Every system."""
    return True


def rated(system: Rater) -> bool:
    """Systems made of kernels, which keep ratings and take starts."""
    return isinstance(system, System)


def rating(system: Rater) -> bool:
    """Systems that rate players: made of kernels, or fitted anew."""
    return isinstance(system, System | Refit)


def movable(system: Rater) -> bool:
    """Systems whose ratings can be moved: by a start table or by a parameter `rating`."""
    return rated(system) or "rating" in type(system).model_fields


def deviating(system: Rater) -> bool:
    """Systems whose ratings have a deviation."""
    return "deviation" in columns(system)


def with_k(system: Rater) -> bool:
    """Systems that take a K policy."""
    return system.takes_policy


def law(name: str, speaks_of: Callable[[Rater], bool] = anything) -> Callable[[Prove], Prove]:
    """Enter a law under its name."""

    def enter(prove: Prove) -> Prove:
        LAWS[name] = Law(prove, speaks_of)
        return prove

    return enter


@law("translation", movable)
def translation(trial: Trial) -> None:
    """Add a constant to all ratings, and nothing else moves."""
    games, shift = stream(league()), 100.0
    low, high = trial, trial
    if not rated(trial.system):
        high = trial.with_parameters(rating=trial.system.model_dump()["rating"] + shift)
    run = low.replay(games, start=starts(trial.system) | {"H": {**LONG, "rating": 1500.0}})
    moved = high.replay(games, start=starts(trial.system, shift) | {"H": {**LONG, "rating": 1500.0 + shift}})
    near(moved.forecast, run.forecast, 1e-9, "forecasts moved with the ratings")
    expected = run.ratings().with_columns(pl.col("rating") + shift).sort("player").drop("player")
    near(figures(moved), expected.to_numpy().astype(float), 1e-6, "ratings moved by more or less than their starts")


@law("names")
def names(trial: Trial) -> None:
    """Rename and re-order players: results are the same for each of them."""
    games = stream(league())
    run = trial.replay(games, start=starts(trial.system))
    order = np.argsort(games.players["player"].to_numpy(), kind="stable")[::-1]
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    other = changed(
        games,
        players=games.players[order].with_columns(player="x" + pl.col("player")),
        first=rank[games.first].astype(np.int32),
        second=rank[games.second].astype(np.int32),
    )
    again = trial.replay(other, start={f"x{name}": row for name, row in starts(trial.system).items()})
    same_bits(again.forecast, run.forecast, "forecasts depend on names or on the order of players")
    same_bits(figures(again), figures(run), "ratings depend on names or on the order of players")


@law("sides")
def sides(trial: Trial) -> None:
    """Tell every second game from the other side, the edge negated: ratings are the same."""
    games = league()
    odd = pl.int_range(pl.len()) % 2 == 1
    run = trial.replay(stream(games), start=starts(trial.system))
    other = trial.replay(stream(swapped(games, odd)), start=starts(trial.system))
    mirrored = np.where(np.arange(len(games)) % 2 == 1, 1 - other.forecast, other.forecast)
    near(mirrored, run.forecast, 1e-9, "forecasts depend on which side is named first")
    near(figures(other), figures(run), 1e-7, "ratings depend on which side is named first")


@law("complement")
def complement(trial: Trial) -> None:
    """Both sides of a game expect one point together, with an edge too."""
    games = league()
    pairs = [("A", "B"), ("C", "H"), ("G", "new"), ("other", "D")]
    asked = pl.DataFrame(pairs, schema=["first", "second"], orient="row").with_columns(
        score=0.5,
        time=300.0,
        edge=pl.Series([0.7, -1.0, 1.0, 0.0]),
        margin=0.0,
        season=pl.lit("2"),
        published_first=1500.0,
        published_second=1620.0,
        performance_first=1480.0,
        performance_second=1700.0,
    )
    both = pl.concat([games, asked, swapped(asked, pl.lit(value=True))])
    run = trial.replay(stream(both), start=starts(trial.system))
    forecast = run.forecast[len(games) :]
    here, there = np.split(forecast, 2)
    near(here + there, np.ones(len(pairs)), 1e-12, "the forecasts of both sides do not add up to 1")
    holds((forecast >= 0).all() and (forecast <= 1).all(), f"forecasts outside 0..1: {forecast}")
    if (draws := run.draws()) is not None:
        here, there = np.split(draws[len(games) :], 2)
        near(here, there, 1e-12, "both sides do not see the same chance of a draw")
        chances(run.forecast, draws)


@law("conservation", with_k)
def conservation(trial: Trial) -> None:
    """With one K for all, what one side wins the other loses: weights and edges change nothing in that."""
    games = league().with_columns(weight=1 + 0.25 * (pl.int_range(pl.len()) % 5))
    table = starts(trial.system) | {"H": {"rating": 1500.0}}
    for count in range(4 * GAMES_A_DAY, len(games) + 1, 4 * GAMES_A_DAY):
        run = trial.replay(stream(games.head(count)), start=table, policy=Constant(20.0))
        after = dict(run.ratings().select("player", "rating").iter_rows())
        before = sum(table[player]["rating"] for player in after)
        holds(
            abs(sum(after.values()) - before) < 1e-7, f"the sum of ratings went from {before} to {sum(after.values())}"
        )


@law("order")
def order(trial: Trial) -> None:
    """The order of games inside a period does not matter."""
    games = league()
    shuffle = np.arange(len(games)).reshape(-1, GAMES_A_DAY)[:, [2, 0, 1]].ravel()  # a day's games are one period
    run = trial.replay(stream(games), start=starts(trial.system))
    other = trial.replay(stream(games[shuffle]), start=starts(trial.system))
    near(other.forecast, run.forecast[shuffle], 1e-9, "forecasts depend on the order inside a period")
    near(figures(other), figures(run), 1e-9, "ratings depend on the order inside a period")


@law("resume", rated)
def resume(trial: Trial) -> None:
    """Cut a stream anywhere, save, go on: the same bits as one run."""
    games, table = league(), starts(trial.system)
    run = trial.replay(stream(games), start=table)
    with tempfile.TemporaryDirectory() as folder:
        for cut in (1, GAMES_A_DAY * 5 + 1, GAMES_A_DAY * 9, len(games) - 1):
            file = Path(folder) / f"{cut}.state"
            head = trial.replay(stream(games.head(cut)), start=table)
            head.save(file)
            later = stream(games.slice(cut))  # which knows its own players only, some of them new
            tail = replay(trial.system, later, calendar=trial.calendar, start=table, state=load_state(file))
            both = np.concatenate([head.forecast, tail.forecast])
            same_bits(both, run.forecast, f"cut after {cut} games, forecasts differ")
            same_bits(figures(tail), figures(run), f"cut after {cut} games, ratings differ")
            noted = f"cut after {cut} games, {tail.diagnostics} is noted instead of {run.diagnostics}"
            holds(tail.diagnostics == run.diagnostics, noted)


@law("one game")
def one_game(trial: Trial) -> None:
    """A period of one game is the per-game update: the fused path of games by themselves is the path of periods."""
    apart = league().with_columns(pl.col("time") + 0.01 * (pl.int_range(pl.len()) % GAMES_A_DAY))
    last = apart.tail(2).with_columns(first=pl.lit("X") + pl.col("first"), second=pl.lit("Y"), time=400.0)
    alone = trial.replay(stream(apart), start=starts(trial.system))
    followed = trial.replay(stream(pl.concat([apart, last])), start=starts(trial.system))
    same_bits(followed.forecast[: len(apart)], alone.forecast, "two games at once at the end change earlier forecasts")
    if rated(trial.system):
        moment, known = [float(apart["time"][-1])], sorted(set(apart["first"]) | set(apart["second"]))
        one, two = (run.history(moment, known).sort("player")["rating"].to_numpy() for run in (alone, followed))
        near(one, two, 0.0, "two games at once at the end change earlier ratings")


@law("bounds", deviating)
def bounds(trial: Trial) -> None:
    """Deviations stay within floor and ceiling, volatilities below their cap, at every moment."""
    system = trial.system
    run = trial.replay(stream(league()), start=starts(system))
    history = run.history([*map(float, DAYS_AND_YEARS)])
    low, high = getattr(system, "floor", 0.0), getattr(system, "ceiling", np.inf)
    deviation = history["deviation"].to_numpy()
    holds(deviation.min() >= low - 1e-9, f"a deviation of {deviation.min()} is below the floor of {low}")
    holds(deviation.max() <= high + 1e-9, f"a deviation of {deviation.max()} is above the ceiling of {high}")
    cap = getattr(system, "volatility_cap", None)
    if cap is not None:
        most = history["volatility"].to_numpy().max()
        holds(most <= cap * (1 + 1e-12), f"a volatility of {most} is above the cap of {cap}")


DAYS_AND_YEARS = (0, 1, 10, 45, 100, 180, 246, 400, 1500, 20_000)


@law("ageing", deviating)
def ageing(trial: Trial) -> None:
    """Ageing by one time and then another is ageing by their sum; an idle period only ages."""
    meeting = league().head(GAMES_A_DAY).with_columns(weight=1.0)
    others = meeting.with_columns(pl.col("first", "second") + "'")
    days = (60.0, 100.0, 130.0, 170.0, 245.0)
    asked = [pl.concat([meeting.with_columns(weight=0.0, time=day), others.with_columns(time=day)]) for day in days]
    idle = sorted(set(meeting["first"]) | set(meeting["second"]))
    moments = [50.0, 110.0, 244.0, 300.0]
    often, seldom = (
        trial.replay(stream(pl.concat([meeting, *games])), start=starts(trial.system)).history(moments, idle)
        for games in (asked, [others.with_columns(time=days[-1])])
    )
    one, two = (table.drop("player").to_numpy().astype(np.float64) for table in (often, seldom))
    near(one, two, 1e-9, "a player who was only asked about, or whom others played past, aged differently")
    for player in idle:
        own = often.filter(pl.col("player") == player).sort("time")
        held, deviation = (own[name].to_numpy() for name in ("rating", "deviation"))
        rounding = 0.0 if rated(trial.system) else 1e-9  # of a fit, which may end elsewhere in the last digits
        holds(np.ptp(held) <= rounding, f"the rating of {player}, who is idle, moved")
        holds(np.diff(deviation).min() >= -rounding, f"the deviation of {player}, who is idle, shrank")


@law("purity")
def purity(trial: Trial) -> None:
    """Asking changes nothing: not the answers, not the players, not the stream."""
    games = stream(league())
    digest = games.digest
    run = trial.replay(games, start=starts(trial.system))
    before = figures(run).copy()
    if rated(trial.system):
        run.history([10.0, 100.0, 1e4])
        run.history([1e5], ["A"])
    same_bits(figures(run), before, "asking for a history changed the ratings")
    again = trial.replay(games, start=starts(trial.system))
    same_bits(again.forecast, run.forecast, "a second replay forecasts otherwise")
    same_bits(figures(again), before, "a second replay ends otherwise")
    if before.size:
        holds(
            set(ratings(run)["player"]) == set(games.players["player"]),
            "the ratings are of other players than the stream",
        )
    holds(stream(league()).digest == digest, "the stream was changed")


@law("one kernel", rating)
def one_kernel(trial: Trial) -> None:
    """Compiled and in plain Python, the kernels agree to the bit."""
    games = stream(league())
    run = trial.replay(games, start=starts(trial.system))
    forecast, final = replay_interpreted(trial, games)
    same_bits(forecast, run.forecast, "compiled and interpreted forecasts")
    same_bits(final, figures(run), "compiled and interpreted ratings")


@law("finite", rating)
def finite(trial: Trial) -> None:
    """Gaps of 1e5 and deviations from 1e-6 to 1e4 give numbers."""
    rows = [("A", "B", 1.0), ("C", "B", 0.0), ("D", "A", 0.5), ("B", "D", 0.0), ("A", "E", 0.0), ("E", "C", 1.0)]
    games = pl.DataFrame(rows, schema=["first", "second", "score"], orient="row").with_columns(
        edge=1.0, performance_first=1e5, performance_second=-1e5, margin=1e5 * (2 * pl.col("score") - 1)
    )
    games = pl.concat([games.with_columns(time=day, season=pl.lit(str(day))) for day in (1.0, 40.0, 41.0)])
    wide = {"A": (0.0, 1e-6), "B": (1e5, 1e-6), "C": (1e5, 1e4), "D": (-1e5, 350.0), "E": (0.0, 1e4)}
    open_ended = trial.with_parameters(ceiling=2e4) if hasattr(trial.system, "ceiling") else trial
    table = {player: {**LONG, "rating": rating} for player, (rating, _) in wide.items()}
    if deviating(trial.system):
        for player, (_, deviation) in wide.items():
            table[player]["deviation"] = bounded(open_ended.system, deviation)
    run = open_ended.replay(stream(games), start=table)
    holds(np.isfinite(run.forecast).all(), f"forecasts are not finite: {run.forecast}")
    holds(((run.forecast >= 0) & (run.forecast <= 1)).all(), f"forecasts are outside 0..1: {run.forecast}")
    holds(np.isfinite(figures(run)).all(), f"ratings are not finite: {ratings(run)}")
    if (draws := run.draws()) is not None:
        chances(run.forecast, draws)


def chances(forecast: Floats, draw: Floats) -> None:
    """Hold a system's own draws to what chances are: none below 0, and win, draw and loss are 1 together."""
    holds(np.isfinite(draw).all() and (draw >= 0).all(), f"chances of a draw are not finite and at least 0: {draw}")
    rounding = np.where(forecast > 0.5, 2 * np.finfo(np.float64).eps, 0.0)  # of 1 - E where E is next to 1
    more = draw > 2 * np.minimum(forecast, 1 - forecast) * (1 + 1e-12) + rounding
    holds(not more.any(), f"a draw of {draw[more]} is more than a forecast of {forecast[more]} leaves room for")
    near(three_way(forecast, draw).sum(axis=1), np.ones(len(draw)), 1e-12, "win, draw and loss do not add up to 1")


@law("weights")
def weights(trial: Trial) -> None:
    """Weight 0 is absence; weight 2 is the game twice in the same period."""
    games = league()
    out = pl.int_range(pl.len()) % 4 == 1
    present = games.filter(~out)
    light = trial.replay(
        stream(games.with_columns(weight=pl.when(out).then(0.0).otherwise(1.0))), start=starts(trial.system)
    )
    absent = trial.replay(stream(present), start=starts(trial.system))
    kept = np.arange(len(games)) % 4 != 1
    near(light.forecast[kept], absent.forecast, 1e-9, "a game of weight 0 moves forecasts")
    near(figures(light), figures(absent), 1e-7, "a game of weight 0 moves ratings")
    double = trial.replay(stream(games.with_columns(weight=2.0)), start=starts(trial.system))
    twice = trial.replay(stream(pl.concat([games, games])), start=starts(trial.system))
    day = np.argsort(np.tile(games["time"].to_numpy(), 2), kind="stable")
    first = np.flatnonzero(day < len(games))
    near(double.forecast, twice.forecast[first], 1e-9, "a game of weight 2 forecasts unlike the game twice")
    near(figures(double), figures(twice), 1e-7, "a game of weight 2 is not the game twice")


@law("same bytes")
def same_bytes(trial: Trial) -> None:
    """Whatever the number of threads: the same bytes."""
    games, table = stream(league()), starts(trial.system)
    run = trial.replay(games, start=table)
    with ThreadPoolExecutor(4) as threads:
        for other in threads.map(lambda _: trial.replay(games, start=table), range(8)):
            same_bits(other.forecast, run.forecast, "forecasts differ between threads")
            same_bits(figures(other), figures(run), "ratings differ between threads")


@law("truth", rating)
def truth(trial: Trial) -> None:
    """In an easy world, ratings follow the skills that made the results."""
    rng = np.random.default_rng(1)
    skill = np.linspace(1100.0, 1900.0, 20)
    first, second = np.array([rng.choice(20, 2, replace=False) for _ in range(1500)]).T
    score = rng.random(1500) < 1 / (1 + 10 ** ((skill[second] - skill[first]) / 400))
    shown = rng.normal(skill[[first, second]], 250.0)
    games = pl.DataFrame({
        "first": first, "second": second, "score": score * 1.0, "time": np.arange(1500) * 0.5,
        "performance_first": shown[0], "performance_second": shown[1], "margin": 2.0 * score - 1,
        "season": ["1"] * 1500,
    })  # fmt: skip
    run = trial.replay(stream(games.with_columns(pl.col("first", "second").cast(pl.String))))
    table = run.ratings()
    correlation = float(np.corrcoef(table["rating"], skill[table["player"].cast(pl.Int64)])[0, 1])
    holds(correlation > 0.9, f"ratings correlate with true skill at {correlation:.3f} only")


@law("monotone", rating)
def monotone(trial: Trial) -> None:
    """A better result never lowers the rating it goes into."""
    games = league()
    last = pl.int_range(pl.len()) == len(games) - 1
    player = games["first"][-1]
    ends = []
    for score in (0.0, 0.5, 1.0) if trial.system.by_halves else (0.0, 0.25, 0.5, 0.75, 1.0):
        run = trial.replay(
            stream(games.with_columns(score=pl.when(last).then(score).otherwise(pl.col("score")))),
            start=starts(trial.system),
        )
        ends.append(float(run.ratings().filter(pl.col("player") == player)["rating"][0]))
    holds(ends == sorted(ends), f"the rating falls as the last score rises from 0 to 1: {ends}")
