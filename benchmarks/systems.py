"""Every rating system on one stream of games, beside the quickest packages of PyPI that know it: one table, in one run.

    python benchmarks/systems.py [--only elo trueskill bradley-terry] [--json] [--whr FOLDER]

Needs `pip install -e '.[bench,conformance]'`; for the C++ package `whr`, whose module has the name of another's, also
`pip install --no-deps --target FOLDER whr`. Ours are whole calls of `rs.replay`, forecasts kept. Packages in Python
play a 50th of the games by a 50th of the players, and are told by the game. Times are those of the processor; those
who are compared ran in turn, and a ratio is the median over rounds.
"""

import os
import platform
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
import peers
import rivals
from race import Contender, race
from refits import refits
from scoreboard import Bound, Row, asked, show
from zipf import DAYS, PERIODS, Columns, columns

import ratesim as rs

SHARE = 50  # rivals in Python play one game of so many
MONTH = DAYS / PERIODS
ONE_BY_ONE, PERIODIC = rs.PerGame(), rs.Every(days=MONTH)
K = rs.Constant(k=rivals.K)
FIFTY = Bound(ratio=50)
NS = "ns/game"
PACKAGES = (
    "numba", "numpy", "choix", "elommr", "elote", "evalica", "glicko2", "openskill", "riix", "trueskill",
    "whole-history-rating",
)  # fmt: skip
Rival = Callable[[Columns], rivals.Play]


def quickest(name: str, **settings: Any) -> Rival:  # noqa: ANN401  # as the package has them
    """Return a system of riix in its own quickest mode: one call for all games, no forecasts."""
    return lambda few: rivals.riix_ratings(peers.riix_named(name, few.players, **settings), few)


def after_each(kind: Callable[[rs.GameStream], object]) -> Rival:
    """Return a package that is told game after game."""
    return lambda few: partial(kind, few.stream())


def elote(kind: str) -> Rival:
    """Return a system of elote."""
    return after_each(partial(peers.elote_of, kind))


@dataclass(frozen=True)
class Case:
    """One of our systems under a calendar, and who else knows it."""

    spec: Mapping[str, Any]
    calendar: rs.Calendar = ONE_BY_ONE
    python: Mapping[str, Rival] = field(default_factory=dict)  # packages in Python; of several the quickest counts
    policy: rs.Policy | None = None

    @property
    def kind(self) -> str:
        """What `--only` calls it."""
        return str(self.spec["kind"])

    @property
    def mode(self) -> str:
        """Its calendar and settings."""
        of = {ONE_BY_ONE: "per game", PERIODIC: f"{PERIODS} periods"}.get(self.calendar, "monthly lists")
        return ", ".join([of, *(value for key, value in self.spec.items() if key != "kind" and isinstance(value, str))])


