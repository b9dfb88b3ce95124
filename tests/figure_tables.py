"""A table of each figure that is drawn, and some with what is hard to fit on a sheet."""

from functools import cache, partial
from itertools import product

import numpy as np
import polars as pl
from policy_tables import DAY, N, gains, movers, ratings

import ratesim as rs
from ratesim.analysis import (
    Drifting,
    FigureTable,
    bands,
    calibration,
    careers,
    cold_start,
    curves,
    difference,
    excess,
    frontier,
    history,
    inflation,
    initial,
    monthly,
    moved,
    movement,
    overview,
    partings,
    response,
    scale_map,
    truth_figures,
    truth_tables,
)
from ratesim.analysis.reasons import parting, ranks, scales
from ratesim.comparing import Asked
from ratesim.inference import Paired
from ratesim.replaying.snapshots import Snapshot
from ratesim.stream import GameStream

LONG = "glicko2 tau=0.5 volatility=0.06 rating=1500 deviation=350 per=30.436875, calendar months, football"


def walks(players: int, *, banded: bool, days: float = 20_000, name: str = "player") -> pl.DataFrame:
    """Ratings of some players at 50 times."""
    random = np.random.default_rng(players)
    time = np.tile(np.linspace(0, days, 50), players)
    frame = pl.DataFrame(
        {
            "time": time,
            "player": np.repeat([f"{name} {k}" for k in range(players)], 50),
            "rating": 1500 + random.normal(0, 15, (players, 50)).cumsum(axis=1).ravel(),
            "games": time,
        }
    )
    return frame.with_columns(deviation=350 / (1 + pl.col("time") / 500).sqrt()) if banded else frame


def pool() -> GameStream:
    return GameStream.of(
        first=[f"player {k}" for k in range(40)] * 50,
        second=[f"player {(k + 1) % 40}" for k in range(40)] * 50,
        score=[0.5] * 2000,
        time=range(2000),
        skill_first=list(range(40)) * 50,
        skill_second=[*range(1, 40), 0] * 50,
    )


def with_edges() -> GameStream:
    random = np.random.default_rng(4)
    first, step = random.integers(0, 5000, 20_000), random.integers(1, 50, 20_000)
    score = random.choice([0, 0.5, 1], 20_000, p=[0.48, 0.02, 0.5])
    time, edge = np.linspace(0, 50_000, 20_000), random.choice([-1, 0, 1], 20_000)
    return GameStream.of(first=first, second=(first + step) % 5000, score=score, time=time, edge=edge)


def simulated(make) -> FigureTable:
    return make({"elo": walks(40, banded=False), LONG: walks(40, banded=True)}, pool())


@cache
def beside_truth(*labels: str, replicates: int = 4) -> dict[str, FigureTable]:
    """Figures of runs whose ratings come near to skills, one of which jumps, and of players who come and go."""
    random = np.random.default_rng(6)
    skill = random.normal(1500, 200, (replicates, 30))
    runs = {}
    for label in labels:
        rows = []
        for t in range(12):
            now = np.where(np.arange(30) < t, skill, np.nan) if t < 3 else skill + 300.0 * (np.arange(30) < 2 * (t > 6))
            games, rating = np.full(skill.shape, 30.0 * t), 1500 + (1 - 0.7**t) * (skill - 1500)
            rating += random.normal(0, 30, skill.shape) * (t > 0)
            rows.append(Snapshot(60.0 * t, np.arange(replicates), rating, np.full(skill.shape, 60.0), games, now))
        runs[label] = truth_tables(rows)
    theory = {labels[0]: pl.DataFrame({"games": [1.0, 100, 1000], "rmse": [200.0, 100, 50]})}
    return {each.name: each for each in truth_figures(runs, theory=theory)}


def apart(*labels: str) -> FigureTable:
    random = np.random.default_rng(2)
    names = [f"player {k}" for k in range(200)]
    runs = {each: pl.DataFrame({"player": names, "rating": random.normal(1500, 200, 200)}) for each in labels}
    return bands(runs)


