"""The experiments of the articles: what their headers say, and the tables of their runs."""

import re
from pathlib import Path

import polars as pl

ARTICLES = Path(__file__).resolve().parents[1] / "experiments" / "articles"


def header(name: str) -> str:
    """The comment on top of an experiment, as one line."""
    lines = (ARTICLES / f"{name}.toml").read_text(encoding="utf-8").split("\n\n", 1)[0].splitlines()
    return re.sub(r"\s+", " ", " ".join(line.removeprefix("#") for line in lines))


def table(folder: Path, name: str) -> pl.DataFrame:
    """The table behind a figure of a run."""
    return pl.read_parquet(folder / "tables" / f"{name}.parquet")
