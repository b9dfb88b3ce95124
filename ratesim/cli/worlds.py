"""`ratesim worlds`: worlds, and the parts that they are made of."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from ..errors import InputError, nearest
from .kinds import describe, row, show
from .options import Json, Plugin
from .output import document, table

if TYPE_CHECKING:
    from ..spec import Spec


class Family(NamedTuple):
    """What one key of a world may be."""

    name: str  # the key; `world` of worlds themselves
    about: str
    kinds: "dict[str, type[Spec]]"


def worlds(
    kind: Annotated[
        str | None, typer.Argument(metavar="KIND", help="Show this one whole, such as league, walk or skills.normal.")
    ] = None,
    plugin: Plugin = None,
    json: Json = False,
) -> None:
    """List the worlds and the parts that they are made of, or show one.

    A world is skills, their changes, activity, pairing, outcomes and stress; each is a table in an experiment's
    [world], and can be another. `ratesim worlds KIND` shows one whole: its parameters with units and ranges.
    """
    from ..registry import load_plugin

    if plugin:
        load_plugin(plugin)
    found = list(families())
    if kind is not None:
        chosen = _named(kind, found)
        described = [{"family": family, **describe(cls)} for family, cls in chosen]
        if json:
            document(described[0] if len(described) == 1 else described)
            return
        for shown in described:
            show(shown, title=shown["kind"] if len(described) == 1 else f"{shown['family']}.{shown['kind']}")
    elif json:
        document([{"family": each.name, **describe(cls)} for each in found for cls in each.kinds.values()])
    else:
        for each in found:
            rows = [row(describe(cls)) for cls in each.kinds.values()]
            table(rows, ("kind", "about", "parameters"), title=f"{each.name}: {each.about}")
            typer.echo()
        typer.echo("`ratesim worlds KIND` shows one whole: what each parameter is, its range, its sources.")


def families() -> Iterator[Family]:
    """Yield the worlds, then what each of their keys that holds parts may be."""
    from ..grid import part
    from ..registry import Registry
    from ..worlds.base import WORLDS

    yield Family("world", "where simulated games come from", {**WORLDS.kinds()})
    seen: set[str] = set()
    for world in WORLDS.kinds().values():
        for key, info in world.model_fields.items():
            family = part(info)
            if family is None or key in seen:
                continue
            seen.add(key)
            kinds: dict[str, Any] = (
                family.kinds() if isinstance(family, Registry) else {family.model_fields["kind"].default: family}
            )
            yield Family(key, info.description or "", kinds)


def _named(kind: str, found: list[Family]) -> "list[tuple[str, type[Spec]]]":
    """Return the kinds of that name, of one family where it is named (`skills.normal`)."""
    of, _, name = kind.rpartition(".")
    chosen = [(each.name, each.kinds[name]) for each in found if of in {"", each.name} and name in each.kinds]
    if not chosen:
        names = [name for each in found for name in each.kinds]
        near = nearest(name, names)
        raise InputError(f"no kind '{kind}'", expected="" if near else "one that `ratesim worlds` lists", near=near)
    return chosen