GLICKO2 = {"riix": quickest("glicko2:Glicko2"), "elote": elote("Glicko2Competitor")}
GLICKO = {"riix": quickest("glicko:Glicko"), "elote": elote("GlickoCompetitor")}
BOOST = {"elote": elote("GlickoBoostCompetitor")}
DWZ = {"elote": elote("DWZCompetitor")}
PER = {"per": MONTH}
CASES = (
    Case({"kind": "elo"}, ONE_BY_ONE, {"riix": quickest("elo:Elo", k=rivals.K), "elote": elote("EloCompetitor")}, K),
    Case({"kind": "elo"}, PERIODIC, {"riix": quickest("elo:Elo", k=rivals.K)}, K),
    Case({"kind": "elo", "draws": "davidson"}, ONE_BY_ONE, {"riix": quickest("elo_davidson:EloDavidson")}, K),
    Case({"kind": "fide", "start": 1500.0}, rs.Lists()),
    Case({"kind": "glicko", **PER}, ONE_BY_ONE, GLICKO),
    Case({"kind": "glicko"}, PERIODIC, GLICKO),
    Case({"kind": "glicko2", **PER}, ONE_BY_ONE, GLICKO2),
    Case({"kind": "glicko2"}, PERIODIC, GLICKO2 | {"glicko2": after_each(peers.glicko2_package)}),
    Case({"kind": "lichess"}, ONE_BY_ONE, {f"{name}, Glicko-2": rival for name, rival in GLICKO2.items()}),
    Case({"kind": "stephenson", **PER}, ONE_BY_ONE, {f"{name}, Glicko": rival for name, rival in GLICKO.items()}),
    Case({"kind": "stephenson"}, PERIODIC, {f"{name}, Glicko": rival for name, rival in GLICKO.items()}),
    Case({"kind": "glicko-boost", **PER}, ONE_BY_ONE, BOOST),
    Case({"kind": "glicko-boost"}, PERIODIC, BOOST),
    Case({"kind": "uscf"}, ONE_BY_ONE),
    Case({"kind": "uscf"}, PERIODIC),
    Case({"kind": "dwz"}, ONE_BY_ONE, DWZ),
    Case({"kind": "dwz"}, PERIODIC, DWZ),
    Case(
        {"kind": "trueskill"}, ONE_BY_ONE,
        {
            "riix": quickest("trueskill:TrueSkill", draw_probability=0.1),
            "trueskill": after_each(peers.trueskill_package), "elote": elote("TrueSkillCompetitor"),
        },
    ),
    Case(
        {"kind": "weng-lin"}, ONE_BY_ONE,
        {"riix": quickest("weng_lin:WengLin"), "openskill": after_each(peers.openskill_bradley_terry)},
    ),
    Case(
        {"kind": "weng-lin", "model": "thurstone-mosteller"}, ONE_BY_ONE,
        {
            "riix": quickest("weng_lin_thurstone_mosteller:WengLinThurstoneMosteller"),
            "openskill": after_each(peers.openskill_thurstone_mosteller),
        },
    ),
    Case({"kind": "elo-mmr"}, ONE_BY_ONE, {"elommr": after_each(peers.elo_mmr)}),
    Case({"kind": "vskf", **PER}, ONE_BY_ONE, {"riix": quickest("skf:VSKF")}),
    Case({"kind": "velo"}, ONE_BY_ONE, {"riix": quickest("velo:vElo")}),
    Case({"kind": "melo"}, ONE_BY_ONE, {"riix": quickest("melo:Melo")}, K),
    Case({"kind": "win-rate"}),
    Case({"kind": "even"}),
    Case({"kind": "first-rate"}),
    Case({"kind": "published"}),
    Case({"kind": "readings"}),
)  # fmt: skip


def whole(drawn: Columns) -> rs.GameStream:
    """Return the games with columns for the systems that go by more than results."""
    luck = np.random.default_rng(1).normal(1500.0, 200.0, (4, len(drawn.first)))
    names = ("published_first", "published_second", "performance_first", "performance_second")
    return replace(drawn.stream(), **dict(zip(names, luck, strict=True)))


def raced(case: Case, games: rs.GameStream, few: Columns, rounds: int) -> Iterator[Row]:
    """Yield the row of a case, beside the quickest of those in Python, and of whoever is compiled."""
    system = rs.SYSTEMS.build(dict(case.spec))
    replay = partial(rs.replay, system, games, policy=case.policy, calendar=case.calendar)
    ready: dict[str, tuple[Contender, float]] = {"ours": (lambda: replay, len(games))}
    ready |= {name: (partial(rival, few), len(few.first)) for name, rival in case.python.items()}
    found = race(ready, rounds, time.process_time_ns)
    best = min(case.python, key=lambda name: float(np.median(found[name])), default="")
    bound = FIFTY if best else Bound()
    yield Row(case.kind, case.kind, case.mode, NS, found["ours"], best, found.get(best, ()), bound)


def about(games: int, players: int, rounds: int) -> str:
    """Return what the figures depend on, in one paragraph."""
    known = {name: _version(name) for name in PACKAGES}
    versions = ", ".join(f"{name} {found}" for name, found in known.items() if found)
    return (
        f"{games:,} games of {players:,} players, {PERIODS} periods; packages in Python play {games // SHARE:,} of"
        f" {players // SHARE:,} and are told by the game. Medians of {rounds} rounds, then least to greatest."
        f" {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end, Python {platform.python_version()},"
        f" {versions}."
    )


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def main() -> None:
    kinds = list(dict.fromkeys([*(case.kind for case in CASES), "bradley-terry", "whr"]))
    parser = asked(__doc__, kinds, 3)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--players", type=int, default=20_000)
    parser.add_argument("--whr", type=Path, help="where the C++ package `whr` is")
    given = parser.parse_args()
    drawn, few = columns(given.games, given.players), columns(given.games // SHARE, given.players // SHARE)
    games, rows = whole(drawn), list[Row]()
    for case in CASES:
        if case.kind in given.only:
            rows += raced(case, games, few, given.rounds)
            print(f"{case.kind}, {case.mode}: {rows[-1].ratio or 0:.0f} x", file=sys.stderr)
    rows += refits(set(given.only), drawn, few, given.rounds, given.whr)
    show(rows, about(given.games, given.players, given.rounds), as_json=given.json)


if __name__ == "__main__":
    main()
