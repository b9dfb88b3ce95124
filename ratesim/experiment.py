"""An experiment file: read whole, checked before anything runs, unfolded into runs."""

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from .calendars import CALENDARS, Calendar
from .entries import FAMILIES, Block, Blocks, Entry, alone, check_places, check_ranges, entries, told
from .errors import InputError, nearest
from .grid import unfold
from .io import ColumnMap
from .io.starts import PUBLISHED, SKILLS
from .keys import Figures, Header, Score, SourceTable, StreamTable, Tune, WorldTable
from .policies import POLICIES, Policy
from .replaying.before import columns_of
from .replaying.timing import check_growth
from .rules import List
from .systems.base import SYSTEMS, Rater, System
from .tuning.space import Space
from .worlds.base import WORLDS, World

Combination = tuple[Rater, Policy | None, Calendar]
Seen = tuple[Combination, Space]  # two cells may differ by their ranges alone
NEEDED = {"gap": "rating", "rating": "rating", "deviation": "deviation"}  # of a run, by the strata that go by it
USUAL = "league"  # the kind of a world that names none


@dataclass(frozen=True)
class Source:
    """Where one stream comes from: a file and its column map, or a world and how many replicates of it."""

    name: str
    where: str
    path: Path | None
    columns: ColumnMap
    aliases: Path | None  # a table of other names of players
    start: tuple[Path, ...]  # each a file, or one of the words `io.starts.PUBLISHED` and `SKILLS`
    start_list: List | None
    newcomers: float
    by_pool: bool
    world: World | None
    replicates: int  # of a world, all in one stream
    advice: str  # where to get a file that is not there


@dataclass(frozen=True)
class Cell:
    """One cell of the grid, whatever the stream."""

    system: Rater  # of a cell that is to be tuned, the usual one, as its policy
    policy: Policy | None
    calendar: Calendar
    label: str
    tuned_on: str
    space: Space | None = None  # what is to be tuned
    tuning: str = ""  # the address of the tuning that found it
    asked: str = ""  # of one that was tuned, the label with its ranges, by which the file names it
    titled: Callable[[Sequence[float]], str] | None = field(default=None, compare=False)  # by the values tuning found


@dataclass(frozen=True)
class Experiment:
    """A checked experiment."""

    file: str
    header: Header
    sources: tuple[Source, ...]
    cells: tuple[Cell, ...]
    score: Score
    figures: Figures
    tune: Tune = field(default_factory=Tune)

    @property
    def tunes(self) -> bool:
        """Whether a parameter of any system or policy has a range."""
        return any(cell.space for cell in self.cells)


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
    table, file = toml(path), path.name
    header, blocks = _begun(table, file)
    cells = tuple(_cells(blocks, file))
    score = Score.parse(_table(table, "score", file), f"{file}, score")
    score.build(f"{file}, score")
    _check_reference(score, cells, f"{file}, score")
    tune = Tune.parse(_table(table, "tune", file), f"{file}, tune")
    tune.build(f"{file}, tune")
    if "tune" in table and not any(cell.space for cell in cells):
        expected = "a range of a system's or a policy's number, such as k = { low = 5, high = 80 }"
        raise InputError("nothing to tune", where=f"{file}, tune", expected=expected)
    return Experiment(
        file=file,
        header=header,
        sources=tuple(_sources(blocks, path, header, games)),
        cells=cells,
        score=score,
        figures=_figures(_table(table, "figures", file), f"{file}, figures", [cell.label for cell in cells]),
        tune=tune,
    )


def _check_reference(score: Score, cells: Sequence[Cell], where: str) -> None:
    """Refuse a reference that is none of the runs, or does not have what the strata go by."""
    wanted = [by for by in score.strata if by in NEEDED]
    named = [cell for cell in cells if score.reference in {"", cell.label}]
    if not named:
        labels = [cell.label for cell in cells]
        near = nearest(score.reference, labels)
        expected = "" if near else f"one of {'; '.join(labels)}"
        raise InputError(f"no run '{score.reference}'", where=f"{where}.reference", expected=expected, near=near)
    if score.reference and not wanted:
        expected = f"it with strata by {', '.join(NEEDED)}"
        raise InputError("key 'reference'", where=where, expected=expected)
    for by in wanted:
        if not any(NEEDED[by] in columns_of(cell.system) for cell in named):
            said = f"strata by {by}" + (f" with reference = '{score.reference}'" if score.reference else "")
            raise InputError(said, where=where, expected=f"a system that has a {NEEDED[by]} of each player")


