"""The engine beside a plain C loop and other packages, on one stream of games: one table, in one run.

    python benchmarks/engine.py [--only elo glicko2 lanes one memory start quickstart] [--json]

Needs gcc and `pip install -e '.[bench]'`. Times of kernels are those of the thread, in nanoseconds a game; times of
whole processes are by the wall clock. Where two are compared they ran in turn, and the ratio is the median over rounds.
"""

import os
import platform
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
import rivals
from numpy.typing import NDArray
from processes import memory, quickstart, starting
from race import Contender, race
from scoreboard import Bound, Row, asked, show
from zipf import DAYS, PERIODS, columns

import ratesim as rs
from ratesim.replaying.session import Session, Variant

Floats = NDArray[np.float64]
LANES = 16
SLOW = 20  # rivals in Python play one game of so many
MONTH = DAYS / PERIODS
CONSTANT = rs.Constant(k=rivals.K)
PERIODIC = rs.Every(days=MONTH)
NS = "ns/game"
TWICE_C, HUNDREDFOLD, AHEAD, HALF = Bound(ratio=0.5), Bound(ratio=100), Bound(ratio=1, strict=True), Bound(ratio=2)


class Match(NamedTuple):
    """Two contenders, and what is asked of the first."""

    group: str
    system: str
    mode: str
    ours: str
    rival: str = ""
    bound: Bound = Bound()
    unit: str = NS


def ours(
    system: rs.Elo | rs.Glicko | rs.Glicko2, games: rs.GameStream, calendar: rs.Calendar, lanes: int, room: Floats
) -> Contender:
    """Return our engine, which writes its forecasts to `room`; its state is set up before the clock starts."""
    forecast = room[: len(games) * lanes].reshape(len(games), lanes)

    def set_up() -> Callable[[], object]:
        session = Session([Variant(system, CONSTANT)] * lanes, games, calendar)
        every, end = slice(0, len(games)), session.schedule.base + len(session.schedule.opens)
        return partial(session._run, session.state, every, forecast, end)  # noqa: SLF001  # `advance` makes new room

    return set_up


def tied(games: rs.GameStream) -> rs.GameStream:
    """Return the games with two at one time, which sends all of them through the loop over periods."""
    time = games.time.copy()
    time[1] = time[0]
    return rs.GameStream(games.players, games.first, games.second, games.score, time)


MATCHES = (
    Match("elo", "Elo", "per game, forecasts kept", "elo", "C, gcc -O3", TWICE_C),
    Match("elo", "Elo", "per game, forecasts kept", "elo", "evalica's Rust core, no forecasts", AHEAD),
    Match("elo", "Elo", "per game, forecasts kept", "elo", "riix, no forecasts", HUNDREDFOLD),
    Match("elo", "Elo", "per game, forecasts kept", "elo", "riix, forecasts kept", HUNDREDFOLD),
    Match("elo", "Elo", "per game, all of `rs.replay`", "elo replay", "C, gcc -O3"),
    Match("glicko2", "Glicko-2", "100 periods", "glicko2", "riix per game, no forecasts", HUNDREDFOLD),
    Match("glicko2", "Glicko-2", "100 periods", "glicko2", "glicko2 (PyPI)"),
    Match("lanes", "Elo", "per game, 16 lanes", "elo 16", "one lane", HALF, "ns/game/lane"),
    Match("lanes", "Elo", "100 periods, 16 lanes", "elo periods 16", "one lane in periods", HALF, "ns/game/lane"),
    Match("lanes", "Glicko", "per game, 16 lanes", "glicko 16", "one lane of Glicko", HALF, "ns/game/lane"),
    Match("lanes", "Glicko", "100 periods, 16 lanes", "glicko periods 16", "one lane of Glicko in periods", HALF,
          "ns/game/lane"),
    Match("one", "Elo", "a period of one game", "elo one", bound=Bound(most=200, strict=True)),
    Match("one", "Glicko", "a period of one game", "glicko one", bound=Bound(most=200, strict=True)),
)  # fmt: skip
OURS = {  # name: system, calendar, lanes, whether through the loop over periods
    "elo": (rs.Elo(), rs.PerGame(), 1, False),
    "one lane": (rs.Elo(), rs.PerGame(), 1, False),
    "elo 16": (rs.Elo(), rs.PerGame(), LANES, False),
    "one lane in periods": (rs.Elo(), PERIODIC, 1, False),
    "elo periods 16": (rs.Elo(), PERIODIC, LANES, False),
    "one lane of Glicko": (rs.Glicko(per=MONTH), rs.PerGame(), 1, False),
    "glicko 16": (rs.Glicko(per=MONTH), rs.PerGame(), LANES, False),
    "one lane of Glicko in periods": (rs.Glicko(), PERIODIC, 1, False),
    "glicko periods 16": (rs.Glicko(), PERIODIC, LANES, False),
    "elo one": (rs.Elo(), rs.PerGame(), 1, True),
    "glicko one": (rs.Glicko(per=MONTH), rs.PerGame(), 1, True),
    "glicko2": (rs.Glicko2(), PERIODIC, 1, False),
}


