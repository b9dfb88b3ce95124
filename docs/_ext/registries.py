"""`registry`: every kind that an experiment can name, as `ratesim systems KIND` and its kin print it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from docstrings import body, plain
from pages import Made, heading, indented, table
from sphinx.application import Sphinx

import ratesim as rs
from ratesim.cli.kinds import describe
from ratesim.cli.worlds import families
from ratesim.registry import Registry
from ratesim.spec import Spec, brief

REGISTRIES: dict[str, Registry[Any]] = {
    "systems": rs.SYSTEMS, "policies": rs.POLICIES, "calendars": rs.CALENDARS, "metrics": rs.METRICS,
}  # fmt: skip
KEYS = ("name", "default", "unit", "range", "about")


class Kinds(Made):
    """The kinds of one registry: a list, then each whole."""

    def lines(self) -> Iterator[str]:
        """Return sections, one a kind; of worlds one a family."""
        family = self.arguments[0]
        if family == "worlds":
            for name, about, kinds in families():
                yield from heading(name, 1, f"worlds-{name}")
                yield from (plain(f"{about[:1].upper()}{about[1:]}."), "")
                yield from whole(kinds, name, 2)
        else:
            yield from whole(REGISTRIES[family].kinds(), family, 1)


def whole(kinds: Mapping[str, type[Spec]], family: str, level: int) -> Iterator[str]:
    """A list of the kinds, and a section on each."""
    found = [describe(cls) for cls in kinds.values()]
    yield from table(("kind", "about"), [(f"`{each['kind']}`", each["about"]) for each in found], "20 80")
    for kind, cls in kinds.items():
        yield from heading(f"``{kind}``", level, f"{family}-{kind}")
        yield from section(cls)


def section(cls: type[Spec]) -> Iterator[str]:
    """One kind: its class where it is public, what it is, its parameters."""
    described = describe(cls)
    text = list(body(described["documentation"]))
    if getattr(rs, cls.__name__, None) is cls:
        yield from (f".. py:class:: ratesim.{cls.__name__}({_signature(described['parameters'])})", "")
        text = list(indented(text))
    yield from (*text, "")
    if described["parameters"]:
        yield from table(KEYS, [cells(each) for each in described["parameters"]], "14 12 16 22 36")


def _signature(parameters: Sequence[Mapping[str, Any]]) -> str:
    return ", ".join(["*", *(each["name"] for each in parameters)]) if parameters else ""


def cells(parameter: Mapping[str, Any]) -> tuple[str, ...]:
    """The row of a parameter."""
    default = "(needed)" if parameter["required"] else f"`{_told(parameter.get('default'))}`"
    return f"`{parameter['name']}`", default, parameter["unit"], parameter["range"], parameter["about"]


def _told(value: object) -> str:
    return "none" if value is None else brief(value) or '""'


def setup(app: Sphinx) -> dict[str, bool]:
    """Offer the directive."""
    app.add_directive("registry", Kinds)
    return {"parallel_read_safe": True}
