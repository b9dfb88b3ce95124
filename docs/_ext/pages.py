"""What the directives here have in common: lines of reStructuredText made of code, parsed where they stand."""

from collections.abc import Iterable, Iterator, Sequence

from docstrings import plain
from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import nested_parse_with_titles

UNDERLINES = "=-~^"


class Made(SphinxDirective):
    """A directive whose content is made when the site is built."""

    required_arguments = 0
    optional_arguments = 1

    def lines(self) -> Iterable[str]:
        """Return what stands here."""
        raise NotImplementedError

    def run(self) -> list[nodes.Node]:
        """Return the nodes of the lines, which may be others in the next build."""
        self.env.note_reread()
        place = nodes.section()
        place.document = self.state.document
        nested_parse_with_titles(self.state, StringList(list(self.lines()), source=f"<{self.name}>"), place)
        return place.children


def heading(text: str, level: int, label: str = "") -> Iterator[str]:
    """A heading, 1 being below that of the page, with a label to refer to."""
    if label:
        yield from ("", f".. _{label}:")
    yield from ("", text, UNDERLINES[level] * (len(text) + 2), "")


def table(header: Sequence[str], rows: Iterable[Sequence[str]], widths: str = "auto") -> Iterator[str]:
    """A table whose cells are prose."""
    yield from ("", ".. list-table::", "   :header-rows: 1", f"   :widths: {widths}", "")
    for row in (header, *rows):
        for k, cell in enumerate(row):
            yield f"   {'-' if k else '* -'} {plain(cell)}".rstrip() if k == 0 else f"     - {plain(cell)}".rstrip()
    yield ""


def indented(lines: Iterable[str]) -> Iterator[str]:
    """The same, within the directive above."""
    yield from (f"   {line}".rstrip() for line in lines)
