"""Rows that are no games to rate, taken out of a table by rules: left out where the source says so, or else rejects."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import polars as pl

from ..intake import SHOWN, shown
from .batch import NEEDED, REJECTS

RAW: Final = "raw"


class LeftOut(NamedTuple):
    """Rows that the source itself says are no games to rate."""

    rows: pl.Expr
    reason: str


class Wrong(NamedTuple):
    """Rows that are wrong in one way."""

    rows: pl.Expr
    column: str
    what: str  # `{}` where the value belongs
    expected: str
    value: pl.Expr = pl.lit(None, pl.String)


class Sifted(NamedTuple):
    """The rows that are games, and what became of the others."""

    games: pl.DataFrame
    rejects: pl.DataFrame
    left_out: dict[str, int]


def sifted(table: pl.DataFrame, rules: Sequence[LeftOut | Wrong]) -> Sifted:
    """Return the rows that no rule takes out; the first of several decides.

    Parameters
    ----------
    table : its column `place` is where a row stands; one named `raw`, if there, is the row as it stands.
    """
    by: pl.Expr = pl.lit(None, pl.UInt8)
    for n, rule in reversed(list(enumerate(rules))):
        by = pl.when(rule.rows.fill_null(value=False)).then(pl.lit(n, pl.UInt8)).otherwise(by)
    rule_of = table.select(by.alias("rule")).to_series()
    if rule_of.null_count() == len(table):
        return Sifted(table, pl.DataFrame(schema=REJECTS), {})
    left_out: dict[str, int] = {}
    rejects = []
    for n in rule_of.unique().drop_nulls().sort():
        rule, rows = rules[n], table.filter((rule_of == n).fill_null(value=False))
        if isinstance(rule, LeftOut):
            left_out[rule.reason] = left_out.get(rule.reason, 0) + len(rows)
        else:
            rejects.append(_rejects(rows, rule))
    found = pl.concat(rejects) if rejects else pl.DataFrame(schema=REJECTS)
    return Sifted(table.filter(rule_of.is_null()), found.sort("place", maintain_order=True), left_out)


def filled(games: pl.DataFrame) -> pl.DataFrame:
    """Return games without the columns that nothing fills, but for those that all games need."""
    some = (each.name for each in games if each.name in NEEDED or each.null_count() < len(games))
    return games.select(some) if len(games) else games


def _rejects(rows: pl.DataFrame, rule: Wrong) -> pl.DataFrame:
    value = rule.value.cast(pl.String).str.slice(0, 2 * SHOWN)
    return rows.select(
        place="place",
        column=pl.lit(rule.column),
        what=pl.lit(rule.what),
        value=value.map_elements(shown, return_dtype=pl.String),
        expected=pl.lit(rule.expected),
        raw=pl.col(RAW) if RAW in rows.columns else pl.lit(None, pl.String),
    ).cast(REJECTS)  # type: ignore[arg-type]  # polars asks for a dict, which REJECTS is
