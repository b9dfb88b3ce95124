"""Frozen, named parameter sets: what an experiment file says, and what the address of a run is made of."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, get_args

from annotated_types import Ge, Gt, Le, Lt
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo

from .errors import InputError, TogetherError, nearest

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

DAYS = {"s": 1 / 86400, "min": 1 / 1440, "h": 1 / 24, "d": 1.0, "w": 7.0, "mo": 365.2425 / 12, "y": 365.2425}


class Spec(BaseModel):
    """Parameters by name, checked when made, never changed afterwards.

    Raises
    ------
    InputError : an unknown name, a value out of range or of the wrong type.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, validate_default=True)
    kind: str

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise explain(type(self), error) from None

    def __hash__(self) -> int:
        """Go by the parameters, of which some may be tables."""
        return hash((type(self), self.model_dump_json()))

    @classmethod
    def parse(cls, table: Mapping[str, Any], where: str = "") -> Self:
        """Make one from a table of an experiment file; a mistake names `where`."""
        try:
            return cls(**table)
        except InputError as error:
            raise error.inside(where) from None

    @classmethod
    def home(cls, key: str) -> str:  # noqa: ARG003  # whoever has an answer looks at it
        """Return where a key belongs that people look for here, as what was expected; nothing for any other."""
        return ""

    def canonical(self) -> dict[str, Any]:
        """Return every parameter with its value, as JSON has it."""
        return self.model_dump(mode="json")

    @property
    def changed(self) -> dict[str, Any]:
        """The parameters that differ from their defaults."""
        values = self.model_dump(mode="json", exclude_defaults=True)
        return {k: v for k, v in values.items() if k != "kind"}

    @property
    def label(self) -> str:
        """The kind and what differs from the defaults: `elo advantage=65`, `league skills=normal(sd=100)`."""
        return " ".join([self.kind, *self._told()])

    def brief(self) -> str:
        """Return it as labels of what it is a part of have it."""
        return _called(self.kind, self._told())

    def _told(self) -> Iterator[str]:
        for name, value in self.changed.items():
            own = getattr(self, name)
            yield f"{name}={brief(own if _has_parts(own) else value)}"


def brief(value: object) -> str:
    """Return a value as labels have it; parts are specs, or tables with a kind.

    >>> brief({"kind": "normal", "sd": 100}), brief([{"kind": "walk", "sd": 5}]), brief(0.5)
    ('normal(sd=100)', '[walk(sd=5)]', '0.5')
    """
    match value:
        case Spec():
            return value.brief()
        case Mapping():
            told = {**value}
            return _called(str(told.pop("kind", "")), (f"{k}={brief(v)}" for k, v in told.items()))
        case list() | tuple() if any(isinstance(each, Spec | Mapping | str) for each in value):
            return f"[{', '.join(map(brief, value))}]"
        case float():
            return f"{value:g}"
        case _:
            return str(value)


def _has_parts(value: object) -> bool:
    return isinstance(value, Spec) or (isinstance(value, tuple) and any(isinstance(each, Spec) for each in value))


def _called(kind: str, told: Iterable[str]) -> str:
    said = ", ".join(told)
    return f"{kind}({said})" if said else kind


def quantity(default: Any, about: str, *, unit: str, **bounds: Any) -> Any:
    """Return a field with a description, a unit and bounds (gt, ge, lt, le), all three named by its errors.

    Parameters
    ----------
    default : value where the user says nothing; `...` where one must be given.
    about : what the number is, with its source.
    unit : "rating points", "days", "natural log", ...
    """
    return Field(default, description=about, json_schema_extra={"unit": unit}, strict=True, **bounds)


def choice(default: Any, about: str) -> Any:
    """Return a field with a description: a choice of words, a date, a list."""
    return Field(default, description=about)


def days(value: Any) -> Any:
    """Return a duration in days: a number of days, or a number and a unit (s, min, h, d, w, mo, y).

    >>> days("2w"), days(30)
    (14.0, 30.0)
    """
    if not isinstance(value, str):
        return float(value) if isinstance(value, int) and not isinstance(value, bool) else value
    found = re.fullmatch(r"\s*([0-9]*\.?[0-9]+)\s*(s|min|h|d|w|mo|y)\s*", value)
    if not found:
        msg = "a duration is a number and one of s, min, h, d, w, mo, y, such as '30d'"
        raise ValueError(msg)
    return float(found[1]) * DAYS[found[2]]


def unbounded(value: Any) -> Any:
    """Return None for the word none, which TOML has in its place."""
    return None if isinstance(value, str) and value == "none" else value


Duration = Annotated[float, BeforeValidator(days, json_schema_input_type=float | str)]
Bound = Annotated[float | None, BeforeValidator(unbounded, json_schema_input_type=float | Literal["none"] | None)]


def is_range(value: object) -> bool:
    """Return whether what stands for one number is meant for a range of numbers: a table, or a `Range`."""
    if isinstance(value, Spec):
        return value.kind == "range"
    return isinstance(value, Mapping) and "kind" not in value and not {"low", "high"}.isdisjoint(value)


def _foremost(mistakes: "Sequence[ErrorDetails]") -> "ErrorDetails":
    """Return the mistake to be told: a key that is missing may be the one that is misspelt beside it."""
    first = mistakes[0]
    unknown = (each for each in mistakes if each["type"] == "extra_forbidden")
    return next(unknown, first) if first["type"] == "missing" else first


