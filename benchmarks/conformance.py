"""Our numbers beside those of other packages over the same games: makes docs/conformance.md.

    pip install -e '.[conformance]' && python benchmarks/conformance.py

Where two disagree the page says whose it is and why, and, where it can be shown, that they agree once that is put
right. A row that agrees where a reason is given, or differs where none is, stops it: the page cannot go stale unseen.
"""

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
import peers
from peers import Numbers

import ratesim as rs

PAGE = Path(__file__).resolve().parents[1] / "docs" / "conformance.md"
PACKAGES = ("glicko2", "openskill", "trueskill", "riix", "elote", "evalica", "whole-history-rating")
PLAYERS, GAMES = 12, 400
WEEKS = rs.Every(days=7, origin="1970-01-01")
DAYS = rs.Every(days=1, origin="1970-01-01")
K = rs.Constant(20)


@dataclass(frozen=True)
class Why:
    """What makes two disagree."""

    whose: str  # theirs, ours, or a choice
    said: str
    mended: Callable[[rs.GameStream], Numbers] | None = None  # theirs with it put right
    within: float = 1e-9  # of which they then agree


@dataclass(frozen=True)
class Check:
    """One of our systems beside one of a package."""

    system: Mapping[str, Any]
    calendar: rs.Calendar
    package: str
    theirs: Callable[[rs.GameStream], Numbers]
    within: float = 1e-9  # by which numbers that agree may differ
    why: Why | None = None
    policy: rs.Policy | None = None
    drawn: bool = True  # whether some games are

    @property
    def name(self) -> str:
        """What the page calls it."""
        settings = " ".join(f"{key}={value}" for key, value in self.system.items() if key != "kind")
        return f"`{self.system['kind']}`" + (f" {settings}" if settings else "")


@dataclass(frozen=True)
class Found:
    """What a check found: largest differences over players, and the numbers of the one farthest off."""

    check: Check
    off: Mapping[str, float]
    ours: float
    theirs: float
    player: str
    mended: Mapping[str, float] = field(default_factory=dict)

    @property
    def agrees(self) -> bool:
        """Whether no number is off by more than it may."""
        return max(self.off.values()) <= self.check.within


GLICKO2_EPS = 2e-6  # the paper ends step 5 within 1e-6 of ln sigma squared; ours goes on to the last digit
PER_GAME = rs.PerGame()
TRUESKILL = {"kind": "trueskill"}
CHECKS = (
    Check({"kind": "elo"}, PER_GAME, "riix", peers.riix_elo, policy=K),
    Check({"kind": "elo"}, PER_GAME, "elote", peers.elote_elo, policy=K),
    Check({"kind": "elo"}, PER_GAME, "evalica", peers.evalica_elo, policy=K),
    Check({"kind": "elo"}, WEEKS, "riix", peers.riix_elo_in_periods, policy=K),
    Check({"kind": "glicko", "c": 63.2}, WEEKS, "riix", peers.riix_glicko),
    Check(
        {"kind": "glicko", "c": 34.6, "per": "1d"}, PER_GAME, "elote", peers.elote_glicko,
        why=Why("theirs", "elote's q is 0.0057565, rounded as the paper prints it; ours is ln 10 / 400 to all digits.",
                peers.elote_glicko_of_all_digits),
    ),
    Check({"kind": "glicko2"}, WEEKS, "riix", peers.riix_glicko2, within=GLICKO2_EPS),
    Check(
        {"kind": "glicko2"}, WEEKS, "glicko2", peers.glicko2_package, within=GLICKO2_EPS,
        why=Why("theirs", "In step 5, where the function of the volatility has the square of the deviation, the "
                "package has "
                "the square of the rating. So it matters where 1500 lies. Our system `glicko2-pypi` keeps the fault.",
                peers.glicko2_package_with_deviations, GLICKO2_EPS),
    ),
    Check(
        {"kind": "glicko2"}, DAYS, "elote", peers.elote_glicko2,
        why=Why("theirs", "elote lets every game be a period, whose step 6 adds sigma squared, and then counts the "
                "same day "
                "again as time without a game: deviations grow twice over the day of a game.",
                peers.elote_glicko2_from_the_next_day, 1e-4),
    ),
    Check(TRUESKILL, PER_GAME, "trueskill", peers.trueskill_package, within=2e-6),
    Check(
        TRUESKILL, PER_GAME, "elote", peers.elote_trueskill,
        why=Why("theirs", "elote has beta, tau and sigma as 4.166, 0.083 and 8.333, where 25/6, 25/300 and 25/3 "
                "are meant.",
                peers.elote_trueskill_of_all_digits, 2e-6),
    ),
    Check({**TRUESKILL, "p_draw": 0.0, "tau": 0.0}, PER_GAME, "riix", peers.riix_trueskill, drawn=False),
    Check(
        {**TRUESKILL, "p_draw": 0.0}, PER_GAME, "riix", peers.riix_trueskill_with_tau, drawn=False,
        why=Why("a choice", "riix adds tau squared for every step of time to all who have played, as the growth of "
                "Glicko; "
                "the paper and ours add it with each game of a player. With tau = 0 the two are the "
                "same, one row above."),
    ),
    Check(
        {**TRUESKILL, "tau": 0.0}, PER_GAME, "riix", peers.riix_trueskill_with_draws,
        why=Why("theirs", "After a draw riix moves ratings by half of what the draw says, since it multiplies by "
                "the score, and "
                "with the sign turned about, so that they move apart; where the weaker is first, deviations grow.",
                peers.riix_trueskill_with_whole_draws, 1e-6),
    ),
    Check({"kind": "weng-lin"}, PER_GAME, "openskill", peers.openskill_bradley_terry),
    Check(
        {"kind": "weng-lin", "model": "thurstone-mosteller"}, PER_GAME, "openskill",
        peers.openskill_thurstone_mosteller,
    ),
    Check({"kind": "weng-lin", "tau": 0.0}, PER_GAME, "riix", peers.riix_weng_lin),
    Check({"kind": "velo"}, PER_GAME, "riix", peers.riix_velo),
    Check({"kind": "bradley-terry", "virtual_draws": 0.0}, rs.Whole(), "evalica", peers.evalica_bradley_terry),
    Check(
        {"kind": "whr", "rating": 0.0, "virtual_draws": 1.0}, rs.Whole(), "whole-history-rating", peers.whole_history,
        within=1e-5, drawn=False,
    ),
)  # fmt: skip


