"""What pages are made of: templates, tables, drawings that follow the colours of the page."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import jinja2

SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
REFERENCE = re.compile(r"url\(#")
LINKS = {"href", f"{{{XLINK}}}href"}
EVERYWHERE = re.compile(r"\s*\*\s*\{(.*)\}\s*", re.DOTALL)
COLOUR = re.compile(r"(fill|stroke): #([0-9a-f]{6})\b")
FINE = re.compile(r"\.(\d\d)\d+")  # of a point, as drawings count: a hundredth is not seen


class Cell(NamedTuple):
    """A cell of a table: what it says, and smaller what goes with it."""

    text: str
    small: str = ""
    number: bool = True


class Table(NamedTuple):
    """A table of a page: its first cells name the rows."""

    caption: str
    titles: Sequence[str]
    rows: Sequence[Sequence[Cell]]

    @property
    def heads(self) -> list[tuple[str, bool]]:
        """The titles of the columns, each with whether it has numbers."""
        first = self.rows[0] if self.rows else [Cell("", number=False)] * len(self.titles)
        return [(title, cell.number) for title, cell in zip(self.titles, first, strict=True)]


def words(text: str) -> Cell:
    """Return a cell of words, which stand to the left."""
    return Cell(text, number=False)


def page(template: str, **values: Any) -> str:  # noqa: ANN401  # whatever the template names
    """Return a page made from one of our templates."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("ratesim"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    return environment.get_template(template).render(values)


def inline(text: str, name: str, title: str) -> str:
    """Return a drawing as an element of a page, fit to stand there among others.

    Names inside it get the prefix `name`, so that those of two drawings never meet; its size is left to the page, its
    metadata dropped, a style for everything kept to itself. `title` is read to those who cannot see it. A colour
    is the page's of that name, such as `--c-0072b2`, where the page has one, so that a dark page has a dark drawing.

    >>> inline('<svg xmlns="http://www.w3.org/2000/svg" width="9" viewBox="0 0 9 9"><g id="a"/></svg>', "f", "A figure")
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" role="img" aria-label="A figure"><g id="f-a" /></svg>'
    """
    ET.register_namespace("", SVG)
    ET.register_namespace("xlink", XLINK)
    root = ET.fromstring(text)  # noqa: S314  # our own drawing
    for parent in list(root.iter()):
        for child in list(parent):
            style = EVERYWHERE.fullmatch(child.text or "") if child.tag == f"{{{SVG}}}style" else None
            if style:
                root.set("style", style[1].strip())
            if style or child.tag == f"{{{SVG}}}metadata":
                parent.remove(child)
    for element in root.iter():
        element.text, element.tail = (element.text or "").strip() or None, (element.tail or "").strip() or None
        for key, value in element.attrib.items():
            element.set(key, _fit(key, value, name))
    for size in ("width", "height", "version"):
        root.attrib.pop(size, None)
    root.set("role", "img")
    root.set("aria-label", title)
    return ET.tostring(root, encoding="unicode")


def _fit(key: str, value: str, name: str) -> str:
    """Return an attribute as it stands on a page."""
    match key:
        case "id":
            return f"{name}-{value}"
        case "d":
            return FINE.sub(r".\1", " ".join(value.split()))
        case _ if key in LINKS and value.startswith("#"):
            return f"#{name}-{value[1:]}"
        case "style":
            value = COLOUR.sub(r"\1: var(--c-\2, #\2)", value)
    return REFERENCE.sub(lambda found: f"{found[0]}{name}-", value)
