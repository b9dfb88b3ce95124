"""The folder of a comparison: a page, its figures, tables and one document; all of it, or nothing."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from ..analysis import FigureTable
from ..errors import InputError
from ..files import scratch, writing
from ..illustrate import write_figure
from ..store import write_json, write_table
from .comparing import Found
from .figures import figures
from .paging import paged

PAGE, SUMMARY = "report.html", "summary.json"
OURS = {PAGE, SUMMARY, "tables", "figures"}


def check_folder(folder: Path) -> None:
    """Refuse a folder that holds other things than a comparison.

    Raises
    ------
    InputError : it does, or is a file.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError("is a file", where=str(folder), expected="a folder, new or empty")
    if folder.exists() and {each.name for each in folder.iterdir()} - OURS:
        raise InputError("holds other things", where=str(folder), expected="an empty or new folder")


def write(found: Found, said: Mapping[str, Any], folder: Path) -> Path:
    """Write a comparison, in place of an earlier one; return the path of its page.

    The same games and policies make the same bytes.

    Parameters
    ----------
    said : what `summary` returns.

    Raises
    ------
    InputError : the folder holds other things, or cannot be written.
    """
    check_folder(folder)
    drawn = list(figures(found))
    with scratch(folder.absolute()) as place:
        made = place / "made"
        _fill(made, found, said, drawn)
        with writing(folder):
            if folder.exists():
                folder.rename(place / "before")
            shutil.move(made, folder)
    return folder / PAGE


def _fill(made: Path, found: Found, said: Mapping[str, Any], drawn: list[FigureTable]) -> None:
    for name, frame in found.tables.items():
        write_table(made / "tables" / f"{name}.parquet", frame)
        frame.with_columns(pl.selectors.float().fill_nan(None)).write_csv(made / "tables" / f"{name}.csv")
    for table in drawn:
        write_figure(table, made)
    write_json(made / SUMMARY, said)
    svgs = {table.name: (made / "figures" / f"{table.name}.svg").read_text(encoding="utf-8") for table in drawn}
    (made / PAGE).write_text(paged(found, said, drawn, svgs), encoding="utf-8", newline="\n")
