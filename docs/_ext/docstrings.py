"""Our docstrings as reStructuredText: numpy's sections whose items say on one line what each is."""

import importlib
import inspect
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from sphinx.application import Sphinx
from sphinx.ext.napoleon import Config, NumpyDocstring

PROSE = ["Departures", "Returns", "Yields"]  # sections that are no lists of items
STYLE = Config(napoleon_custom_sections=PROSE, napoleon_use_ivar=True)
ITEMS = {"Parameters", "Attributes", "Raises"}
ITEM = re.compile(r"(?P<names>\w[\w.*, ]*) : (?P<about>\S.*)")
RULE = re.compile(r"-{3,}")
CODE = re.compile(r"(`+[^`]+`+)")
EMPHASIS = re.compile(r"(?<![\w*])\*(\w[^*]*\w|\w)\*(?![\w*])")


def body(text: str) -> list[str]:
    """Return a docstring as lines of reStructuredText, in which nothing is markup but code and emphasis."""
    lines = list(_items(list(_escaped(text.splitlines()))))
    return str(NumpyDocstring(lines, STYLE)).splitlines()


def plain(text: str) -> str:
    """Return a line of prose without markup, but for code and emphasis."""
    return "".join(part if part.startswith("`") else _prose(part) for part in CODE.split(text))


def _prose(text: str) -> str:
    text = text.replace("\\", "\\\\")
    parts = EMPHASIS.split(text)  # odd ones are what stands between the stars
    parts[::2] = [re.sub(r"([*|]|(?<=\w)_(?!\w))", r"\\\1", part) for part in parts[::2]]
    return "".join(f"*{part}*" if k % 2 else part for k, part in enumerate(parts))


def _escaped(lines: Sequence[str]) -> Iterator[str]:
    example = False
    for line in lines:
        example = line.lstrip().startswith(">>>") or (example and bool(line.strip()))
        yield line if example or RULE.fullmatch(line.strip()) else plain(line)


def _items(lines: Sequence[str]) -> Iterator[str]:
    """Put what an item is on a line of its own, where numpy's style has it."""
    section = ""
    for line, following in pairwise([*lines, ""]):
        if RULE.fullmatch(following):
            section = line
        item = ITEM.fullmatch(line)
        if section and line.startswith(">>>"):
            section = ""
            yield from ("Example", "-------")
        if section in ITEMS and item:
            yield from (item["names"], f"    {item['about']}")
        else:
            yield line


def _process(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    text = "\n".join(lines)
    lines[:] = body(remark(name) if text.startswith("Alias for field number") else text)


def remark(name: str) -> str:
    """Return what the source says of a field of a named tuple, on its line."""
    owner, _, field = name.rpartition(".")
    module, _, cls = owner.rpartition(".")
    source = inspect.getsource(getattr(importlib.import_module(module), cls))
    found = re.search(rf"^    {field}: (?:.*?  # (.*))?", source, re.MULTILINE)
    return (found and found[1]) or ""


def setup(app: Sphinx) -> dict[str, bool]:
    """Take the place of napoleon, which would read a colon in the docstring of a property as the end of its type."""
    app.connect("autodoc-process-docstring", _process)
    return {"parallel_read_safe": True}
