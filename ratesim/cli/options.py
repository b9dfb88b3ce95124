"""Options that several verbs share, and `NAME=VALUE` as people type it."""

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from ..errors import InputError

Games = Annotated[
    Path,
    typer.Argument(
        metavar="GAMES", help="Games in any form that `ratesim import` takes, packed or not, or a folder of them."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else on stdout.")]
Map = Annotated[
    list[str],
    typer.Option(
        "--map",
        default_factory=list,
        show_default=False,
        metavar="NAME=COLUMN",
        help="Which column of the file holds what, such as first=home_team or where.rated=TRUE; once for each.",
    ),
]
Aliases = Annotated[
    Path | None,
    typer.Option("--aliases", metavar="FILE", help="Other names of players: a table with alias and player."),
]
Stream = Annotated[
    Path | None, typer.Option(metavar="GAMES", help="Take games from here, not from the file that is named.")
]
Out = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Results go here; default runs/EXPERIMENT, of a folder runs/FOLDER/EXPERIMENT."),
]
Workers = Annotated[int | None, typer.Option(metavar="N", help="Threads or processes; default one a core.")]
Spread = Annotated[str, typer.Option(help="threads, processes, dask (a cluster here) or dask=ADDRESS of a scheduler.")]
Yes = Annotated[
    bool, typer.Option("--yes", help="Write into a folder that holds other things; try more than 10,000 settings.")
]
Periods = Annotated[
    str | None, typer.Option(help="Rating periods: see `ratesim calendars`; the system's own if left out.")
]
PeriodSettings = Annotated[
    list[str],
    typer.Option(
        "--set-calendar",
        default_factory=list,
        show_default=False,
        metavar="NAME=VALUE",
        help="A parameter of the calendar.",
    ),
]
Settings = Annotated[
    list[str],
    typer.Option(
        "--set",
        default_factory=list,
        show_default=False,
        metavar="NAME=VALUE",
        help="A parameter of the system; once for each.",
    ),
]
System = Annotated[str, typer.Option(help="Which system: see `ratesim systems`.")]
Gains = Annotated[str | None, typer.Option(help="K policy: see `ratesim policies`; the system's own if left out.")]
GainSettings = Annotated[
    list[str],
    typer.Option(
        "--set-policy",
        default_factory=list,
        show_default=False,
        metavar="NAME=VALUE",
        help="A parameter of the policy.",
    ),
]
ByPool = Annotated[
    bool, typer.Option("--by-pool", help="Rate each player in each pool apart; memory holds a row for each of them.")
]
Start = Annotated[
    Path | None,
    typer.Option(
        metavar="TABLE",
        help="What is known of players beforehand: player, rating, ...; a monthly list of FIDE's; or `published`: "
        "the first rating that the games publish of each.",
    ),
]
StartList = Annotated[
    Literal["standard", "rapid", "blitz"] | None,
    typer.Option(help="Which list --start means, of a file of FIDE's that holds all three."),
]
FromState = Annotated[Path | None, typer.Option(metavar="FILE", help="Go on from a state that --save-state wrote.")]
Plugin = Annotated[
    Path | None, typer.Option("--plugin", metavar="FILE.py", help="Your own systems, policies, metrics.")
]


def texts(items: Iterable[str], option: str) -> dict[str, Any]:
    """Return `NAME=TEXT` items as a table; dots in names nest.

    Raises
    ------
    InputError : an item is none, or a name is given twice.

    >>> texts(["first=home_team", "scores.white=1"], "--map")
    {'first': 'home_team', 'scores': {'white': '1'}}
    """
    table: dict[str, Any] = {}
    for item in items:
        name, sign, text = item.partition("=")
        if not (name and sign):
            raise InputError(f"'{item}' is not NAME=VALUE", where=option)
        *outer, last = name.strip().split(".")
        inner = table
        for key in outer:
            inner = inner.setdefault(key, {})
            if not isinstance(inner, dict):
                raise InputError(f"'{key}' and '{name.strip()}' are both given", where=option, expected="one of them")
        if last in inner:
            raise InputError(f"'{name.strip()}' is given twice", where=option, expected="once")
        inner[last] = text.strip()
    return table


def values(items: Iterable[str], option: str) -> dict[str, Any]:
    """Return `NAME=VALUE` items as a table of values: none is None, what else TOML can read of its type, the rest text.

    >>> values(["tau=0.5", "per=30d", "cap=none", "k_by_stage.Friendly=0.5"], "--set")
    {'tau': 0.5, 'per': '30d', 'cap': None, 'k_by_stage': {'Friendly': 0.5}}
    """
    return {name: _value(text) for name, text in texts(items, option).items()}


def _value(text: object) -> object:
    if isinstance(text, dict):
        return {name: _value(each) for name, each in text.items()}
    if text in ("none", "null"):  # as `ratesim systems` writes it
        return None
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
