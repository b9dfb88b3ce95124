"""`ratesim init`: a commented experiment file to start from."""

import json as codec
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from ..errors import InputError, nearest
from ..files import whole
from .games import against_themselves, complete, read_raw, sketch
from .guess import ROW, Guess
from .options import Json, Map, texts
from .output import document, say, writable

HEAD = """\
# An experiment: every system is replayed over every stream, under every policy and calendar.
#
#     ratesim run {name}
#
# Any list is an axis: k = [20, 40] makes two runs. `ratesim systems`, `policies`, `calendars`, `metrics` and `worlds`
# list what can be named here, `ratesim systems glicko2` one of them with its parameters. `ratesim schema` lets an
# editor complete this file.

title = {title}
seed = 1
"""

REST = """
# Baselines first: what rests on ratings should beat both.
[[system]]
kind = "even"           # every game .5

[[system]]
kind = "first-rate"     # the share of points that first has had so far
{published}
[[system]]
kind = "elo"
advantage = {advantage}   # rating points that first is ahead by where it has the advantage

[[system]]
kind = "glicko"         # its deviations grow by the period of the calendar; per = "30d" makes them grow by time

[[system]]
kind = "glicko2"
tau = 0.5

# K policies, for the systems that take one (elo here).
[[policy]]
kind = "constant"
k = [20, 40]

# Rating periods: games of one period are forecast before any of its results is learned.
[[calendar]]
{calendar}
# [[calendar]]
# kind = "per-game"     # Glicko and Glicko-2 then need per = "30d"

[score]
metrics = ["log_loss", "brier", "accuracy"]

[figures]
top = 5                 # players whose histories are drawn
"""

MONTHS = 'kind = "months"\n'
HUNDREDS = 'kind = "every"\ndays = 100              # a row of the file is a day\n'
PUBLISHED = '\n[[system]]\nkind = "published"      # the ratings that the file carries\n'


def init(
    source: Annotated[str, typer.Argument(metavar="GAMES|WORLD", help="A file of games, or the word `world`.")],
    *,
    columns: Map,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE.toml", help="Default: GAMES.toml in this folder.")
    ] = None,
    json: Json = False,
) -> None:
    """Write an experiment file to start from.

    For a file of games, its columns are guessed from the header, as far as --map leaves them open, and the experiment
    file says what was guessed; for `world`, every parameter of simulated games is there with its meaning. Nothing is
    overwritten.
    """
    games = Path(source)
    path = output or Path(f"{games.stem}.toml")
    writable(path, (".toml",))
    if path.exists():
        raise InputError("exists already, and is left as it is", where=str(path), expected="another name after -o")
    found: Guess | None = None
    notes: tuple[str, ...] = ()
    if games.exists() or games.suffix:
        header, found = sketch(games, texts(columns, "--map"))
        found, notes = _settled(games, found)
        body = "".join(_games(games, path, header, found)) + _systems(found)
    elif columns:
        raise InputError(f"a world has no columns, and no file is named '{source}'", where="--map", expected="none")
    else:
        body = "".join(_world(source))
    with whole(path) as place:
        place.write_text(HEAD.format(name=path.name, title=_toml(games.stem)) + body, encoding="utf-8")
    for note in notes:
        say(note)
    if json:
        document({"output": str(path), "columns": found.columns if found else {}, "notes": notes})
    else:
        typer.echo(f"{path} is written; look through it, then: ratesim run {path}")


def _settled(games: Path, found: Guess) -> tuple[Guess, tuple[str, ...]]:
    """Return a map under which the games can be read, and what reading them noted.

    Raises
    ------
    InputError : they cannot be read.
    """
    stream = read_raw(games, complete(found, games).columns)
    if note := against_themselves(stream):
        found.columns.setdefault("themselves", "drop")
        found.reasons["themselves"] = note
    return found, stream.notes


def _games(games: Path, path: Path, header: list[str], found: Guess) -> Iterator[str]:
    """Yield the lines of a stream of games: the map that was guessed, why, and what else could be mapped."""
    relative = os.path.relpath(games.resolve(), path.resolve().parent)
    yield f"\n[[stream]]\nname = {_toml(games.stem)}\n"
    yield f"games = {_toml(Path(relative).as_posix())}   # from this file's folder\n"
    yield "\n# Which column holds what, guessed from the header: check it. The columns are\n"
    yield from (f"#     {name}\n" for name in header)
    yield "[stream.columns]\n"
    for key, value in found.columns.items():
        reason = found.reasons.get(key)
        yield f"{key} = {_toml(value)}" + (f"   # {reason}" if reason else "") + "\n"
    if found.offered:
        yield "# Found too, and used only if you take away the #:\n"
    yield from (f"# {key} = {_toml(value)}\n" for key, value in found.offered.items())


def _world(kind: str) -> Iterator[str]:
    """Yield the lines of a simulated stream: every parameter of the world with its default."""
    from ..experiment import USUAL
    from ..worlds.base import WORLDS
    from .kinds import describe
    from .worlds import families

    kinds = WORLDS.kinds()
    cls = kinds.get(USUAL if kind == "world" else kind)
    if cls is None:
        near = nearest(kind, kinds)
        expected = "" if near else f"a file of games, world, or one of {', '.join(kinds)}"
        raise InputError(f"no file and no world named '{kind}'", expected=expected, near=near)
    described = describe(cls)
    parts = {each.name: each.kinds for each in families()}
    yield f"\n[world]\nkind = {_toml(described['kind'])}\n"
    yield "replicates = 1   # worlds of the same law, each with luck of its own; results have intervals over them\n"
    for each in described["parameters"]:
        about = f"   # {each['about']}" + (f" ({each['unit']})" if each["unit"] not in each["about"] else "")
        among = parts.get(each["name"], {})
        about += f"; kinds: {', '.join(among)}" if len(among) > 1 else ""
        if not each["required"] and each["default"] is not None:
            yield f"{each['name']} = {_toml(each['default'])}{about}\n"
        elif "example" in each:
            yield f"# {each['name']} = {_toml(each['example'])}{about}\n"
        else:
            yield f"# {each['name']}:{about.removeprefix('   #')}\n"
        if isinstance(each["default"], Mapping):
            yield from _meanings(describe(among[each["default"]["kind"]]))
    yield _rest("0")


def _meanings(described: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the parameters of a part mean."""
    for each in described["parameters"]:
        unit = f" ({each['unit']})" if each["unit"] not in each["about"] else ""
        yield f"#     {each['name']}: {each['about']}{unit}\n"


def _systems(found: Guess) -> str:
    """Return the rest of the file, fitted to what a file of games has."""
    columns = found.columns
    usual = "[0, 35]" if columns["first"].lower().startswith("white") else "[0, 65]"
    sided = columns.get("neutral") or columns.get("edge")
    return _rest(
        usual if sided else "0",
        calendar=HUNDREDS if columns["time"] == ROW else MONTHS,
        published=PUBLISHED if columns.get("published_first") else "",
    )


def _rest(advantage: str, *, calendar: str = MONTHS, published: str = "") -> str:
    return REST.format(advantage=advantage, calendar=calendar, published=published)


def _toml(value: object) -> str:
    """Return a value as TOML writes it."""
    match value:
        case Mapping():
            return "{ " + ", ".join(f"{_key(k)} = {_toml(v)}" for k, v in value.items()) + " }"
        case list() | tuple():
            return "[" + ", ".join(map(_toml, value)) + "]"
        case _:
            return codec.dumps(value, ensure_ascii=False)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else codec.dumps(name, ensure_ascii=False)
