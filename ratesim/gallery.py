"""`index.html` of a folder of experiments: of each its question, its answer, the figure that shows it."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from .analysis import counted
from .errors import InputError
from .files import whole
from .illustrate import stored
from .report import complete, found_in, inline, page

PAGE = "index.html"
MARK = '<meta name="generator" content="ratesim">'


def places(experiment: Path, out: Path) -> list[tuple[Path, Path]]:
    """Return experiment files, each with the folder for its results: of one file `out`, of a folder `out/NAME`.

    Raises
    ------
    InputError : a folder has no TOML file.
    """
    if not experiment.is_dir():
        return [(experiment, out)]
    files = sorted(experiment.glob("*.toml"))
    if not files:
        raise InputError("no experiments", where=str(experiment), expected="a folder with TOML files")
    return [(file, out / file.stem) for file in files]


def taken(folder: Path) -> str | None:
    """Return what forbids to put a gallery here unasked, None where nothing does."""
    path = folder / PAGE
    if not path.exists() or (path.is_file() and MARK in path.read_text(encoding="utf-8", errors="replace")):
        return None
    return f"holds an {PAGE} that is not a gallery of ours"


def write(folder: Path, names: Sequence[str]) -> Path:
    """Write the page of experiments whose results stand in `folder/NAME`; return its path.

    The same results make the same bytes; the page needs nothing but itself, and links to each experiment's report.

    Raises
    ------
    InputError : the results of one are not there, or the page cannot be written.
    """
    shown = [_experiment(folder, name, f"figure-{number}") for number, name in enumerate(names, 1)]
    text = page(
        "gallery.html.j2", title=folder.resolve().name, what=f"{counted(len(shown), 'experiment')}.", shown=shown
    )
    with whole(folder / PAGE) as place:
        place.write_text(text, encoding="utf-8", newline="\n")
    return folder / PAGE


def _experiment(folder: Path, name: str, prefix: str) -> dict[str, Any]:
    place = folder / name
    summary = found_in(place)
    with complete(place):
        about = summary["experiment"]
        return {
            "name": name,
            "title": about["title"] or name,
            "answer": about.get("answer", ""),
            "more": about.get("more", ""),
            "report": f"{quote(name)}/report.html",
            "figures": list(_figure(place, summary, prefix)),
        }


def _figure(folder: Path, summary: dict[str, Any], prefix: str) -> Iterator[dict[str, str]]:
    """Yield the figure called main, or the first one drawn; none where none is."""
    drawn = [each["name"] for each in summary["figures"]]
    main = summary["experiment"]["figures"].get("main") or next(iter(drawn), None)
    if main is not None:
        said = stored(folder, main).caption
        text = (folder / "figures" / f"{main}.svg").read_text(encoding="utf-8")
        yield {"svg": inline(text, prefix, said), "caption": said}
