"""`ratesim schema`: the JSON Schema of an experiment file, for editors that complete and check TOML."""

from typing import TYPE_CHECKING, Any, get_args

from .options import Json, Plugin
from .output import document

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

    from ..registry import Registry
    from ..spec import Spec

TEXT = {"type": "string"}
INNER = ("additionalProperties", "anyOf", "items", "prefixItems")  # where a schema has others in it
ABOUT = ("title", "description", "default")  # of a value, whatever it may be
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
    from ..experiment import USUAL
    from ..io import ColumnMap
    from ..keys import Figures, Header, Score, StreamTable, Tune, WorldTable
    from ..policies import POLICIES
    from ..ranges import Range
    from ..systems.base import SYSTEMS
    from ..worlds.base import WORLDS

    definitions: dict[str, Any] = {}
    _plain(Range, definitions)
    families: dict[str, Registry[Any]] = {"system": SYSTEMS, "policy": POLICIES, "calendar": CALENDARS}
    kinds = {
        word: [_kind(f"{word}.{kind}", cls, definitions, OWN[word]) for kind, cls in registry.kinds().items()]
        for word, registry in families.items()
    }
    stream, own = _object(StreamTable, definitions), _object(WorldTable, definitions)["properties"]
    stream["properties"]["columns"] = _plain(ColumnMap, definitions)
    worlds = [
        _kind(f"world.{kind}", cls, definitions, own, usual=kind == USUAL) for kind, cls in WORLDS.kinds().items()
    ]
    header = _object(Header, definitions)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **header,
        "title": "ratesim experiment",
        "properties": {
            **header["properties"],
            "stream": _tables([stream]),
            "world": _tables(worlds),
            **{word: _tables(found) for word, found in kinds.items()},
            "score": _plain(Score, definitions),
            "figures": _plain(Figures, definitions),
            "tune": _plain(Tune, definitions),
        },
        "required": ["system"],
        "anyOf": [{"required": ["stream"]}, {"required": ["world"]}],
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


def _kind(
    name: str, cls: "type[Spec]", definitions: dict[str, Any], own: dict[str, Any], *, usual: bool = False
) -> dict[str, str]:
    """As `_plain`, for a kind of a family: a list where one value is meant is an axis. The usual one need not be named.

    A kind that several places may name is defined once; parts of parts may be of its own family.
    """
    if name not in definitions:
        definitions[name] = {}  # found by parts of itself, before it is whole
        kind = cls.model_fields["kind"].default
        model = _object(cls, definitions)
        for key, info in cls.model_fields.items():
            if (value := _part(info, definitions)) is not None:
                about = {each: model["properties"][key][each] for each in ABOUT if each in model["properties"][key]}
                model["properties"][key] = {**about, **value}
        if _tuned(cls):
            model["properties"] = {key: _ranged(each) for key, each in model["properties"].items()}
        model["properties"] = {
            "kind": {"anyOf": [{"const": kind}, {"type": "array", "items": TEXT, "contains": {"const": kind}}]},
            **{key: _axis(each) for key, each in model["properties"].items()},
            **own,
        }
        model["required"] = [*([] if usual else ["kind"]), *model.get("required", ())]
        definitions[name] = model
    return {"$ref": f"#/$defs/{name}"}


def _tuned(cls: "type[Spec]") -> bool:
    """Whether numbers of a family may be ranges."""
    from ..policies import Policy
    from ..systems.base import Rater

    return issubclass(cls, Policy | Rater)


def _ranged(value: Any) -> Any:  # noqa: ANN401  # any part of a schema
    """Return a schema in which a range may stand for any number."""
    if isinstance(value, list):
        return [_ranged(each) for each in value]
    if not isinstance(value, dict):
        return value
    if value.get("type") in {"number", "integer"}:
        about = {key: value[key] for key in ABOUT if key in value}
        one = {key: each for key, each in value.items() if key not in about}
        return {**about, "anyOf": [one, {"$ref": "#/$defs/Range"}]}
    inner = {key: _ranged(each) for key, each in value.items() if key in INNER}
    return {**value, **inner}


def _part(info: "FieldInfo", definitions: dict[str, Any]) -> dict[str, Any] | None:
    """Return the schema of a field that holds a part or a list of parts; None of any other."""
    from ..grid import nesting, part
    from ..registry import Registry

    family = part(info)
    if family is None:
        return None
    if isinstance(family, Registry):
        found = family.kinds()
        named = [_kind(f"{family.home}.{kind}", cls, definitions, {}) for kind, cls in found.items()]
        number = [{"type": "number"}] if _or_number(info.annotation) else []
        one: dict[str, Any] = {"anyOf": [*number, {"enum": list(found)}, *named]}
    else:
        one = _kind(f"{family.__module__}.{family.__name__}", family, definitions, {}, usual=True)
    return {"type": "array", "items": one} if nesting(info.annotation) else one


def _or_number(annotation: object) -> bool:
    """Whether a number may stand where a part does."""
    inside = get_args(annotation)
    return float in inside or any(map(_or_number, inside))


def _axis(value: dict[str, Any]) -> dict[str, Any]:
    about = {key: value[key] for key in ABOUT if key in value}
    one = {key: each for key, each in value.items() if key not in about}
    return {**about, "anyOf": [one, {"type": "array", "items": one, "minItems": 1}]}