def games(*, drawn: bool) -> rs.GameStream:
    """Return 400 games of twelve players, one a day, by Elo's curve; a draw has a third of its share between equals."""
    rng = np.random.default_rng(8)
    skill = rng.normal(0.0, 200.0, PLAYERS)
    first = rng.integers(PLAYERS, size=GAMES)
    second = (first + rng.integers(1, PLAYERS, size=GAMES)) % PLAYERS
    expected = 1.0 / (1.0 + 10.0 ** (-(skill[first] - skill[second]) / 400.0))
    draw = 0.6 * expected * (1.0 - expected) if drawn else 0.0
    luck = rng.random(GAMES)
    score = np.where(luck < expected - draw / 2, 1.0, np.where(luck < expected + draw / 2, 0.5, 0.0))
    names = [f"P{n:02}" for n in range(PLAYERS)]
    return rs.GameStream.of(
        first=[names[n] for n in first], second=[names[n] for n in second], score=score,
        time=np.arange(GAMES, dtype=float),
    )  # fmt: skip


def found(check: Check) -> Found:
    """Play both, and hold one against the other.

    Raises
    ------
    ImportError : the package is not there.
    """
    stream = games(drawn=check.drawn)
    theirs = check.theirs(stream)
    system = rs.SYSTEMS.build(dict(check.system))
    table = rs.replay(system, stream, policy=check.policy, calendar=check.calendar).ratings()
    ours = {name: table[name].to_numpy() for name in theirs}
    worst = int(np.abs(ours["rating"] - theirs["rating"]).argmax())
    mended = check.why.mended(stream) if check.why and check.why.mended else {}
    return Found(
        check, _off(ours, theirs), float(ours["rating"][worst]), float(theirs["rating"][worst]), table["player"][worst],
        _off(ours, mended),
    )  # fmt: skip


def _off(ours: Numbers, theirs: Numbers) -> dict[str, float]:
    return {name: float(np.abs(ours[name] - numbers).max()) for name, numbers in theirs.items()}


def wrong(each: Found) -> str | None:
    """Return what the page would say that is not so."""
    why, about = each.check.why, f"{each.check.name} beside {each.check.package}"
    if why is None:
        return None if each.agrees else f"{about} differs, and nobody says why: {dict(each.off)}"
    if each.agrees:
        return f"{about} agrees, where a reason is given why it does not"
    if each.mended and max(each.mended.values()) > why.within:
        return f"{about} still differs with that put right: {dict(each.mended)}"
    return None


