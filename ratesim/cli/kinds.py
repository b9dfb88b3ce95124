"""`systems`, `policies`, `calendars`, `metrics`: what can be named in an experiment."""

import importlib
import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from .options import Json, Plugin
from .output import document, table

if TYPE_CHECKING:
    from ..registry import Registry
    from ..spec import Spec

FAMILIES = {  # verb: (registry, what it lists, what that is)
    "systems": ("ratesim.systems.base:SYSTEMS", "rating systems", "What makes forecasts, and ratings out of results."),
    "policies": ("ratesim.policies:POLICIES", "K policies", "How far one game moves a rating."),
    "calendars": ("ratesim.calendars:CALENDARS", "calendars", "How a stream is cut into rating periods."),
    "metrics": (
        "ratesim.metrics:METRICS",
        "metrics",
        "Each is a number per game, so that two systems are compared on the same games.",
    ),
}
LEAST = (("exclusiveMinimum", "> {}"), ("minimum", ">= {}"))
MOST = (("exclusiveMaximum", "< {}"), ("maximum", "<= {}"))


def verb(family: str) -> Callable[..., None]:
    """Return the verb that lists one family of specs."""
    _, what, about = FAMILIES[family]

    def listing(
        kind: Annotated[
            str | None, typer.Argument(metavar="KIND", help="Show this one whole, with its sources.")
        ] = None,
        plugin: Plugin = None,
        json: Json = False,
    ) -> None:
        from ..registry import load_plugin

        if plugin:
            load_plugin(plugin)
        registry = _registry(family)
        kinds = registry.kinds() if kind is None else {kind: registry.find(kind)}
        if json:
            found = [describe(cls) for cls in kinds.values()]
            document(found if kind is None else found[0])
        elif kind is None:
            table([row(describe(cls)) for cls in kinds.values()], ("kind", "about", "parameters"))
            typer.echo(f"\n`ratesim {family} KIND` shows one whole: what each parameter is, its range, its sources.")
        else:
            show(describe(kinds[kind]))

    listing.__doc__ = f"""List the {what}, or show one.

    {about} `ratesim {family} KIND` shows one whole: its parameters with units and ranges, and its sources.
    """
    return listing


def describe(cls: "type[Spec]") -> dict[str, Any]:
    """Return one kind as JSON has it: kind, about (one line), documentation, parameters."""
    documentation = (inspect.getdoc(cls) or "").partition("\n>>> ")[0].rstrip()  # examples are for Python
    properties = cls.model_json_schema()["properties"]
    return {
        "kind": properties.pop("kind")["default"],
        "about": documentation.partition("\n")[0],
        "documentation": documentation,
        "parameters": [_parameter(name, schema) for name, schema in properties.items()],
    }


def _registry(family: str) -> "Registry[Spec]":
    module, _, name = FAMILIES[family][0].partition(":")
    return cast("Registry[Spec]", getattr(importlib.import_module(module), name))


def _parameter(name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    given = {"default": schema["default"]} if "default" in schema else {}
    given |= {"example": schema["examples"][0]} if "examples" in schema else {}
    return {
        "name": name,
        **given,
        "required": "default" not in given,
        "unit": schema.get("unit", ""),
        "range": _range(schema),
        "about": " ".join(schema.get("description", "").split()),
    }


def _range(schema: Mapping[str, Any]) -> str:
    """Return what a value may be: bounds, choices or a type."""
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "const" in schema:
        return str(schema["const"])
    if "anyOf" in schema:
        return " or ".join(filter(None, (_range(each) for each in schema["anyOf"] if each.get("type") != "null")))
    bounds = [
        next((form.format(f"{schema[key]:g}") for key, form in side if key in schema), "") for side in (LEAST, MOST)
    ]
    return " and ".join(filter(None, bounds)) or str(schema.get("type", ""))


def row(described: Mapping[str, Any]) -> dict[str, str]:
    """Return one kind as a row of a list."""
    parameters = (
        each["name"] if each["required"] else f"{each['name']}={_short(each['default'])}"
        for each in described["parameters"]
    )
    return {"kind": described["kind"], "about": described["about"], "parameters": " ".join(parameters)}


def _short(value: object) -> str:
    from ..spec import brief

    if isinstance(value, Mapping):  # a part, whose own parameters are shown where it is
        return str(value.get("kind", "..."))
    return "none" if value is None else brief(value)


def show(described: Mapping[str, Any], title: str = "") -> None:
    """Print one kind whole, under its name or another title."""
    typer.echo(f"{title or described['kind']}\n\n{described['documentation']}\n")
    rows = [
        {**each, "default": "(needed)" if each["required"] else _short(each["default"])}
        for each in described["parameters"]
    ]
    if rows:
        table(rows, ("name", "default", "unit", "range", "about"))
