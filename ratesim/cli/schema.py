"""`ratesim schema`: the JSON Schema of an experiment file, for editors that complete and check TOML."""

from typing import TYPE_CHECKING, Any

from .options import Json, Plugin
from .output import document

if TYPE_CHECKING:
    from ..registry import Registry
    from ..spec import Spec

TEXT = {"type": "string"}
OWN: dict[
    str, dict[str, Any]
] = {  # keys of a table that speak to the experiment, not to the system, policy or calendar
    "system": {
        "label": {**TEXT, "description": "name in tables and figures"},
        "tuned_on": {**TEXT, "description": "games on which the parameters were tuned"},
    },
    "policy": {
        "label": {**TEXT, "description": "name in tables and figures"},
        "systems": {
            "anyOf": [TEXT, {"type": "array", "items": TEXT}],
            "description": "kinds of systems it is for; all of them if left out",
        },
    },
    "calendar": {"label": {**TEXT, "description": "name in tables and figures"}},
}


def schema(plugin: Plugin = None, json: Json = False) -> None:
    """Print the JSON Schema of experiments.

    Editors complete and check TOML by it: keep it beside your experiments (`ratesim schema > ratesim.schema.json`)
    and begin them with the line `#:schema ./ratesim.schema.json`.
    """
    from ..registry import load_plugin

    if plugin:
        load_plugin(plugin)
    document(experiment_schema())


def experiment_schema() -> dict[str, Any]:
    """Return the JSON Schema of an experiment file with every kind that is registered."""
    from ..calendars import CALENDARS
    from ..io import ColumnMap
    from ..keys import Figures, Header, Score, StreamTable
    from ..policies import POLICIES
    from ..systems.base import SYSTEMS
    from ..worlds.base import WORLDS

    definitions: dict[str, Any] = {}
    families: dict[str, Registry[Any]] = {"system": SYSTEMS, "policy": POLICIES, "calendar": CALENDARS}
    kinds = {
        word: [_kind(cls, definitions, OWN[word]) for cls in registry.kinds().values()]
        for word, registry in families.items()
    }
    stream = _object(StreamTable, definitions)
    stream["properties"] |= {
        "columns": _plain(ColumnMap, definitions),
        "world": {"anyOf": [_kind(cls, definitions, {}) for cls in WORLDS.kinds().values()]},
    }
    header = _object(Header, definitions)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **header,
        "title": "ratesim experiment",
        "properties": {
            **header["properties"],
            "stream": _tables([stream]),
            **{word: _tables(found) for word, found in kinds.items()},
            "score": _plain(Score, definitions),
            "figures": _plain(Figures, definitions),
        },
        "required": ["stream", "system"],
        "$defs": definitions,
    }


def _tables(kinds: list[dict[str, Any]]) -> dict[str, Any]:
    """One table of any of these kinds, or an array of them."""
    one = kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    return {"anyOf": [one, {"type": "array", "items": one, "minItems": 1}]}


def _object(cls: "type[Spec]", definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a model without its `kind`; what it refers to goes to the definitions."""
    model = cls.model_json_schema()
    definitions |= model.pop("$defs", {})
    model["properties"].pop("kind", None)
    return model


def _plain(cls: "type[Spec]", definitions: dict[str, Any]) -> dict[str, str]:
    """Put a model among the definitions and return the reference to it."""
    definitions[cls.__name__] = _object(cls, definitions)
    return {"$ref": f"#/$defs/{cls.__name__}"}


def _kind(cls: "type[Spec]", definitions: dict[str, Any], own: dict[str, Any]) -> dict[str, str]:
    """As `_plain`, for a registered kind: a list where one value is meant is an axis."""
    kind = cls.model_fields["kind"].default
    model = _object(cls, definitions)
    model["properties"] = {
        "kind": {"anyOf": [{"const": kind}, {"type": "array", "items": TEXT, "contains": {"const": kind}}]},
        **{name: _axis(each) for name, each in model["properties"].items()},
        **own,
    }
    model["required"] = ["kind", *model.get("required", ())]
    definitions[cls.__name__] = model
    return {"$ref": f"#/$defs/{cls.__name__}"}


def _axis(value: dict[str, Any]) -> dict[str, Any]:
    about: dict[str, Any] = {key: value[key] for key in ("title", "description", "default") if key in value}
    one = {key: each for key, each in value.items() if key not in about}
    return {**about, "anyOf": [one, {"type": "array", "items": one, "minItems": 1}]}