def _caused(cause: Exception, value: object, where: str) -> InputError:
    """Return what a validator of ours says: of one key or, where there is no place, of keys that are right alone."""
    if not isinstance(cause, InputError):
        return InputError(f"{where} = {value!r}: {cause}") if where else TogetherError(str(cause))
    if where:
        return cause.inside(where)
    return TogetherError(cause.what, where=cause.where, expected=cause.expected, near=cause.near)


def explain(model: type[Spec], error: ValidationError) -> InputError:
    """Return the first mistake of a pydantic error as one line."""
    first = _foremost(error.errors(include_url=False))
    where = _place(first["loc"])
    field = model.model_fields.get(str(first["loc"][0])) if first["loc"] else None
    if first["type"] == "extra_forbidden":
        if home := model.home(where):
            return InputError(f"key '{where}'", expected=home)
        names = [n for n in model.model_fields if n != "kind"]
        near = nearest(where, names)
        kind = model.model_fields["kind"].default
        has = f"one of {', '.join(names)}, those of {kind}" if names else f"none, for {kind} has none"
        return InputError(f"unknown key '{where}'", expected="" if near else has, near=near)
    if first["type"] == "missing":
        return InputError(f"missing key '{where}'")
    if where and is_range(first["input"]):
        expected = "one value here; `ratesim tune` takes ranges, under [[system]] or [[policy]] of an experiment"
        return InputError(f"{where} is a range", expected=expected)
    cause = first.get("ctx", {}).get("error")
    if isinstance(cause, Exception):
        return _caused(cause, first["input"], where)
    expected, near = _wanted(first, field)
    said = "" if expected or near else f": {first['msg']}"
    return InputError(f"{where} = {first['input']!r}{said}", expected=expected, near=near)


def judged(error: ValidationError, option: str) -> InputError | None:
    """Return a pydantic error about an option of the command line as one line, where it says what was expected."""
    first = error.errors(include_url=False)[0]
    expected, near = _wanted(first)
    return InputError(f"{option} {first['input']}", expected=expected, near=near) if expected or near else None


def _wanted(first: "ErrorDetails", field: FieldInfo | None = None) -> tuple[str, str | None]:
    """Return what was expected, and the nearest right name where one is near."""
    mistake, about = first["type"], first.get("ctx", {})
    if mistake == "literal_error":
        names = re.findall(r"'([^']*)'", about["expected"])
        near = nearest(str(first["input"]), names)
        return "" if near else f"one of {', '.join(names)}", near
    if mistake == "too_short":
        return f"a list of at least {about['min_length']}", None
    if mistake == "tuple_type" and field and _of_specs(field.annotation):
        return f"a list such as {_in_list(first['input'])}", None
    if expected := _range(field) if field else "":
        return expected, None
    bounds = (f"{words} {about[key]:g}" for key, words in BOUNDS.items() if key in about)
    return next(bounds, "") or _kind(mistake), None


def _of_specs(annotation: object) -> bool:
    """Return whether values are specs, or hold some, and no numbers in their place."""
    if isinstance(annotation, type) and issubclass(annotation, Spec):
        return True
    inside = get_args(annotation)
    return float not in inside and any(map(_of_specs, inside))


def _in_list(part: object) -> str:
    """Return a part as TOML has it in a list of parts.

    >>> _in_list("walk"), _in_list({"kind": "walk", "sd": 5}), _in_list(5)
    ('[{ kind = "walk" }]', '[{ kind = "walk", ... }]', '[{ kind = ... }]')
    """
    kind = part.get("kind") if isinstance(part, Mapping) else part
    more = ", ..." if isinstance(part, Mapping) and len(part) > 1 else ""
    return f'[{{ kind = "{kind}"{more} }}]' if isinstance(kind, str) else "[{ kind = ... }]"


def _place(loc: Iterable[int | str]) -> str:
    """Return where a mistake is: keys joined by dots, the numbers of values in lists counted from 1."""
    return "".join(f" {step + 1}" if isinstance(step, int) else f".{step}" for step in loc).removeprefix(".")


BOUNDS = {"gt": "a number more than", "ge": "a number at least", "lt": "a number less than", "le": "a number at most"}
WANTED = {
    "bool": "true or false", "date": "a date such as 2026-01-31", "dict": "a table", "finite": "a number",
    "float": "a number", "int": "a whole number", "list": "a list", "model": "a table", "string": "a text",
    "tuple": "a list",
}  # fmt: skip


def _kind(mistake: str) -> str:
    """Return what was wanted, by the kind of pydantic's error ("tuple_type", "date_from_datetime_parsing")."""
    return WANTED.get(mistake.partition("_")[0], "")


def _range(field: FieldInfo) -> str:
    low = high = ""
    for bound in field.metadata:
        match bound:
            case Gt(gt=x):
                low = f"more than {x:g}"
            case Ge(ge=x):
                low = f"at least {x:g}"
            case Lt(lt=x):
                high = f"less than {x:g}"
            case Le(le=x):
                high = f"at most {x:g}"
    extra = field.json_schema_extra
    unit = extra.get("unit", "") if isinstance(extra, dict) else ""
    bounds = " and ".join(filter(None, (low, high)))
    none = any(isinstance(each, BeforeValidator) and each.func is unbounded for each in field.metadata)
    told = " ".join(filter(None, ("a number", bounds, f"({unit})" if unit else "", "or none" if none else "")))
    return told if bounds else ""