def page(results: Sequence[Found], absent: Mapping[str, str]) -> str:
    """Return the page."""
    told = [each for each in results if each.check.why]
    number = {id(each): n for n, each in enumerate(told, 1)}
    rows = [_row(each, number.get(id(each))) for each in results]
    rows += [
        f"| {each.name} | {each.package} | {_games(each)} | | | | not there |"
        for each in CHECKS
        if each.package in absent
    ]
    return "\n".join([*_head(absent), *rows, "", *_reasons(told, number), *TAIL]) + "\n"


def _head(absent: Mapping[str, str]) -> Iterator[str]:
    there = [f"{name} {version(name)}" for name in PACKAGES if name not in absent]
    yield "# Conformance"
    yield ""
    yield (
        f"Our numbers beside those of other packages, after the same {GAMES} games of twelve "
        f"players, one a day. Of each number "
        "the table has the largest difference over all players; one that is due to rounding or "
        "to where an iteration ends "
        "counts as none. Settings are the same on both sides. Where two disagree, the reason "
        "stands below, and, wherever it "
        "can be put right in the package from without, how much is then left."
    )
    yield ""
    lacking = "".join(f" {name} is not there: {why}." for name, why in absent.items())
    yield f"Packages: {', '.join(there)}.{lacking}"
    how = "`python benchmarks/conformance.py`, which `pip install -e '.[conformance]'` readies"
    yield f"Made by {how}. It stops where a"
    yield "reason given here is not the reason."
    yield ""
    yield "| ours | theirs | games | rating | deviation | volatility | |"
    yield "|---|---|---|---|---|---|---|"


def _games(check: Check) -> str:
    calendar = {WEEKS: "by weeks", DAYS: "by days", PER_GAME: "one by one"}.get(check.calendar, "all at once")
    return calendar + ("" if check.drawn else ", none drawn")


def _row(each: Found, number: int | None) -> str:
    check = each.check
    cells = [_number(each.off.get(name)) for name in ("rating", "deviation", "volatility")]
    verdict = "agree" if check.why is None else f"{check.why.whose} ({number})"
    return f"| {check.name} | {check.package} | {_games(check)} | {' | '.join(cells)} | {verdict} |"


def _number(value: float | None) -> str:
    """Return a difference; far below what anyone prints, it is that of rounding, which differs by machine."""
    return "" if value is None else "< 1e-9" if value < 1e-9 else f"{value:.2g}"


def _reasons(told: Sequence[Found], number: Mapping[int, int]) -> Iterator[str]:
    if told:
        yield "## Where two disagree"
        yield ""
    for each in told:
        why = each.check.why
        assert why is not None
        yield f"{number[id(each)]}. **{each.check.name} beside {each.check.package}, {why.whose}.** {why.said}"
        yield f"   Farthest off is {each.player}: {each.ours:.6f} with us, {each.theirs:.6f} with them."
        if each.mended:
            left = ", ".join(f"{name} {_number(value)}" for name, value in each.mended.items())
            yield f"   With that put right, what is left is: {left}."
        yield ""


TAIL = (
    "## What has no peer here",
    "",
    "FIDE's rules are held to worked cases, tables and published lists, Lichess to its own test cases, all others to",
    "their papers: see `tests/oracles`. riix's mElo begins at random places; its gradient systems have no peer here;",
    "elote's DWZ, ECF and Glicko-Boost, and its estimates by whole histories, are not held against ours. Games beside",
    "`whole-history-rating` are without draws: it fits Davidson's model to them, ours has half a win and half a loss.",
)


def main() -> None:
    """Make the page, or say what would be wrong on it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=PAGE)
    output = parser.parse_args().output
    results, absent = [], {}
    for name in PACKAGES:
        try:
            version(name)
        except PackageNotFoundError:
            absent[name] = "no such package is installed"
    for check in CHECKS:
        if check.package in absent:
            continue
        try:
            each = found(check)
        except ImportError as error:
            absent[check.package] = " ".join(str(error).split())
            continue
        print(f"{check.name} beside {check.package}: {dict(each.off)} {dict(each.mended)}")
        results.append(each)
    results = [each for each in results if each.check.package not in absent]
    if mistakes := [line for each in results if (line := wrong(each))]:
        raise SystemExit("\n".join(mistakes))
    output.write_text(page(results, absent), encoding="utf-8")
    print(f"{output} is written")


if __name__ == "__main__":
    main()
