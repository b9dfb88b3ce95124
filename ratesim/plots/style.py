"""How figures look: size, colours, lines, legend."""

import re
import textwrap
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import matplotlib as mpl
import numpy as np
from matplotlib import dates, font_manager, ticker
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from ..spec import Spec, quantity

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MM = 25.4  # in an inch

# Okabe and Ito's colours, which people who see colours differently tell apart, without their yellow. Neighbours differ
# in dashes too, so that lines are told apart in grey; of those with the same dashes one is far darker. Dots say
# something else in each figure.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (7, 1.5, 1.5, 1.5)), (0, (2.2, 1.3)))
MARKERS = "os^DvP*X"  # of points, so that they are told apart in grey
FLAT = 1e-9  # what rounding makes of values that are one
GREY = "#8c8c8c"
FAINT = "#d9d9d9"

FONT = "DejaVu Sans"  # comes with matplotlib
# Asked in this order for letters that it lacks: what systems and Linux distributions have for names of other scripts.
OTHER_FONTS = (
    *("Noto Sans CJK JP", "Noto Sans CJK SC", "Noto Sans JP", "Noto Sans SC", "Noto Sans KR", "Source Han Sans"),
    *("Hiragino Sans", "PingFang SC", "Apple SD Gothic Neo", "Yu Gothic", "Microsoft YaHei", "Malgun Gothic"),
    *("IPAexGothic", "IPAGothic", "WenQuanYi Zen Hei", "WenQuanYi Micro Hei", "NanumGothic", "Droid Sans Fallback"),
    *(
        "Noto Sans",
        "Noto Sans Devanagari",
        "Noto Sans Bengali",
        "Noto Sans Tamil",
        "Noto Sans Thai",
        "Noto Sans Hebrew",
    ),
    *("Noto Sans Arabic", "Noto Sans Armenian", "Noto Sans Georgian", "FreeSans", "Arial Unicode MS", "STIXGeneral"),
)
LACKING = r"Glyph (\d+) .*missing from"


class Style(Spec):
    """Size of a figure on paper."""

    kind: Literal["style"] = "style"
    width_mm: float = quantity(170.0, "width of the figure", unit="mm", ge=40, le=1000)
    font_pt: float = quantity(9.0, "size of its text", unit="pt", ge=4, le=40)

    @property
    def ems(self) -> float:
        """Width of the figure in ems, names of axes within."""
        return self.width_mm * 72 / MM / self.font_pt


@contextmanager
def settings(style: Style) -> Iterator[None]:
    """Draw with matplotlib's own defaults and ours, whatever the user's matplotlibrc says; put theirs back."""
    size = style.font_pt
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(
            {
                "font.family": _fonts(),
                "text.parse_math": False,  # a dollar is a letter of a name
                "font.size": size,
                **dict.fromkeys(("axes.titlesize", "axes.labelsize", "figure.titlesize", "legend.fontsize"), size),
                **dict.fromkeys(("xtick.labelsize", "ytick.labelsize"), 0.9 * size),
                "axes.titlelocation": "left",
                "axes.spines.top": False,
                "axes.spines.right": False,
                "axes.linewidth": 0.06 * size,
                "axes.edgecolor": "#4d4d4d",
                "axes.grid": True,
                "axes.axisbelow": True,
                "grid.color": "#ebebeb",
                "grid.linewidth": 0.06 * size,
                "lines.linewidth": 0.14 * size,
                "legend.frameon": False,
                "legend.handlelength": 2.2,
                "xtick.color": "#4d4d4d",
                "ytick.color": "#4d4d4d",
                "xtick.labelcolor": "black",
                "ytick.labelcolor": "black",
                "axes.unicode_minus": True,
                "svg.fonttype": "path",
                "svg.hashsalt": "ratesim",
                "pdf.fonttype": 42,
            }
        )
        yield


@contextmanager
def lacking() -> Iterator[set[str]]:
    """Yield a set of the letters that no font here has, complete when the block ends, in place of warnings of each."""
    letters: set[str] = set()
    with warnings.catch_warnings(record=True) as caught:
        warnings.filterwarnings("always", LACKING, UserWarning)
        yield letters
    for each in caught:
        found = re.match(LACKING, str(each.message), re.DOTALL)
        if found:
            letters.add(chr(int(found[1])))
        else:
            warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)


@cache
def _fonts() -> list[str]:
    """Return the families of those fonts that are here; matplotlib would complain of others."""
    here = set(font_manager.get_font_names())
    return [FONT, *(name for name in OTHER_FONTS if name in here)]


def look(k: int) -> dict[str, Any]:
    """Colour and dashes of the k-th line."""
    return {"color": COLOURS[k % len(COLOURS)], "linestyle": DASHES[k % len(DASHES)]}


def time_axis(axes: "Axes", ems: float, *, days: bool) -> None:
    """Mark dates, or days, on the horizontal axis of a panel so many ems wide."""
    ticks = max(3, int(ems / 2.8))
    axes.margins(x=0.01)
    if days:
        axes.xaxis.set_major_locator(ticker.MaxNLocator(min(ticks, 6)))
    else:
        locator = dates.AutoDateLocator(minticks=2, maxticks=min(ticks, 8))  # type: ignore[no-untyped-call]
        axes.xaxis.set_major_locator(locator)
        axes.xaxis.set_major_formatter(dates.ConciseDateFormatter(locator))  # type: ignore[no-untyped-call]