def worlds(path: Path) -> tuple[Header, tuple[Source, ...]]:
    """Return the worlds of an experiment file, which need not name any system.

    Raises
    ------
    InputError : the file cannot be read, has no world, or a key or value of one is wrong.
    """
    header, blocks = _begun(toml(path), path.name)
    if not blocks["world"]:
        raise InputError("no world", where=path.name, expected="a table [world]")
    return header, tuple(_sources({**blocks, "stream": []}, path, header, None))


def _begun(table: Mapping[str, Any], file: str) -> tuple[Header, Blocks]:
    """Return what stands above all tables, and the tables of each family; every key is known."""
    blocks = {family: _tables(table, family, file) for family in FAMILIES}
    _check_keys(table, {*Header.model_fields, *FAMILIES, "score", "figures", "tune"} - {"kind"}, file)
    return Header.parse({k: v for k, v in table.items() if k in Header.model_fields and k != "kind"}, file), blocks


def _check_keys(table: Mapping[str, Any], known: set[str], where: str) -> None:
    for key in table:
        if key not in known:
            near = nearest(key, known)
            expected = "" if near else f"one of {', '.join(sorted(known))}"
            raise InputError(f"unknown key '{key}'", where=where, expected=expected, near=near)


def _figures(table: dict[str, Any], where: str, labels: list[str]) -> Figures:
    figures = Figures.parse(table, where)
    for name in (*figures.runs, *figures.pair):
        if name not in labels:
            near = nearest(name, labels)
            expected = "" if near else f"one of {'; '.join(labels)}"
            raise InputError(f"no run '{name}'", where=where, expected=expected, near=near)
    return figures


