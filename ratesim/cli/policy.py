"""`ratesim policy`: what another K policy would do to a pool of players."""

import math
import re
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from ..errors import InputError
from .games import read_games
from .inspection_text import items
from .options import Json, Map, Periods, PeriodSettings, Plugin, Settings, values
from .output import document, table
from .rate import named, rater_of

if TYPE_CHECKING:
    import polars as pl

    from ..policies import Policy
    from ..reform import Found
    from ..stream import GameStream

ANOTHER = re.compile(r",(?=\s*[A-Za-z_]\w*\s*=)")  # a comma between two values, unless within brackets


def policy(
    base: Annotated[
        str,
        typer.Argument(
            help="The K policy in force: a kind of `ratesim policies`, KIND:NAME=VALUE,... such as constant:k=20, or "
            "a TOML file with [policy]."
        ),
    ],
    new: Annotated[str, typer.Argument(help="The one to take its place, likewise.")],
    *,
    stream: Annotated[
        Path | None,
        typer.Option(metavar="GAMES", help="Real games, in any form that `ratesim import` takes; this or --world."),
    ] = None,
    columns: Map,
    world: Annotated[
        Path | None, typer.Option(metavar="WORLD.toml", help="Simulated games: the [world] of an experiment file.")
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Which world, where the file has several or a list in one.")
    ] = None,
    replicates: Annotated[int | None, typer.Option(min=1, metavar="N", help="Of the world; else its file's.")] = None,
    system: Annotated[str, typer.Option(help="Which system: one with K, see `ratesim systems`.")] = "elo",
    settings: Settings,
    calendar: Periods = None,
    calendar_settings: PeriodSettings,
    start: Annotated[
        Path | None,
        typer.Option(metavar="TABLE", help="What is known of players beforehand, as `ratesim rate` takes it."),
    ] = None,
    thresholds: Annotated[
        str, typer.Option(metavar="A,B,...", help="Ratings whose crossings are counted, rising; a floor is too.")
    ] = "2300,2400",
    moved: Annotated[
        float, typer.Option(min=0, metavar="POINTS", help="Players moved by more than this are counted.")
    ] = 50.0,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Of intervals of real games; a world has its own.")] = 1,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write report.html, its figures, tables and summary.json here.")
    ] = None,
    plugin: Plugin = None,
    json: Json = False,
) -> None:  # fmt: skip
    """Tell what a change from one K policy to another would do.

    By year, rating, age and games: the mean rating and its drift, who gains, log loss, crossings of titles' levels and
    the floor, who is moved, and where rating points come from. Over real games (--stream), whose columns are guessed
    where --map leaves them open, or over replicates of a world (--world).
    """
    if (stream is None) == (world is None):
        raise InputError("games come from one place", where="--stream, --world", expected="one of the two")
    idle = {"--map": columns} if world else {"--name": name, "--replicates": replicates}
    for option in (option for option, given in idle.items() if given):
        needs = "--stream" if world else "--world"
        raise InputError("says nothing here", where=option, expected=f"it with {needs}")
    from ..calendars import CALENDARS
    from ..reform import Terms, check, check_folder, compare, summary, write
    from ..registry import load_plugin
    from .terminal import Terminal

    if plugin:
        load_plugin(plugin)
    if out:
        check_folder(out)
    rater = rater_of(system, settings, "BASE and NEW, such as constant:k=20")
    periods = named(CALENDARS, calendar, calendar_settings, rater.usual_calendar["kind"])
    terms = Terms(said(base, "BASE"), said(new, "NEW"), rater, periods, _levels(thresholds), moved, seed)
    check(terms)
    with Terminal() as watch:
        given = _simulated(world, name, replicates, start) if world else _read(stream, columns, start)
        for line in given.games.notes:
            watch.note(line)
        terms = terms if given.seed is None else terms._replace(seed=given.seed)
        found = compare(terms, given.games, given.start)
    told = summary(found, given.said)
    page = write(found, told, out) if out else None
    if json:
        document({**told, **({"output": str(page)} if page else {})})
        return
    _show(found, told)
    if page:
        typer.echo(f"written: {page}")


def said(word: str, where: str) -> "Policy":
    """Return the policy that is meant: `fide`, `constant:k=20`, or a file with a table [policy].

    Raises
    ------
    InputError : there is none.
    """
    from ..policies import POLICIES

    if word.endswith(".toml"):
        return POLICIES.build(*_of_file(Path(word)))
    kind, _, rest = word.partition(":")
    return POLICIES.find(kind, where).parse(values(_parted(rest) if rest else [], where), where)


def _parted(text: str) -> list[str]:
    """Return what stands between commas that part one value from the next.

    >>> _parted("at=[10,20],k={low=5,high=80},by=games")
    ['at=[10,20]', 'k={low=5,high=80}', 'by=games']
    """
    ends = [0]
    for found in ANOTHER.finditer(text):
        before = text[ends[-1] : found.start()]
        if all(before.count(one) == before.count(other) for one, other in ("[]", "{}")):
            ends.append(found.end())
    return [text[begin:end].rstrip(",") for begin, end in pairwise([*ends, len(text)])]


def _of_file(path: Path) -> tuple[Mapping[str, Any], str]:
    from ..experiment import toml

    found = toml(path, "a TOML file with a table [policy]").get("policy")
    tables = found if isinstance(found, list) else [found]
    if len(tables) != 1 or not isinstance(tables[0], dict):
        several = f"{len(tables)} tables [policy]" if found else "no table [policy]"
        raise InputError(several, where=path.name, expected="one table [policy]")
    own = {key: value for key, value in tables[0].items() if key != "label"}
    return own, f"{path.name}, policy"


def _levels(text: str) -> tuple[float, ...]:
    try:
        levels = tuple(float(each) for each in text.split(","))
    except ValueError:
        levels = (math.nan,)
    if not all(map(math.isfinite, levels)):
        raise InputError(f"'{text}'", where="--thresholds", expected="ratings, such as 2300,2400")
    return levels


class Given(NamedTuple):
    """The games of a comparison, and what is known beforehand."""

    games: "GameStream"
    start: "pl.DataFrame | None"
    seed: int | None  # of a world's file
    said: tuple[str, ...] = ()  # how they are read


def _read(path: Path | None, columns: list[str], start: Path | None) -> Given:
    from ..io.starts import starts_of

    assert path is not None  # noqa: S101  # the caller has looked
    games, used = read_games(path, columns)
    said = (f"columns: {' '.join(items(used))}",) if used else ()
    return Given(games, starts_of(start, games) if start else None, None, said)


def _simulated(path: Path, name: str | None, replicates: int | None, start: Path | None) -> Given:
    from ..experiment import worlds
    from ..io.starts import starts_of
    from .simulate import one_of

    header, sources = worlds(path)
    source = one_of(sources, name, path.name)
    assert source.world is not None  # noqa: S101  # it is one of the file's worlds
    games = source.world.simulate(header.seed, replicates or source.replicates)
    known = start or (source.start[0] if source.start else None)
    return Given(games, starts_of(known, games) if known else None, header.seed)


def _show(found: "Found", told: Mapping[str, Any]) -> None:
    """Print what changes, then who is moved most."""
    from ..reform import glance

    for line in glance(found, told):
        typer.echo(line)
    typer.echo()
    columns = ("player", "base", "new", "difference", "games")
    table(told["moved"]["most"][:10], columns, title="moved most")
