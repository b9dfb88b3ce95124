"""Options that several verbs share, and `NAME=VALUE` as people type it."""

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

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
Stream = Annotated[
    Path | None, typer.Option(metavar="GAMES", help="Take games from here, not from the file that is named.")
]
Out = Annotated[Path | None, typer.Option(metavar="DIR", help="Results go here; default runs/EXPERIMENT.")]
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

    >>> values(["tau=0.5", "per=30d", "advantage=65", "cap=none"], "--set")
    {'tau': 0.5, 'per': '30d', 'advantage': 65, 'cap': None}
    """
    return {name: _value(text) for name, text in texts(items, option).items()}


def _value(text: object) -> object:
    if text in ("none", "null"):  # as `ratesim systems` writes it
        return None
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
