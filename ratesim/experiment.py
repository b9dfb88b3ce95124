"""An experiment file: read whole, checked before anything runs, unfolded into runs."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from .calendars import CALENDARS, Calendar
from .errors import InputError, nearest
from .grid import Point, unfold
from .io import ColumnMap
from .io.starts import PUBLISHED, SKILLS
from .keys import Figures, Header, Score, StreamTable
from .policies import POLICIES, Policy
from .registry import Registry
from .replaying.timing import check_growth
from .rules import List
from .spec import Spec
from .systems.base import SYSTEMS, Rater, System
from .worlds.base import WORLDS, World

S = TypeVar("S", bound=Spec)
Combination = tuple[Rater, Policy | None, Calendar]
FAMILIES = ("stream", "system", "policy", "calendar")
OF_FILES, OF_WORLDS = ("columns",), ("replicates",)  # keys of a stream that the other kind has no use for


@dataclass(frozen=True)
class Source:
    """Where one stream comes from: a file and its column map, or a world and its replicate."""

    name: str
    where: str
    path: Path | None
    columns: ColumnMap
    start: Path | None  # a file, or one of the words `io.starts.PUBLISHED` and `SKILLS`
    start_list: List | None
    newcomers: float
    by_pool: bool
    world: World | None
    replicate: int
    advice: str  # where to get a file that is not there


@dataclass(frozen=True)
class Entry(Generic[S]):
    """One spec of the grid and what the file says about it."""

    spec: S
    label: str
    where: str = ""
    tuned_on: str = ""
    only: tuple[str, ...] = ()  # of a policy: the systems it is for, all of them if empty


@dataclass(frozen=True)
class Cell:
    """One cell of the grid, whatever the stream."""

    system: Rater
    policy: Policy | None
    calendar: Calendar
    label: str
    tuned_on: str


@dataclass(frozen=True)
class Experiment:
    """A checked experiment."""

    file: str
    header: Header
    sources: tuple[Source, ...]
    cells: tuple[Cell, ...]
    score: Score
    figures: Figures


def read(path: Path, games: Path | None = None) -> Experiment:
    """Read an experiment file and check all that can be checked without its games.

    Parameters
    ----------
    path : the TOML file; files it names are beside it.
    games : a file that takes the place of the one its stream names.

    Raises
    ------
    InputError : the file cannot be read, or a key or value in it is wrong.
    """
    table = _toml(path)
    file = path.name
    blocks = {family: _tables(table, family, file) for family in FAMILIES}
    known = {*Header.model_fields, *FAMILIES, "score", "figures"} - {"kind"}
    for key in table:
        if key not in known:
            near = nearest(key, known)
            expected = "" if near else f"one of {', '.join(sorted(known))}"
            raise InputError(f"unknown key '{key}'", where=file, expected=expected, near=near)
    cells = tuple(_cells(blocks, file))
    header = Header.parse({k: v for k, v in table.items() if k in Header.model_fields and k != "kind"}, file)
    score = Score.parse(_table(table, "score", file), f"{file}, score")
    score.build(f"{file}, score")
    return Experiment(
        file=file,
        header=header,
        sources=tuple(_sources(blocks["stream"], path, header, games)),
        cells=cells,
        score=score,
        figures=_figures(_table(table, "figures", file), f"{file}, figures", [cell.label for cell in cells]),
    )


def _figures(table: dict[str, Any], where: str, labels: list[str]) -> Figures:
    figures = Figures.parse(table, where)
    for name in figures.runs:
        if name not in labels:
            near = nearest(name, labels)
            expected = "" if near else f"one of {'; '.join(labels)}"
            raise InputError(f"no run '{name}'", where=where, expected=expected, near=near)
    return figures


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))  # editors of Windows begin with a mark
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not TOML: {error}", where=path.name) from None
    except (OSError, UnicodeDecodeError) as error:
        said = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise InputError(f"cannot be read ({said})", where=str(path), expected="an experiment's TOML file") from None


def _table(table: Mapping[str, Any], key: str, file: str) -> dict[str, Any]:
    value = table.get(key, {})
    if not isinstance(value, dict):
        raise InputError(f"{key} = {value!r}", where=file, expected=f"a table [{key}]")
    return value


def _tables(table: Mapping[str, Any], key: str, file: str) -> list[tuple[str, dict[str, Any]]]:
    """Return the tables of a family, each with its place in the file."""
    value = table.get(key, [])
    if isinstance(value, dict):
        return [(f"{file}, {key}", value)]
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise InputError(f"{key} = {value!r}", where=file, expected=f"tables [[{key}]]")
    return [(f"{file}, {key} {number}", each) for number, each in enumerate(value, 1)]


def _entries(registry: Registry[S], blocks: list[tuple[str, dict[str, Any]]], own: set[str]) -> Iterator[Entry[S]]:
    """Unfold the tables of one family; `own` are the keys that speak to the experiment, not to the spec."""
    for where, block in blocks:
        said = {key: block[key] for key in own & block.keys()}
        for key, value in said.items():
            _check_text(key, value, where)
        for point in unfold(registry, {key: value for key, value in block.items() if key not in own}, where):
            only = said.get("systems", ())
            yield Entry(
                point.spec,
                _label(point, said.get("label")),
                where,
                said.get("tuned_on", ""),
                (only,) if isinstance(only, str) else tuple(only),
            )


def _check_text(key: str, value: object, where: str) -> None:
    texts = value if key == "systems" and isinstance(value, list) else [value]
    if not all(isinstance(text, str) and text for text in texts):
        raise InputError(f"{key} = {value!r}", where=where, expected="text")


def _label(point: Point[Any], name: str | None) -> str:
    """Return the kind, or the name given to it, with what an axis chose and what differs from the defaults."""
    spec: Spec = point.spec
    told = {*point.axes} if name else {*point.axes, *spec.changed}
    return " ".join([name or spec.kind, *(f"{k}={v}" for k, v in point.table.items() if k in told and k != "kind")])


def _cells(blocks: Mapping[str, list[tuple[str, dict[str, Any]]]], file: str) -> Iterator[Cell]:
    systems = list(_entries(SYSTEMS, blocks["system"], {"label", "tuned_on"}))
    policies = list(_entries(POLICIES, blocks["policy"], {"label", "systems"}))
    calendars = list(_entries(CALENDARS, blocks["calendar"], {"label"}))
    if not systems:
        raise InputError("no system", where=file, expected="at least one table [[system]]")
    _check_policies(policies, {each.spec.kind for each in systems if each.spec.takes_policy})
    seen: dict[Combination, str] = {}
    for system in systems:
        gains = [each for each in policies if not each.only or system.spec.kind in each.only]
        for policy in _policies(system.spec, gains):
            for calendar in calendars or [_own(CALENDARS, system.spec.usual_calendar)]:
                parts = (system, policy if _says(policy, gains) else None, calendar if len(calendars) > 1 else None)
                label = ", ".join(part.label for part in parts if part is not None)
                cell = (system.spec, policy.spec if policy else None, calendar.spec)
                _check_new(label, cell, seen, system.where)
                _check_growth(system, calendar.spec)
                seen[cell] = label
                yield Cell(*cell, label=label, tuned_on=system.tuned_on)


def _check_new(label: str, cell: Combination, seen: Mapping[Combination, str], where: str) -> None:
    if seen.get(cell, label) != label:
        raise InputError(f"'{label}' is the same as '{seen[cell]}'", where=where, expected="each run once")
    if cell in seen:
        raise InputError(f"'{label}' stands twice", where=where, expected="each run once")
    if label in seen.values():
        expected = "each with a label of its own"
        raise InputError(f"two different runs are called '{label}'", where=where, expected=expected)


def _says(policy: Entry[Policy] | None, gains: list[Entry[Policy]]) -> bool:
    """Whether a policy belongs into the label: one of several, or with more to say than its kind."""
    return policy is not None and (len(gains) > 1 or (bool(gains) and policy.label != policy.spec.kind))


def _check_policies(policies: list[Entry[Policy]], kinds: set[str]) -> None:
    """Refuse a policy that is for a system which is not there, or has no use for it."""
    for policy in policies:
        if not kinds and not policy.only:
            raise InputError(f"policy '{policy.label}'", where=policy.where, expected="a system that takes one")
        for name in policy.only:
            if name not in kinds:
                expected = f"one of those here that take a policy ({', '.join(sorted(kinds)) or 'there is none'})"
                raise InputError(
                    f"systems = '{name}'", where=policy.where, expected=expected, near=nearest(name, kinds)
                )


def _check_growth(system: Entry[Rater], calendar: Calendar) -> None:
    if isinstance(system.spec, System):
        try:
            check_growth(system.spec, calendar)
        except InputError as error:
            raise error.inside(system.where) from None


def _policies(system: Rater, policies: list[Entry[Policy]]) -> list[Entry[Policy]] | list[None]:
    if not system.takes_policy:
        return [None]
    return policies or [_own(POLICIES, system.default_policy)]


def _own(registry: Registry[S], kind: str | Mapping[str, Any]) -> Entry[S]:
    """Return what a system takes where the file says nothing."""
    spec = registry.build(kind)
    return Entry(spec, spec.label)


def _sources(
    blocks: list[tuple[str, dict[str, Any]]], path: Path, header: Header, games: Path | None
) -> Iterator[Source]:
    if not blocks:
        raise InputError("no stream", where=path.name, expected="a table [stream] with games = FILE or world = {...}")
    tables = [(where, StreamTable.parse(block, where)) for where, block in blocks]
    files = [where for where, table in tables if table.games]
    if games is not None and len(files) != 1:
        raise InputError(
            f"{len(files)} streams come from files", where=path.name, expected="one, for --stream to take its place"
        )
    seen: set[str] = set()
    for where, table in tables:
        if bool(table.games) == bool(table.world):
            raise InputError("games or world", where=where, expected="one of the two keys")
        for key in OF_FILES if table.world else OF_WORLDS:
            if key in table.model_fields_set:
                raise InputError(f"key '{key}'", where=where, expected=f"none where there is {_origin(table)}")
        for source in _worlds(table, where, path) if table.world else [_file(table, where, path, header, games)]:
            if source.name in seen:
                raise InputError(f"two streams are named '{source.name}'", where=where, expected="a name of its own")
            seen.add(source.name)
            yield source


def _origin(table: StreamTable) -> str:
    return "a world" if table.world else "a file of games"


def _file(table: StreamTable, where: str, path: Path, header: Header, games: Path | None) -> Source:
    return Source(
        name=table.name or Path(table.games).stem,
        where=where,
        path=games or path.parent / table.games,
        columns=ColumnMap.parse(table.columns, f"{where}, columns"),
        start=_start(table, path),
        start_list=table.start_list,
        newcomers=table.newcomers,
        by_pool=table.by_pool,
        world=None,
        replicate=0,
        advice=header.source,
    )


def _start(table: StreamTable, path: Path) -> Path | None:
    if table.start in (PUBLISHED, SKILLS):
        return Path(table.start)
    return path.parent / table.start if table.start else None


def _worlds(table: StreamTable, where: str, path: Path) -> Iterator[Source]:
    for world, given, axes in unfold(WORLDS, table.world, f"{where}, world"):
        name = " ".join([table.name or world.kind, *(f"{key}={given[key]}" for key in axes if key != "kind")])
        for replicate in range(table.replicates):
            yield Source(
                name=f"{name} #{replicate}" if table.replicates > 1 else name,
                where=where,
                path=None,
                columns=ColumnMap(),
                start=_start(table, path),
                start_list=table.start_list,
                newcomers=table.newcomers,
                by_pool=table.by_pool,
                world=world,
                replicate=replicate,
                advice="",
            )
