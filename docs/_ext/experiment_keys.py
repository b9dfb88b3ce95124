"""`experiment-keys`: every key of an experiment file that is not of a kind, with what `ratesim schema` says of it."""

from collections.abc import Iterator

from docstrings import body
from pages import Made, heading, table
from registries import KEYS, cells
from sphinx.application import Sphinx

from ratesim.cli.kinds import describe
from ratesim.cli.schema import OWN
from ratesim.io import ColumnMap
from ratesim.keys import Figures, Header, Score, StreamTable, Tune, WorldTable
from ratesim.ranges import Range
from ratesim.spec import Spec

TABLES: dict[str, type[Spec]] = {
    "Above all tables": Header,
    "``[[stream]]``": StreamTable,
    "``columns`` of a stream": ColumnMap,
    "``[[world]]``": WorldTable,
    "``[score]``": Score,
    "``[figures]``": Figures,
    "``[tune]``": Tune,
    "A range": Range,
}


class ExperimentKeys(Made):
    """The keys, table by table."""

    def lines(self) -> Iterator[str]:
        """Return a section a table, and those that systems, policies and calendars have beside their own parameters."""
        for title, cls in TABLES.items():
            described = describe(cls)
            yield from heading(title, 1)
            yield from (*body(described["documentation"]), "")
            needed = {name: info.is_required() for name, info in cls.model_fields.items()}
            rows = [cells({**each, "required": needed[each["name"]]}) for each in described["parameters"]]
            yield from table(KEYS, rows, "14 12 16 22 36")
        for family, keys in OWN.items():
            yield from heading(f"``[[{family}]]``", 1)
            yield from (f"Beside ``kind`` and the parameters of it, see :doc:`{page(family)}`:", "")
            yield from table(("name", "about"), [(f"`{key}`", each["description"]) for key, each in keys.items()])


def page(family: str) -> str:
    """Return the page on the kinds of a family."""
    return "policies" if family == "policy" else f"{family}s"


def setup(app: Sphinx) -> dict[str, bool]:
    """Offer the directive."""
    app.add_directive("experiment-keys", ExperimentKeys)
    return {"parallel_read_safe": True}