def toml(path: Path, expected: str = "an experiment's TOML file") -> dict[str, Any]:
    """Return what a TOML file holds; an `InputError` says why one cannot be read, and what was `expected`."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))  # editors of Windows begin with a mark
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not TOML: {error}", where=path.name) from None
    except (OSError, UnicodeDecodeError) as error:
        said = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise InputError(f"cannot be read ({said})", where=str(path), expected=expected) from None


def _table(table: Mapping[str, Any], key: str, file: str) -> dict[str, Any]:
    value = table.get(key, {})
    if not isinstance(value, dict):
        raise InputError(f"{key} = {value!r}", where=file, expected=f"a table [{key}]")
    return value


def _tables(table: Mapping[str, Any], key: str, file: str) -> list[Block]:
    """Return the tables of a family, each with its place in the file."""
    value = table.get(key, [])
    if isinstance(value, dict):
        return [(f"{file}, {key}", value)]
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise InputError(f"{key} = {value!r}", where=file, expected=f"tables [[{key}]]")
    return [(f"{file}, {key} {number}", each) for number, each in enumerate(value, 1)]


def _cells(blocks: Blocks, file: str) -> Iterator[Cell]:
    check_places(blocks)
    systems, policies = list(entries(SYSTEMS, blocks["system"])), list(entries(POLICIES, blocks["policy"]))
    calendars = list(entries(CALENDARS, blocks["calendar"]))
    if not systems:
        raise InputError("no system", where=file, expected="at least one table [[system]]")
    _check_policies(policies, {each.spec.kind for each in systems if each.spec.takes_policy})
    seen: dict[Seen, str] = {}
    for system in systems:
        gains = [each for each in policies if not each.only or system.spec.kind in each.only]
        for policy in _policies(system.spec, gains):
            for calendar in calendars or [alone(CALENDARS, system.spec.usual_calendar)]:
                parts = (system, policy if _says(policy, gains) else None, calendar if len(calendars) > 1 else None)
                label = ", ".join(part.label for part in parts if part is not None)
                cell = (system.spec, policy.spec if policy else None, calendar.spec)
                moved = system.moved or (policy is not None and policy.moved)
                space = Space(*cell[:2], system.ranges, policy.ranges if policy else (), moved=moved)
                _check_new(label, (cell, space), seen, system.where)
                _check_growth(system, calendar.spec)
                seen[cell, space] = label
                titled = partial(_titled, parts, len(system.ranges))
                yield Cell(
                    *cell, label=label, tuned_on=system.tuned_on, space=space if space.ranges else None, titled=titled
                )


def _titled(parts: Sequence[Entry[Any] | None], systems: int, values: Sequence[float]) -> str:
    """Return the label of a cell once ranges have values: so many of the system, then those of the policy."""
    own = (values[:systems], values[systems:], ())
    return ", ".join(part.tuned(each) for part, each in zip(parts, own, strict=True) if part is not None)


def _check_new(label: str, cell: Seen, seen: Mapping[Seen, str], where: str) -> None:
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
    return policies or [alone(POLICIES, system.default_policy)]


def _sources(blocks: Blocks, path: Path, header: Header, games: Path | None) -> Iterator[Source]:
    """Yield streams of files, then those of worlds.

    Raises
    ------
    InputError : there is none, two have one name, or a key or value is wrong.
    """
    files = [(where, StreamTable.parse(block, where)) for where, block in blocks["stream"]]
    if not files and not blocks["world"]:
        expected = "a table [stream] with games = FILE, or a table [world]"
        raise InputError("no stream and no world", where=path.name, expected=expected)
    if games is not None and len(files) != 1:
        raise InputError(
            f"{len(files)} streams come from files", where=path.name, expected="one, for --stream to take its place"
        )
    found = [_file(table, where, path, header, games) for where, table in files]
    found += [source for where, block in blocks["world"] for source in _worlds(block, where, path)]
    seen: dict[str, str] = {}
    for source in found:
        if seen.get(source.name) == source.where:
            expected = "each value of a list once"
            raise InputError(f"'{source.name}' stands twice", where=source.where, expected=expected)
        if source.name in seen:
            raise InputError(f"two streams are named '{source.name}'", where=source.where, expected="a name of its own")
        seen[source.name] = source.where
        yield source


def _file(table: StreamTable, where: str, path: Path, header: Header, games: Path | None) -> Source:
    return Source(
        name=table.name or Path(table.games).stem,
        where=where,
        path=games or path.parent / table.games,
        columns=ColumnMap.parse(table.columns, f"{where}, columns"),
        aliases=(games or path.parent / table.games).parent / table.aliases if table.aliases else None,
        start=_starts(table, path),
        start_list=table.start_list,
        newcomers=table.newcomers,
        by_pool=table.by_pool,
        world=None,
        replicates=1,
        advice=header.source,
    )


def _starts(table: SourceTable, path: Path) -> tuple[Path, ...]:
    said = (table.start,) if isinstance(table.start, str) else table.start
    return tuple(Path(each) if each in (PUBLISHED, SKILLS) else path.parent / each for each in said if each)


def _beside(part: Any, path: Path) -> Any:  # noqa: ANN401  # whatever stands in the file
    """Return a part of a world whose `file` is beside the experiment's, as files of games are."""
    if isinstance(part, list):
        return [_beside(each, path) for each in part]
    if isinstance(part, dict) and isinstance(part.get("file"), str):
        return {**part, "file": str(path.parent / part["file"])}
    return part


def _worlds(block: Mapping[str, Any], where: str, path: Path) -> Iterator[Source]:
    """Yield the worlds that one table spans."""
    own = WorldTable.model_fields.keys() - {"kind"}
    kinds = block.get("kind", USUAL)
    named = [kind for kind in (kinds if isinstance(kinds, list) else [kinds]) if isinstance(kind, str)]
    models = [WORLDS.find(kind, where) for kind in named]
    _check_keys(block, {"kind", *own, *(key for model in models for key in model.model_fields)}, where)
    table = WorldTable.parse({key: value for key, value in block.items() if key in own}, where)
    law = {"kind": USUAL, **{key: _beside(value, path) for key, value in block.items() if key not in own}}
    for point in unfold(WORLDS, law, where):
        check_ranges("world", point, where)
        yield Source(
            name=" ".join([table.name or point.spec.kind, *told(point.axes)]),
            where=where,
            path=None,
            columns=ColumnMap(),
            aliases=None,
            start=_starts(table, path),
            start_list=None,
            newcomers=table.newcomers,
            by_pool=table.by_pool,
            world=point.spec,
            replicates=table.replicates,
            advice="",
        )
