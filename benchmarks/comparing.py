"""What is made of runs: systems held against each other on the same games, and the report of a run.

    python benchmarks/comparing.py [--only compare players report] [--rounds N] [--json]

Eight systems forecast a million games; `rs.compare` makes ranks, paired differences, tests and what the games can tell,
with 1,000 draws of months. The rival makes the intervals of the 28 differences alone, by `scipy.stats.bootstrap` over
sums of the same months. With players, errors are those by players too. The report is that of 50,000 simulated games by
four systems, with histories of a thousand players.
"""

import itertools
import os
import platform
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import scipy
import zipf
from numpy.typing import NDArray
from race import race
from scipy import stats
from scoreboard import Bound, Row, asked, show

import ratesim as rs

GAMES, PLAYERS, SYSTEMS, DRAWS = 1_000_000, 20_000, 8, 1000
Losses = Mapping[str, NDArray[np.float64]]
EXPERIMENT = """
world = { players = 3000, rounds = 500, per_round = 100, days = 2000 }
system = [{ kind = "even" }, { kind = "elo" }, { kind = "glicko" }, { kind = "glicko2" }]
policy = { kind = "constant", k = 20, systems = "elo" }
calendar.kind = "months"
score.strata = ["games", "year"]
"""


def losses_of(games: rs.GameStream) -> Losses:
    """Return log losses of eight systems that know the truth more or less."""
    luck = np.random.default_rng(1)
    edge = luck.normal(size=len(games))
    score = (luck.random(len(games)) < 1 / (1 + np.exp(-edge))).astype(np.float64)
    doubts = np.linspace(0.1, 0.8, SYSTEMS)
    noise = luck.normal(size=len(games))
    return {f"{doubt:g}": rs.log_loss(1 / (1 + np.exp(-edge - doubt * noise)), score) for doubt in doubts}


def ours(losses: Losses, games: rs.GameStream, *, players: bool) -> None:
    who = {"first": games.first, "second": games.second} if players else {}
    rs.compare(losses, rs.month_blocks(games.time), seed=1, draws=DRAWS, **who)


def theirs(losses: Losses, games: rs.GameStream) -> None:
    """Make the intervals of all differences by scipy's bootstrap of months."""
    months = rs.month_blocks(games.time)
    months -= months.min()
    counts = np.bincount(months)
    for a, b in itertools.combinations(losses.values(), 2):
        sums = np.bincount(months, a - b)
        stats.bootstrap(
            (sums, counts), ratio, paired=True, n_resamples=DRAWS, method="percentile", rng=np.random.default_rng(1)
        )


def ratio(sums: NDArray[np.float64], counts: NDArray[np.float64], axis: int = -1) -> NDArray[np.float64]:
    return sums.sum(axis=axis) / counts.sum(axis=axis)


def compared(groups: set[str], rounds: int) -> Iterator[Row]:
    """Yield the rows of comparisons, in seconds."""
    games = zipf.columns(GAMES, PLAYERS).stream()
    losses = losses_of(games)
    mode = f"{SYSTEMS} systems, {GAMES:,} games, {DRAWS:,} draws"
    bound = Bound(most=10.0)
    contenders = {
        "compare": (lambda: partial(ours, losses, games, players=False), 1e9),
        "scipy": (lambda: partial(theirs, losses, games), 1e9),
        "players": (lambda: partial(ours, losses, games, players=True), 1e9),
    }
    wanted = {name: each for name, each in contenders.items() if (name if name != "scipy" else "compare") in groups}
    found = race(wanted, rounds, time.perf_counter_ns)
    if "compare" in groups:
        rival = "scipy, 28 intervals alone"
        yield Row("compare", "compare", mode, "s", found["compare"], rival, found["scipy"], bound)
    if "players" in groups:
        yield Row("players", "compare", f"{mode}, by players too", "s", found["players"], bound=bound)


def reported(rounds: int) -> Iterator[Row]:
    """Yield the rows of a report: seconds, and megabytes of the page."""
    with tempfile.TemporaryDirectory() as place:
        file, out = Path(place) / "four.toml", Path(place) / "out"
        file.write_text(EXPERIMENT, encoding="utf-8")
        rs.run(file, out)
        found = race({"report": (lambda: partial(rs.write_report, out), 1e9)}, rounds, time.perf_counter_ns)
        size = (out / "report.html").stat().st_size / 1e6
    mode = "four systems, 50,000 games, 3,000 players"
    yield Row("report", "report", mode, "s", found["report"], bound=Bound(most=5.0))
    yield Row("report", "report", mode, "MB", [size], bound=Bound(most=3.0))


def about(rounds: int) -> str:
    """Return what the figures depend on, in one paragraph."""
    return (
        f"Medians of {rounds} rounds, then least to greatest, by the clock on the wall. {os.cpu_count()} cores, load "
        f"{os.getloadavg()[0]:.1f} at the end, Python {platform.python_version()}, ratesim {rs.__version__}, numpy "
        f"{np.__version__}, scipy {scipy.__version__}."
    )


def main(arguments: Sequence[str] | None = None) -> None:
    given = asked(__doc__, ("compare", "players", "report"), 3).parse_args(arguments)
    groups = set(given.only)
    rows = list(compared(groups, given.rounds)) if groups & {"compare", "players"} else []
    rows += reported(given.rounds) if "report" in groups else []
    show(rows, about(given.rounds), as_json=given.json)


if __name__ == "__main__":
    main()