def contenders(games: int, players: int, folder: Path) -> dict[str, tuple[Contender, float]]:
    """Return all who can take part, by name, and the games (times lanes) that each plays."""
    drawn = columns(games, players)
    stream, few = drawn.stream(), drawn.prefix(games // SLOW)
    ties, prefix = tied(stream), few.stream()
    room = np.zeros(games * LANES)  # for forecasts, in memory before any clock starts
    found: dict[str, tuple[Contender, float]] = {
        name: (ours(system, ties if loop else stream, calendar, lanes, room), games * lanes)
        for name, (system, calendar, lanes, loop) in OURS.items()
    }
    found["elo replay"] = (lambda: partial(rs.replay, rs.Elo(), stream, policy=CONSTANT), games)
    loop = rivals.build_c(folder)
    found["C, gcc -O3"] = (lambda: partial(rivals.c_loop, loop, drawn, room), games)
    found["evalica's Rust core, no forecasts"] = (lambda: rivals.evalica_core(drawn), games)
    short = len(prefix)
    found["riix, no forecasts"] = (lambda: rivals.riix_ratings(rivals.riix("elo", few), few), short)
    found["riix, forecasts kept"] = (lambda: rivals.riix_forecasts(rivals.riix("elo", few), few), short)
    found["riix per game, no forecasts"] = (lambda: rivals.riix_ratings(rivals.riix("glicko2", few), few), short)
    found["glicko2 (PyPI)"] = (lambda: rivals.glicko2_pypi(prefix, PERIODIC), short)
    return found


def raced(groups: set[str], games: int, players: int, rounds: int) -> Iterator[Row]:
    """Yield the rows of the race, group after group, in which only those who are compared take turns."""
    matches = [match for match in MATCHES if match.group in groups]
    if not matches:
        return
    with TemporaryDirectory() as folder:
        ready = contenders(games, players, Path(folder))
        for group in dict.fromkeys(match.group for match in matches):
            mine = [match for match in matches if match.group == group]
            names = dict.fromkeys(name for match in mine for name in (match.ours, match.rival) if name)
            found = race({name: ready[name] for name in names}, rounds)
            for m in mine:
                yield Row(m.group, m.system, m.mode, m.unit, found[m.ours], m.rival, found.get(m.rival, ()), m.bound)


def about(games: int, players: int, rounds: int) -> str:
    """Return what the figures depend on, in one paragraph."""
    names = ("ratesim", "numba", "numpy", "riix", "evalica", "glicko2")
    versions = ", ".join(f"{name} {version(name)}" for name in names)
    return (
        f"{games:,} games of {players:,} players, {PERIODS} periods; riix and glicko2 play the first {games // SLOW:,}."
        f" Medians of {rounds} rounds, then least to greatest. {_processor()}, {os.cpu_count()} cores, load"
        f" {os.getloadavg()[0]:.1f} at the end, Python {platform.python_version()}, {versions}."
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.machine()


def main() -> None:
    groups = ("elo", "glicko2", "lanes", "one", "memory", "start", "quickstart")
    parser = asked(__doc__, groups, 7)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--players", type=int, default=20_000)
    given = parser.parse_args()
    wanted, size = set(given.only), (given.games, given.players)
    few = max(1, given.rounds // 3)  # of what takes a minute
    rows = list(raced(wanted, *size, given.rounds))
    rows += memory(*size, few) if "memory" in wanted else ()
    rows += starting(given.rounds) if "start" in wanted else ()
    rows += quickstart(few) if "quickstart" in wanted else ()
    show(rows, about(*size, given.rounds), as_json=given.json)


if __name__ == "__main__":
    sys.exit(main())