def shade(how: Mapping[str, Any]) -> dict[str, Any]:
    """Return how the band about a line looks."""
    return {"color": how["color"], "alpha": 0.15, "linewidth": 0}


def zero(axes: "Axes", style: Style, level: float = 0.0) -> None:
    """Draw a grey line at zero, or another level."""
    axes.axhline(level, color=GREY, linewidth=0.1 * style.font_pt, zorder=1)


class Sheet:
    """A figure of equal panels under one title and one legend.

    Parameters
    ----------
    style : its size.
    panels : their names, written over them where there is more than one.
    aspect : height of a panel over its width.
    widest : panels side by side at most, however wide the sheet.
    title : above all.
    lines : label and look of each line, for the legend; one alone needs none.
    heights : of panels that stand over each other, as multiples of the aspect; all 1 if left out or side by side.
    share_y, share_x : whether all panels have one vertical, one horizontal scale.
    beside : room for the vertical scale of a panel, ems.
    """

    def __init__(
        self,
        style: Style,
        panels: Sequence[str],
        *,
        aspect: float,
        widest: int,
        title: str,
        lines: Mapping[str, Mapping[str, Any]] | None = None,
        share_y: bool = True,
        share_x: bool = True,
        beside: float = 3.5,
        heights: Sequence[float] = (),
    ) -> None:
        self.em = style.font_pt / 72  # inches
        width = style.width_mm / MM
        rows = -(-len(panels) // min(widest, max(1, int(width / (13 * self.em)))))
        columns = -(-len(panels) // rows)
        self.panel_ems = width / columns / self.em - beside  # between the axes
        names = [wrapped(name, self.panel_ems) for name in panels] if len(panels) > 1 else [""]
        over = sum(tallest(names[k : k + columns]) for k in range(0, len(names), columns))
        tall = heights if heights and columns == 1 else [1.0] * rows
        height = sum(tall) * self.panel_ems * aspect + 2.5 * rows + 1.3 * over + 3
        self.figure = Figure(figsize=(width, height * self.em), layout="constrained")
        grid = self.figure.subplots(
            rows, columns, sharex=share_x, sharey=share_y, squeeze=False, height_ratios=tall
        )  # fmt: skip
        self.axes: list[Axes] = list(grid.flat)[: len(panels)]
        for spare in list(grid.flat)[len(panels) :]:
            spare.remove()
        for axes, name in zip(self.axes, names, strict=True):
            axes.set_title(name)
        for axes in self.axes[-columns:]:
            axes.xaxis.set_tick_params(labelbottom=True)
        self._head(title, lines or {})

    def _head(self, title: str, lines: Mapping[str, Mapping[str, Any]]) -> None:
        """Put title and legend over the panels, and make room for them."""
        width, height = self.figure.get_size_inches()
        ems = width / self.em
        title = wrapped(title, ems - 4)
        if len(lines) < 2:
            self.figure.suptitle(title, x=0.01, ha="left", weight="bold")
            return
        names = [wrapped(name, ems - 6) for name in lines]
        columns = max(1, min(len(names), int(ems / (0.6 * max(map(len, lines)) + 4.5))))
        rows = -(-len(names) // columns)
        tall = sum(tallest(names[k::rows]) for k in range(rows)) + tallest([title])
        self.figure.set_size_inches(width, height + (1.5 * tall + 0.5) * self.em)
        self.figure.legend(
            [Line2D([], [], **each) for each in lines.values()],
            names,
            loc="outside upper left",
            ncols=columns,
            columnspacing=1.5,
            borderaxespad=0.2,
            borderpad=0.2,
            title=title,
            title_fontproperties={"weight": "bold"},
            alignment="left",
        )


def flat(values: NDArray[np.float64]) -> bool:
    """Whether values are one but for rounding, so that an axis about them would show nothing else."""
    return bool(np.ptp(values) <= FLAT * max(1.0, float(np.abs(values).max())))


def plain(axes: "Axes", values: Sequence[float]) -> None:
    """Scale the vertical axis to values that say little: whole numbers have whole ticks, and one value has room."""
    some = np.asarray(values, dtype=np.float64)
    some = some[np.isfinite(some)]
    if not some.size:
        return
    if flat(some):
        middle = float(some.mean())
        axes.set_ylim(middle - 1.0, middle + 1.0)
    if (some == np.round(some)).all():
        axes.yaxis.set_major_locator(ticker.MaxNLocator("auto", integer=True))


def name_axes(sheet: Sheet, x: str, y: str) -> None:
    """Name the axes once for all panels."""
    sheet.figure.supxlabel(x, size="medium")
    if y:
        sheet.figure.supylabel(y, size="medium")


def wrapped(text: str, ems: float) -> str:
    """Text in lines of so many ems; a letter is .56 em wide on average."""
    return textwrap.fill(text, max(8, int(ems / 0.56)))


def tallest(names: Sequence[str]) -> int:
    """Lines of the tallest name, 0 where all are empty."""
    return max((name.count("\n") + 1 for name in names if name), default=0)
