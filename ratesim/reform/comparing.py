"""Two K policies over the same games."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..analysis import over_replicates
from ..analysis.policies import (
    ORDER,
    Losses,
    all_losses,
    balance,
    by_year,
    crossings,
    gains,
    losses_by_group,
    losses_by_year,
    players_moved,
)
from ..calendars import Calendar
from ..errors import InputError
from ..inference import month_blocks
from ..metrics import log_loss
from ..policies import Policy
from ..replay import replay_many
from ..replaying.moves import Moves, Sides, moves, sides
from ..replaying.run import Run
from ..spec import brief
from ..stream import GameStream
from ..systems.base import SYSTEMS, Rater, System

BASE, NEW, LESS = "base", "new", "new - base"
FEW = 3  # parameters
COUNTS = ("players", "up", "down")  # what cannot be less than 0
EPOCH = 1969  # the year before a simulated world begins


class Terms(NamedTuple):
    """What is compared, and how it is told."""

    base: Policy
    new: Policy
    system: Rater
    calendar: Calendar | None = None
    levels: tuple[float, ...] = (2300.0, 2400.0)  # rating points, rising
    far: float = 50.0  # rating points: who is moved by more is counted
    seed: int = 1  # of the bootstrap
    level: float = 0.95  # of intervals


class Found(NamedTuple):
    """What a comparison found.

    Attributes
    ----------
    runs : the runs of base and of new.
    losses : log loss of all games: n, base, new, difference (new - base), low, high.
    moved : how many players have another rating in the end by more than `far`: rated, moved, raised, lowered, with
        intervals over replicates.
    tables : by name; measures x have x_low and x_high, null of one stream of games. `policy` is base, new, or
        new - base.
    """

    terms: Terms
    runs: tuple[Run, Run]
    losses: dict[str, float | None]
    moved: dict[str, Any]
    tables: dict[str, pl.DataFrame]
    floor: float | None


def compare(terms: Terms, stream: GameStream, start: pl.DataFrame | None = None) -> Found:
    """Play a stream under both policies, side by side where their kernels are the same, and return what differs.

    Parameters
    ----------
    terms : policies, system, calendar. stream : real games, or those of a world's replicates, over which intervals are
        then Student's; of real games only losses have intervals, by a bootstrap of months.
    start : what is known of players beforehand.

    Raises
    ------
    InputError : one policy twice, a system without K, levels that do not rise, or what `replay` raises.
    """
    check(terms)
    pairs = [(terms.system, policy) for policy in (terms.base, terms.new)]
    one, two = replay_many(pairs, stream, calendar=terms.calendar, start=start)
    base, new = moves(one), moves(two)
    stood = sides(one, base)
    floor, held = (terms.system.lowest, terms.system.held) if isinstance(terms.system, System) else (None, False)
    frames = {BASE: _told(base, one, base), NEW: _told(new, two, base)}
    losses = _losses(terms, one, two)
    moved = _moved(one, two)

    def apart(table: Callable[[pl.DataFrame], pl.DataFrame], *keys: str) -> pl.DataFrame:
        return _apart(frames, table, keys, terms.level)

    tables = {
        "years": apart(by_year, "year"),
        "forecasts": losses_by_year(losses),
        "groups": apart(gains, "by", "from").sort("policy", pl.col("by").replace_strict(ORDER), "from"),
        "group_forecasts": losses_by_group(losses, _sides(stood, one, losses.year)),
        "crossings": apart(partial(crossings, levels=terms.levels, floor=floor), "year", "level"),
        "balance": apart(partial(balance, floor=floor if held else None), "year"),
        "players": moved,
    }
    return Found(terms, (one, two), all_losses(losses), _far(moved, stream, terms), tables, floor)


def check(terms: Terms) -> None:
    """Refuse terms that compare nothing.

    Raises
    ------
    InputError : what is wrong.
    """
    if not terms.system.takes_policy:
        with_k = ", ".join(kind for kind, cls in SYSTEMS.kinds().items() if cls.takes_policy)
        raise InputError(
            f"system '{terms.system.kind}' learns without K", where="--system", expected=f"one of {with_k}"
        )
    if terms.base == terms.new:
        raise InputError(f"BASE and NEW are both {called(terms.base)}", expected="two policies")
    if list(terms.levels) != sorted(set(terms.levels)):
        said = ", ".join(f"{each:g}" for each in terms.levels)
        raise InputError(f"thresholds {said} do not rise", where="--thresholds", expected="each above the one before")


def _told(made: Moves, run: Run, base: Moves) -> pl.DataFrame:
    """Return moves with replicate, year, and what groups go by: rating by the base policy, age."""
    session = run.session
    assert session is not None  # noqa: S101  # `moves` has looked
    row, day = made.frame["row"].to_numpy(), made.frame["day"].to_numpy()
    year = _years(day, run.stream)
    calendar_year = _years(day, None)
    by_base = base.frame.select("row", "step", rating="before")
    return (
        made.frame.with_columns(
            replicate=pl.Series(_replicates(run.stream)[session.rows.player[row]]),
            year=pl.Series(year),
            age=pl.Series(calendar_year - session.born[row]),
        )
        .join(by_base, on=["row", "step"], how="left", maintain_order="left")
        .with_columns(rating=pl.coalesce("rating", "before"))
    )


def _years(day: NDArray[np.float64], stream: GameStream | None) -> NDArray[np.int32]:
    """Return the calendar year of days; of a simulated stream the number of its year, from 1."""
    year = np.floor(day).astype("datetime64[D]").astype("datetime64[Y]").astype(np.int32) + 1970
    return year - EPOCH if stream is not None and stream.replicate is not None else year


def _replicates(stream: GameStream) -> NDArray[np.int32]:
    """Return the replicate of each player, 0 of real ones."""
    if "replicate" in stream.players.columns:
        return stream.players["replicate"].to_numpy().astype(np.int32)
    return np.zeros(stream.n_players, np.int32)


def _losses(terms: Terms, one: Run, two: Run) -> Losses:
    stream = one.stream
    base, new = (log_loss(run.forecast, stream.score) for run in (one, two))
    year, replicate = _years(stream.time, stream), stream.replicate
    blocks = month_blocks(stream.time) if replicate is None else replicate
    how: Any = "bootstrap" if replicate is None else "student"
    return Losses(base, new, blocks, year, stream.weight, how, terms.seed, terms.level)


def _sides(stood: Sides, run: Run, year: NDArray[np.int32]) -> dict[str, NDArray[np.float64]]:
    assert run.session is not None  # noqa: S101  # as above
    who = np.stack([run.stream.first, run.stream.second])
    real = year if run.stream.replicate is None else year + EPOCH
    return {"rating": stood.rating, "games": stood.games, "age": real - run.session.born[who]}


def _apart(
    frames: Mapping[str, pl.DataFrame], table: Callable[[pl.DataFrame], pl.DataFrame], keys: Sequence[str], level: float
) -> pl.DataFrame:
    """Return a table of both policies and of their difference, means over replicates."""
    made = {policy: table(frame) for policy, frame in frames.items()}
    on = ["replicate", *keys]
    measures = [name for name in made[BASE].columns if name not in on]
    both = made[NEW].join(made[BASE], on=on, suffix="_base", maintain_order="left")
    made[LESS] = both.select(*on, *(pl.col(name) - pl.col(f"{name}_base") for name in measures))
    parts = []
    for policy, each in made.items():
        bounds = {} if policy == LESS else dict.fromkeys(COUNTS, (0.0, math.inf))
        named = each.select(pl.lit(policy).alias("policy"), pl.all())
        parts.append(over_replicates(named, ["policy", *keys], ranges=bounds, level=level))
    return pl.concat(parts)


def _moved(one: Run, two: Run) -> pl.DataFrame:
    """Return players by how far they stand elsewhere in the end: only who had a game."""
    played = pl.col("games") > 0
    return players_moved(one.ratings(), two.ratings().filter(played))


def _far(moved: pl.DataFrame, stream: GameStream, terms: Terms) -> dict[str, Any]:
    """Return how many are moved far, up and down, in each replicate."""
    whose = pl.DataFrame({"player": stream.players["player"], "replicate": _replicates(stream)})
    difference = pl.col("difference")
    counts = (
        moved.join(whose, on="player")
        .group_by("replicate")
        .agg(
            rated=pl.len(), moved=(difference.abs() > terms.far).sum(), raised=(difference > terms.far).sum(),
            lowered=(difference < -terms.far).sum(),
        )
        .sort("replicate")
    )  # fmt: skip
    return over_replicates(counts, level=terms.level).row(0, named=True)


def labels(terms: Terms) -> list[str]:
    """Return what base and new are called; of few parameters all are said, also where they are the usual ones."""
    return [called(policy) for policy in (terms.base, terms.new)]


def called(policy: Policy) -> str:
    """Return the name of a policy.

    >>> from ratesim.policies import Constant
    >>> called(Constant(20))
    'constant k=20'
    """
    said = {name: value for name, value in policy.canonical().items() if name != "kind"}
    if policy.changed or len(said) > FEW:
        return policy.label
    return " ".join([policy.kind, *(f"{name}={brief(value)}" for name, value in said.items())])
