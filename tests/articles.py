"""The experiments of the articles: what their headers say, and the tables of their runs."""

import re
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import polars as pl
import pytest

from ratesim.cli import main

ARTICLES = Path(__file__).resolve().parents[1] / "experiments" / "articles"


def header(name: str) -> str:
    """What an experiment says of itself, as one line: the comment on top, its answer and what else came out."""
    text = (ARTICLES / f"{name}.toml").read_text(encoding="utf-8")
    comment = " ".join(line.removeprefix("#") for line in text.split("\n\n", 1)[0].splitlines())
    said = tomllib.loads(text)
    return re.sub(r"\s+", " ", f"{comment} {said['answer']} {said.get('more', '')}")


def runner(folders: pytest.TempPathFactory) -> Callable[[str], Path]:
    """What runs an experiment by its name, each once, and tells the folder of its results."""

    @cache
    def run(name: str) -> Path:
        folder = folders.mktemp("runs") / name
        assert main(["run", str(ARTICLES / f"{name}.toml"), "--out", str(folder)]) == 0
        return folder

    return run


def table(folder: Path, name: str) -> pl.DataFrame:
    """The table behind a figure of a run."""
    return pl.read_parquet(folder / "tables" / f"{name}.parquet")
