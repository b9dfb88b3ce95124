"""A range where one number is meant: what tuning may choose from."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Self

from pydantic import StrictBool, model_validator

from .errors import InputError, TogetherError, nearest
from .spec import Spec, choice, quantity

Path = tuple[str | int, ...]  # keys of tables and places in lists, outermost first


class Range(Spec):
    """The values that a parameter may take while it is tuned.

    Raises
    ------
    InputError : it is upside down, its logarithm has none, or its ends are no whole numbers where all values are.

    >>> Range(10, 40, points=4).values(9)
    [10.0, 20.0, 30.0, 40.0]
    >>> Range(1, 100, scale="log", whole=True).values(3)
    [1, 10, 100]
    """

    kind: Literal["range"] = "range"
    low: float = quantity(..., "least value", unit="as the parameter")
    high: float = quantity(..., "greatest value", unit="as the parameter")
    scale: Literal["linear", "log"] = choice("linear", "along which values lie evenly: linear or log")
    points: int | None = quantity(
        None, "values of a grid, both ends among them; none: by the number of ranges", unit="values", ge=2, le=100_000
    )
    whole: StrictBool = choice(default=False, about="whether values are whole numbers")

    def __init__(self, low: float, high: float, **values: Any) -> None:  # noqa: ANN401  # as pydantic's own
        super().__init__(low=low, high=high, **values)

    @classmethod
    def parse(cls, table: Mapping[str, Any], where: str = "") -> Self:
        """Make one from a table of an experiment file; a mistake names `where`."""
        for key in table:  # one of the ends may be misspelt
            if key not in cls.model_fields:
                names = [name for name in cls.model_fields if name != "kind"]
                near = nearest(key, names)
                expected = "" if near else f"one of {', '.join(names)}"
                raise InputError(f"unknown key '{key}'", where=where, expected=expected, near=near)
        for end in ("low", "high"):
            if end not in table:
                raise InputError(f"missing key '{end}'", where=where, expected="a range: { low = 5, high = 80 }")
        return super().parse(table, where)

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if not self.low < self.high:
            raise InputError(f"low = {self.low:g}, high = {self.high:g}", expected="low less than high")
        if self.scale == "log" and self.low <= 0:
            raise InputError(f"low = {self.low:g}", expected="more than 0 on a logarithmic scale")
        if self.whole and not (self.low.is_integer() and self.high.is_integer()):
            raise InputError(f"low = {self.low:g}, high = {self.high:g}", expected="whole numbers, for whole = true")
        return self

    def brief(self) -> str:
        """Return the ends, as labels have them."""
        return f"{self.low:g}..{self.high:g}"

    def at(self, share: float) -> float:
        """Return the value at a share of the way from low to high, 0..1, along the scale."""
        if self.scale == "log":
            value = math.exp((1.0 - share) * math.log(self.low) + share * math.log(self.high))
        else:
            value = (1.0 - share) * self.low + share * self.high
        return self.tidy(value)

    def tidy(self, value: float) -> float:
        """Return a value without the dust of rounding, 10 for 9.99...98, within the range and whole where that is."""
        value = min(max(float(f"{value:.12g}"), self.low), self.high)
        return round(value) if self.whole else value

    def share(self, value: float) -> float:
        """Return how far along the way from low to high a value lies, 0..1: the inverse of `at`."""
        if self.scale == "log":
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def values(self, points: int) -> list[float]:
        """Return the values of a grid, rising: so many as `points` of the range says, or as are asked for."""
        n = self.points or points
        return list(dict.fromkeys(self.at(k / (n - 1)) for k in range(n)))


class Ranged(NamedTuple):
    """A parameter that has a range, and where it stands in a spec's table."""

    path: Path
    range: Range

    @property
    def name(self) -> str:
        """The path as people write it."""
        return named(self.path)

    def check(self, build: Callable[[float], object], where: str = "") -> None:
        """Refuse a range that reaches beyond what its parameter may be.

        Parameters
        ----------
        build : makes what has the parameter, with a value of it. Values that do not go together are left to tuning.

        Raises
        ------
        InputError : an end of the range is none that the parameter may have.
        """
        for end, value in (("low", self.range.low), ("high", self.range.high)):
            tried = round(value) if self.range.whole else value
            try:
                build(tried)
            except TogetherError:
                continue
            except InputError as error:
                said, _, why = error.what.partition(": ")
                if not said.endswith(f" = {tried!r}"):  # another parameter is meant
                    raise
                place = ", ".join(filter(None, (where, self.name)))
                what = f"{end} = {value:g}" + (f": {why}" if why else "")
                raise InputError(what, where=place, expected=error.expected) from None


def named(path: Path) -> str:
    """Return a path as people write it; places in lists are counted from 1.

    >>> named(("k",)), named(("base", "k")), named(("k", 1))
    ('k', 'base.k', 'k.2')
    """
    return ".".join(str(step + 1) if isinstance(step, int) else step for step in path)


def told(names: Sequence[str], ranges: Sequence[Range]) -> str:
    """Return ranges by name, as mistakes have them.

    >>> told(["at.1", "at.2"], [Range(50, 90), Range(10, 40)])
    'at.1 = 50..90, at.2 = 10..40'
    """
    return ", ".join(f"{name} = {each.brief()}" for name, each in zip(names, ranges, strict=True))


def ranges_in(value: object, path: Path = ()) -> Iterator[Ranged]:
    """Yield the ranges that stand anywhere in a table."""
    if isinstance(value, Range):
        yield Ranged(path, value)
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from ranges_in(each, (*path, key))
    elif isinstance(value, list):
        for n, each in enumerate(value):
            yield from ranges_in(each, (*path, n))


def with_values(value: Any, chosen: Mapping[Path, Any], path: Path = ()) -> Any:  # noqa: ANN401  # whatever tables hold
    """Return a table in which some values are others, by their paths; the table itself stays as it is.

    >>> with_values({"k": [10, 20], "at": 5}, {("k", 1): 30})
    {'k': [10, 30], 'at': 5}
    """
    if path in chosen:
        return chosen[path]
    if isinstance(value, Mapping):
        return {key: with_values(each, chosen, (*path, key)) for key, each in value.items()}
    if isinstance(value, list):
        return [with_values(each, chosen, (*path, n)) for n, each in enumerate(value)]
    return value


def value_at(value: Any, path: Path) -> Any:  # noqa: ANN401  # whatever tables hold
    """Return what stands at a path of a table.

    Raises
    ------
    LookupError, TypeError : nothing does.
    """
    for step in path:
        value = value[step]
    return value
