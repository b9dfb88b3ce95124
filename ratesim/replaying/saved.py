"""States on disk: stop after any game, go on with the same bits."""

import json
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..calendars import CALENDARS, Before, Calendar, date_of
from ..errors import InputError
from ..files import whole
from ..io.gamefile import NAMED, GameFile
from ..policies import POLICIES, Policy
from ..state import TARGET, WHO, Floats, Past, State, copied
from ..stream import GameStream
from ..systems.base import SYSTEMS, Kept, Rater, System
from .fresh import Earlier
from .openings import Variant
from .session import Session

FORMAT = 5
COLUMNS = ("brought", "born", "standard", "replaced", "kept")
DAMAGE = (
    ValueError, LookupError, TypeError, AttributeError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Saved:
    """What a replay remembered, and what it was a replay of."""

    system: Rater
    policy: Policy
    calendar: Calendar
    by_pool: bool
    players: pl.Series
    pools: tuple[str, ...]
    seasons: tuple[str, ...]
    stages: tuple[str, ...]
    time: float  # of the last game, days
    before: Before
    brought: Floats  # (R,) games that counted so far
    born: Floats  # (R,) birth years
    standard: Floats  # (R,) ratings on the standard list, NaN unknown
    replaced: Floats  # (R,) day of the last override, -inf where none was
    kept: Floats  # (K, fields of Kept) what the system keeps in mind
    state: State

    def earlier(self, stream: GameStream) -> Earlier:
        """Return the state with the places of its rows among those of a joined stream."""
        places = np.arange(len(self.players))
        if self.by_pool:
            places = (places[:, None] * len(stream.pools) + np.arange(len(self.pools))).reshape(-1)
        return Earlier(self.state, places, self.brought, self.born, self.standard, self.replaced, self.kept)


def join(
    saved: Saved, stream: GameStream, variants: Sequence[Variant], calendar: Calendar, *, by_pool: bool
) -> GameStream:
    """Return later games with the players, pools, seasons and stages of a saved state before their own.

    Raises
    ------
    InputError : the games are not later, or the state is of another system, policy or calendar.
    """
    _check(saved, float(stream.time[0]), variants, calendar, by_pool=by_pool)
    players = _players(saved, stream.players)
    place = stream.players.select("player").join(
        players.select("player").with_row_index("row"), on="player", how="left", maintain_order="left"
    )["row"].to_numpy()  # fmt: skip
    codes: dict[str, Any] = {}
    for column, labels in NAMED.items():
        values, own, old = getattr(stream, column), getattr(stream, labels), getattr(saved, labels)
        if values is not None:
            both = _labels(old, own)
            codes |= {labels: both, column: np.array([both.index(x) for x in own], np.int32)[values]}
    first, second = place[stream.first].astype(np.int32), place[stream.second].astype(np.int32)
    return replace(stream, players=players, first=first, second=second, **codes)


def join_file(
    saved: Saved, games: GameFile, variants: Sequence[Variant], calendar: Calendar, *, by_pool: bool
) -> GameFile:
    """Return later games on disk with what a saved state names before their own, as `join`."""
    _check(saved, games.begins, variants, calendar, by_pool=by_pool)
    there = {labels for column, labels in NAMED.items() if column in games.columns}
    labels = {of: _labels(getattr(saved, of), getattr(games, of)) if of in there else () for of in NAMED.values()}
    return games.among(_players(saved, games.players), labels)


def _check(saved: Saved, begins: float, variants: Sequence[Variant], calendar: Calendar, *, by_pool: bool) -> None:
    given = {"system": variants[0].system, "policy": variants[0].policy, "calendar": calendar}
    if not variants[0].system.takes_policy:
        del given["policy"]
    for name, spec in given.items():
        if spec != getattr(saved, name):
            raise InputError(
                f"the saved state is of {name} '{getattr(saved, name).label}', not '{spec.label}'", where="state"
            )
    if len(variants) > 1 or by_pool != saved.by_pool:
        raise InputError(
            "the saved state is of one system, " + ("by pool" if saved.by_pool else "not by pool"), where="state"
        )
    if begins < saved.time:
        day, ends = date_of(begins), date_of(saved.time)
        raise InputError(f"the games begin on {day}, before the saved state ends", expected=f"none before {ends}")


def _players(saved: Saved, players: pl.DataFrame) -> pl.DataFrame:
    """Return the players of a state, with what is known of them now, and then the new ones."""
    fresh = players.filter(~pl.col("player").is_in(saved.players.implode()))
    known = pl.DataFrame({"player": saved.players}).join(players, on="player", how="left", maintain_order="left")
    return pl.concat([known, fresh])


def _labels(old: tuple[str, ...], own: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*old, *own)))