def calibrated(*names: str, games: int = 5000) -> FigureTable:
    random = np.random.default_rng(1)
    return calibration({name: random.random(games) for name in names}, random.integers(0, 2, games))


def cold(*names, games=2000):
    random = np.random.default_rng(1)
    losses = {name: random.gamma(2, 0.3, games) for name in names}
    return cold_start(losses, random.integers(0, 300, games), np.arange(games) // 50, asked=Asked(1, draws=200))


def beyond(*names):
    """What each loses over the oracle in three worlds, in one of them less than by luck."""
    worlds = ("still", "walking", "a world with a name that is long")
    found = {}
    for (w, world), (k, name) in product(enumerate(worlds), enumerate(names)):
        value = 0.01 * (w - 0.2) * (k + 1)
        found[world, name] = Paired(value, 0.002, value - 0.004, value + 0.004, 1000, 0, 12, 0.95)
    return excess(found, "log loss")


def parted(*names, days):
    """What two K make of three players who met often."""
    random = np.random.default_rng(3)
    first, step = random.integers(0, 6, 300), random.integers(1, 6, 300)
    games = GameStream.of(
        first=[f"player {k}" for k in first], second=[f"player {k}" for k in (first + step) % 6],
        score=random.choice([0, 0.5, 1], 300), time=np.arange(300.0) + (0 if days else 15_000),
    )  # fmt: skip
    one, other = (rs.replay(rs.Elo(), games, policy=rs.Constant(k)) for k in (10, 40))
    scale = scale_map(one.ratings(), other.ratings(), min_games=1)
    rows = {player: partings(one, other, player, scale=scale) for player in names}
    return parting(rows, ("elo, constant k=10", LONG), scale, days=days)


def two(make, players=200):
    """Ratings of the same players by two runs."""
    random = np.random.default_rng(4)
    skill = random.normal(1500, 200, players)
    names = [f"Saint Pierre and Miquelon {k}" for k in range(players)]
    runs = {
        label: pl.DataFrame({"player": names, "rating": skill * by + random.normal(0, 60, players), "games": 100.0})
        for label, by in (("elo", 1), (LONG, 0.6))
    }
    return make(runs)


def moving():
    """Twelve players with a game a day, but none in a fortnight."""
    days = [day for day in range(60) if not 20 <= day < 34]
    rows = [(float(d), f"p{p}", 1500.0 + d * p, 1.0 + k) for p in range(12) for k, d in enumerate(days)]
    readings = pl.DataFrame(rows, schema=["time", "player", "rating", "games"], orient="row")
    return movement({"elo": readings, LONG: readings}, pause=14)


def tuned(*scales: str, idle: bool = False) -> FigureTable:
    """Losses that are least at 20 % of each range, of a grid, or of settings anywhere where there are three ranges."""
    random = np.random.default_rng(2)
    places = random.random((120, 3)) if len(scales) > 2 else [(x / 9, y / 9) for x in range(10) for y in range(10)]
    shares = np.unique([row[: len(scales)] for row in places], axis=0)
    values = 10 * 8**shares if scales[0] == "log" else 10 + 70 * shares
    names = [f"{scale}.k{n}" for n, scale in enumerate(scales)]
    difference = ((shares - 0.2) ** 2).sum(axis=1) * (not idle)
    frame = pl.DataFrame(dict(zip(names, values.T, strict=True))).with_columns(
        loss=0.5 + difference, difference=difference, low=difference * 0.8 - 0.01, high=difference * 1.2 + 0.01,
        alike=difference < 0.0125, seen=1.0,
    )  # fmt: skip
    said = {"low": 10, "high": 80, "best": 24.0, "usual": 20, "interval": (18.0, 30.0), "alike": (15.0, 32.0)}
    said["idle"] = idle
    return response(frame, [{**said, "name": name, "scale": name[: name.find(".")]} for name in names])


TABLES = {
    "response": lambda: tuned("linear"),
    "response, log": lambda: tuned("log"),
    "response, three": lambda: tuned("linear", "linear", "linear"),
    "response, idle": lambda: tuned("linear", idle=True),
    "surface, idle": lambda: tuned("linear", "log", idle=True),
    "surface": lambda: tuned("log", "log"),
    "surface, linear": lambda: tuned("linear", "linear"),
    "history": lambda: history({"elo": walks(5, banded=False), "glicko": walks(5, banded=True)}),
    "history, one": lambda: history({"glicko": walks(1, banded=True)}, days=True),
    "history, one system": lambda: history({"glicko": walks(12, banded=True, name="a player with a long name")}),
    "history, short": lambda: history({"glicko": walks(3, banded=True, days=2.0)}),
    "history, many": lambda: history({f"{k} {LONG}": walks(6, banded=True) for k in range(8)}, days=True),
    "history, long": lambda: history({f"{k} {LONG}": walks(7, banded=False, days=55_000) for k in range(7)}),
    "difference": lambda: difference({"elo": walks(5, banded=False), LONG: walks(5, banded=True)}),
    "difference, one": lambda: difference({"elo": walks(1, banded=False), "glicko": walks(1, banded=True)}),
    "calibration": lambda: calibrated("elo"),
    "cold_start": lambda: cold("elo", "glicko per=30d, a long name of a system"),
    "excess": lambda: beyond("elo", "glicko per=30d, a long name of a system"),
    "parting": lambda: parted("player 1", "player 2", "player 3", days=False),
    "parting, one": lambda: parted("player 1", days=True),
    "scales": lambda: two(scales),
    "ranks": lambda: two(ranks),
    "calibration, few": lambda: calibrated("elo", "glicko", games=3),
    "calibration, many": lambda: calibrated(*(f"{k} {LONG}" for k in range(6))),
    "convergence": lambda: beside_truth("elo", LONG)["convergence"],
    **{
        f"{name}, {count}": partial(lambda name, labels: beside_truth(*labels)[name], name, labels)
        for name in ("errors", "settling", "lag", "jumps", "movers", "spread", "percentiles", "coverage", "ledger")
        for count, labels in (("one", ("elo",)), ("three", ("elo", "glicko", LONG)))
    },
    "careers": lambda: careers({"elo": gains(N), LONG: gains(20 - DAY), "538": gains(9)}, ["p3", "p5"], days=True),
    "careers, one": lambda: careers({"elo": gains(7 + N)}, ["p3"]),
    "moved": lambda: moved(
        {
            each: ratings([1500.0 + n * by for n in range(30)]).with_columns(
                player=pl.format("Saint Pierre and Miquelon {}", "player")
            )
            for each, by in (("elo", 20), (LONG, 23))
        }
    ),
    "moved, few": lambda: moved({"elo": ratings([1500.0] * 2), "glicko": ratings([1500.0, 1510.0])}),
    "inflation": lambda: inflation({"elo": walks(20, banded=False), LONG: walks(20, banded=True)}),
    "frontier": lambda: frontier({"elo": movers(30, 50), LONG: movers(50, 90)}, theory=Drifting("walk", 6.0)),
    "frontier, one": lambda: frontier({"a": movers(30, 50, replicates=1), "b": movers(40, 45, replicates=1)}),
    "monthly": lambda: simulated(monthly),
    "initial": lambda: simulated(initial),
    "bands": lambda: apart("elo", "glicko", LONG),
    "bands, one": lambda: apart("elo", LONG),
    "movement": moving,
    "curves": curves,
    "overview": lambda: overview(pool()),
    "overview, one game": lambda: overview(GameStream.of(first=["A"], second=["B"], score=[1], time=[0]), days=True),
    "overview, edges": lambda: overview(with_edges()),
}
TABLES = {name: cache(made) for name, made in TABLES.items()}