def write_state(path: str | Path, session: Session, *, by_pool: bool) -> None:
    """Write the state of a session of one lane as it stands, the evidence that waits included.

    The same bytes wherever the games before were cut, and whether they were played singly or in periods.
    """
    stream, (variant,), state = session.stream, session.variants, _lean(session)
    about = {
        "format": FORMAT, "system": variant.system.canonical(), "policy": variant.policy.canonical(),
        "calendar": session.calendar.canonical(), "by_pool": by_pool,
        "pools": stream.pools, "seasons": stream.seasons, "stages": stream.stages, "time": float(stream.time.max()),
        "before": session.before(),
    }  # fmt: skip
    with whole(Path(path)) as place, place.open("wb") as file:
        np.savez(
            file, about=np.array(json.dumps(about)), players=_text(stream.players["player"]),
            brought=session.counted(session.played), born=session.born, standard=session.standard,
            replaced=session.replaced(),
            kept=np.concatenate([np.empty((0, len(Kept._fields))), *session.kept]), **state._asdict(),
        )  # fmt: skip


def _lean(session: Session) -> State:
    """Return a copy of the state in which only what counts is told: the rest is spent, and as it was left.

    Nor does it say when those last played who have not: that is before the games at hand, whichever these are.
    """
    state, shape = copied(session.state), session.shape
    for slot, waiting in enumerate(state.waiting.tolist()):
        spent = np.ones(len(state.rows), np.bool_)
        spent[state.members[slot, :waiting]] = False
        begin = shape.fields + shape.past + slot * shape.width
        state.rows[spent, begin : begin + shape.width] = 0.0
        state.marks[spent, TARGET + slot] = np.nan
        state.members[slot, waiting:] = 0
    if shape.past:
        games, last = (shape.fields + Past._fields.index(name) for name in ("games", "last"))
        state.rows[:, last][state.rows[:, games] == 0.0] = 0.0
    return state


def _text(names: pl.Series) -> NDArray[np.uint8]:
    """Return names as bytes, a line each: no name has a line's end in it."""
    return np.frombuffer(names.str.join("\n").item().encode(), np.uint8)


def load_state(path: str | Path) -> Saved:
    """Read what `Run.save` wrote.

    Raises
    ------
    InputError : the file is missing or damaged, is no state, or is of something that is not known.
    """
    wrong = InputError("is no saved state", where=str(path), expected="a file that --save-state wrote")
    try:
        with Path(path).open("rb") as raw, np.load(raw, allow_pickle=False) as file:  # numpy leaves damaged ones open
            return _saved(json.loads(str(file["about"])), {name: file[name] for name in file.files if name != "about"})
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror or error})", where=str(path)) from None
    except InputError as error:
        raise error.inside(str(path)) from None
    except DAMAGE:
        raise wrong from None


def _saved(about: dict[str, Any], kept: dict[str, NDArray[Any]]) -> Saved:
    """Return what a state says of itself and its arrays as one.

    Raises
    ------
    InputError : the state is of another format, or of a system, policy or calendar that is not known.
    ValueError : the arrays do not belong together; and others where the file is another.
    """
    if about["format"] != FORMAT:
        raise InputError(f"is a state of format {about['format']!r}", expected=f"format {FORMAT}")
    players = pl.Series("player", kept["players"].tobytes().decode().split("\n"), pl.String)
    brought, born, standard, replaced, mind = (kept[name] for name in COLUMNS)
    state = State(*(kept[name] for name in State._fields))
    saved = Saved(
        SYSTEMS.build(about["system"]), POLICIES.build(about["policy"]), CALENDARS.build(about["calendar"]),
        bool(about["by_pool"]), players, tuple(about["pools"]), tuple(about["seasons"]), tuple(about["stages"]),
        float(about["time"]), Before(*about["before"]), brought, born, standard, replaced, mind, state,
    )  # fmt: skip
    _check_shapes(saved)
    return saved


def _check_shapes(saved: Saved) -> None:
    """Refuse arrays that the engine, which trusts them, would read beyond their ends."""
    state, rows = saved.state, len(saved.players) * (len(saved.pools) if saved.by_pool else 1)
    system, policy, depth = saved.system, saved.policy, saved.calendar.depth
    if not isinstance(system, System):
        raise TypeError(system)  # no others have a state
    kernels, past = system.kernels(), len(Past._fields) if policy.kernels().career else 0
    fields, width = len(kernels.Belief._fields), len(kernels.Evidence._fields)  # type: ignore[attr-defined]  # NamedTuples
    right = {
        "rows": (rows, fields + past + depth * width, 1), "marks": (rows, TARGET + depth), "members": (depth, rows),
        "waiting": (depth,), "cursor": (1,), "losses": (1, 2, 1), "flags": (max(1, len(kernels.flags)), 3, 1),
        "kept": (len(saved.kept), len(Kept._fields)),
    }  # fmt: skip
    for name, array in {**{name: getattr(saved, name) for name in COLUMNS}, **state._asdict()}.items():
        if array.shape != right.get(name, (rows,)):
            raise ValueError(name)
    for rows_named in (state.members, state.flags[:, WHO], saved.kept[:, Kept._fields.index("who")]):
        if rows_named.size and not (rows_named.min() >= 0 and rows_named.max() < rows):
            raise ValueError("a player who is none")
    if not ((state.waiting >= 0) & (state.waiting <= rows)).all():
        raise ValueError("players who wait")
