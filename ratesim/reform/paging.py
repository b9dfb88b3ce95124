"""The page of a comparison: what changes, in words, figures and tables."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from ..analysis import FigureTable, counted
from ..analysis.policies import CAUSES, group_name
from ..report import inline, page
from .comparing import BASE, LESS, NEW, Found

DASH = "–"
SHOWN = 15  # rows of years in a table
Cells = list[dict[str, str]]


def paged(found: Found, said: Mapping[str, Any], drawn: Sequence[FigureTable], svgs: Mapping[str, str]) -> str:
    """Return the page, which needs nothing else; `svgs` are the drawings of figures by name."""
    shown = {
        table.name: {
            "name": table.name, "caption": table.caption,
            "svg": inline(svgs[table.name], f"figure-{number}", table.caption),
        }
        for number, table in enumerate(drawn, 1)
    }  # fmt: skip
    parts = (
        ("At a glance", glance(found, said), (), ()),
        ("The pool by year", (), ("pool",), (_years(found),)),
        ("Forecasts", (), ("worth",), (_forecasts(found),)),
        ("Who gains", (), ("gained",), (_gains(found),)),
        ("Crossings", (), ("crossed",), (_crossings(found),)),
        ("Who is moved", (), ("moved",), (_moved(found, said),)),
        ("Where rating points come from", (), ("points",), _balances(found)),
    )
    sections = [
        {
            "title": title, "said": list(lines), "figures": [shown[name] for name in names if name in shown],
            "tables": [table for table in tables if table["rows"]],
        }
        for title, lines, names, tables in parts
    ]  # fmt: skip
    base, new = said["base"]["label"], said["new"]["label"]
    kept = [each for each in sections if each["said"] or each["figures"] or each["tables"]]
    return page(
        "policy.html.j2", title=f"From {base} to {new}", what=_what(said), sections=kept,
        provenance=list(_provenance(said)),
    )  # fmt: skip


def glance(found: Found, said: Mapping[str, Any]) -> Iterator[str]:
    """Yield what changes, a sentence a line."""
    base, new, losses = said["base"]["label"], said["new"]["label"], said["log_loss"]
    if losses["difference"] is not None:
        held = losses["low"] is not None and losses["low"] <= 0 <= losses["high"]
        better = "better" if losses["difference"] < 0 else "worse"
        told = "which these games do not tell from none" if held else f"so {new} forecasts {better}"
        told = "" if losses["low"] is None else f", {told}"
        interval = _interval(losses["low"], losses["high"], 5)
        yield (
            f"Log loss: {losses['base']:.5f} by {base}, {losses['new']:.5f} by {new}, difference "
            f"{_number(losses['difference'], 5, signed=True)}{interval and f' ({interval})'}{told}."
        )
    years = found.tables["years"]
    if years.height:
        last = years["year"].to_numpy().max()
        ends = {row["policy"]: row for row in years.filter(year=last).rows(named=True)}
        yield (
            f"Mean rating of the pool in year {last}: {_number(ends[BASE]['mean'], 1)} by {base}, "
            f"{_number(ends[NEW]['mean'], 1)} by {new}; K in force {_number(ends[BASE]['k'], 1)} and "
            f"{_number(ends[NEW]['k'], 1)}."
        )
    moved = said["moved"]
    of = " on average" if moved["replicates"] > 1 else ""
    yield (
        f"Moved by more than {moved['by_more_than']:g} points in the end: {_count(moved['moved'])} of "
        f"{_count(moved['rated'])} players{of}, {_count(moved['raised'])} up and {_count(moved['lowered'])} down."
    )


def _what(said: Mapping[str, Any]) -> str:
    system = f"{said['system']['kind']} (periods: {said['calendar']['kind']})"
    over = f"{said['first']} to {said['last']}" if said["first"] else "simulated"
    replicates = f" in {said['replicates']:,} replicates" if said["replicates"] > 1 else ""
    return (
        f"Two K policies under {system} over {counted(said['games'], 'game')} of "
        f"{counted(said['players'], 'player')}{replicates}, {over}. Base: {said['base']['label']}. New: "
        f"{said['new']['label']}."
    )


def _table(caption: str, titles: Sequence[str], rows: Sequence[tuple[str, Cells]]) -> dict[str, Any]:
    return {"caption": caption, "titles": titles, "rows": [{"name": name, "cells": cells} for name, cells in rows]}


def _pick(table: pl.DataFrame) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Return rows by policy and what else tells them apart."""
    keys = [name for name in ("policy", "year", "by", "from", "level") if name in table.columns]
    return {tuple(row[key] for key in keys): row for row in table.rows(named=True)}


def _latest(table: pl.DataFrame) -> list[int]:
    """Return the last years of a table."""
    return sorted(set(table["year"].to_list()))[-SHOWN:]


def _of_years(table: pl.DataFrame, name: str) -> str:
    all_of = len(set(table["year"].to_list()))
    return f" The last {SHOWN} of {all_of} years; all are in tables/{name}.csv." if all_of > SHOWN else ""


def _years(found: Found) -> dict[str, Any]:
    table = found.tables["years"]
    at, forecasts = _pick(table), _pick(found.tables["forecasts"])
    rows = []
    for year in _latest(table):
        base, new, less = (at[policy, year] for policy in (BASE, NEW, LESS))
        loss = forecasts.get((year,), {})
        rows.append(
            (
                str(year),
                [
                    _plain(new, "players", 0), _plain(base, "mean", 1), _plain(new, "mean", 1),
                    _cell(less, "mean", 1, signed=True), _plain(base, "change", 1, signed=True),
                    _plain(new, "change", 1, signed=True), _plain(base, "k", 1), _plain(new, "k", 1), _difference(loss),
                ],
            )
        )  # fmt: skip
    titles = ("year", "rated, new", "mean, base", "mean, new", "new - base", "change, base", "change, new", "K, base",
              "K, new", "log loss, new - base")  # fmt: skip
    return _table("The pool, and the games of each year." + _of_years(table, "years"), titles, rows)


def _forecasts(found: Found) -> dict[str, Any]:
    rows = [
        (
            f"{row['by']} {group_name(row['by'], row['from'])}",
            [
                _text(f"{row['n']:,.0f}"),
                _text(_number(row["base"], 4)),
                _text(_number(row["new"], 4)),
                _difference(row),
            ],
        )
        for row in found.tables["group_forecasts"].rows(named=True)
    ]
    titles = ("group", "games", "log loss, base", "log loss, new", "new - base")
    return _table("Games in which either player is of the group, before the game and by the base policy.", titles, rows)


def _gains(found: Found) -> dict[str, Any]:
    at = _pick(found.tables["groups"])
    rows = []
    for (policy, by, lower), base in at.items():
        new = at.get((NEW, by, lower))
        if policy == BASE and new is not None:
            cells = [
                _plain(base, "players", 0), _plain(base, "games", 0), _plain(base, "k", 1), _plain(new, "k", 1),
                _cell(base, "gained", 3, signed=True), _cell(new, "gained", 3, signed=True),
            ]  # fmt: skip
            rows.append((f"{by} {group_name(by, lower)}", cells))
    titles = ("group", "players", "games", "K, base", "K, new", "points a game, base", "points a game, new")
    return _table("What a game gives a player of each group on average.", titles, rows)


def _crossings(found: Found) -> dict[str, Any]:
    table = found.tables["crossings"]
    if table.is_empty():
        return _table("", (), [])
    sums = table.group_by("policy", "level", maintain_order=True).agg(pl.col("up", "down").sum())
    at = _pick(sums)
    years, digits = len(set(table["year"].to_list())), 1 if found.moved["replicates"] > 1 else 0
    rows = [
        (level, [_plain(at[policy, level], way, digits) for way in ("up", "down") for policy in (BASE, NEW)])
        for level in table["level"].unique(maintain_order=True)
    ]
    titles = ("level", "up, base", "up, new", "down, base", "down, new")
    said = f"Crossings in all {years} years together; year by year in tables/crossings.csv."
    return _table(said, titles, rows)


def _moved(found: Found, said: Mapping[str, Any]) -> dict[str, Any]:
    rows = [
        (
            row["player"],
            [
                _text(_number(row["base"], 1)), _text(_number(row["new"], 1)),
                _text(_number(row["difference"], 1, signed=True)), _text(f"{row['games']:,g}"),
            ],
        )
        for row in said["moved"]["most"]
    ]  # fmt: skip
    titles = ("player", "rating, base", "rating, new", "new - base", "games")
    all_of = len(found.tables["players"])
    return _table(f"Those moved most, of {counted(all_of, 'player')}; all in tables/players.csv.", titles, rows)


def _balances(found: Found) -> tuple[dict[str, Any], ...]:
    return tuple(_balance(found, policy) for policy in (BASE, NEW))


def _balance(found: Found, policy: str) -> dict[str, Any]:
    table = found.tables["balance"]
    at = _pick(table)
    rows = [
        (
            str(year),
            [_plain(at[policy, year], name, 1, signed=name != "points") for name in ("points", "change", *CAUSES)],
        )
        for year in _latest(table)
    ]
    said = f"Points of the pool by the {policy} policy, their change since the year before, and its parts."
    return _table(said + _of_years(table, "balance"), ("year", "points", "change", *CAUSES), rows)


def _provenance(said: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "Made by", "ratesim policy"
    for name in ("base", "new"):
        yield name.capitalize(), _parameters(said[name]["policy"])
    for name in ("system", "calendar"):
        yield name.capitalize(), _parameters(said[name])
    yield "Digest of the games", said["digest"]
    yield "Seed", str(said["seed"])
    for note in said["notes"]:
        yield "Note", note
    yield "Versions", ", ".join(f"{name} {version}" for name, version in said["versions"].items())


def _parameters(spec: Mapping[str, Any]) -> str:
    return " ".join([spec["kind"], *(f"{name}={value}" for name, value in spec.items() if name != "kind")])


def _cell(row: Mapping[str, Any], name: str, digits: int, *, signed: bool = False) -> dict[str, str]:
    interval = _interval(row.get(f"{name}_low"), row.get(f"{name}_high"), digits)
    return {"value": _number(row[name], digits, signed=signed), "interval": interval}


def _plain(row: Mapping[str, Any], name: str, digits: int, *, signed: bool = False) -> dict[str, str]:
    return _text(_number(row[name], digits, signed=signed))


def _difference(row: Mapping[str, Any]) -> dict[str, str]:
    value = _number(row.get("difference"), 4, signed=True)
    return {"value": value, "interval": _interval(row.get("low"), row.get("high"), 4)}


def _count(value: float) -> str:
    return _number(value, 0 if value.is_integer() else 1)


def _text(value: str) -> dict[str, str]:
    return {"value": value, "interval": ""}


def _interval(low: float | None, high: float | None, digits: int) -> str:
    return "" if low is None or high is None else f"{_number(low, digits)} to {_number(high, digits)}"


def _number(value: float | None, digits: int, *, signed: bool = False) -> str:
    """Return a number as pages have it: a minus that is one, and no minus before nothing."""
    if value is None or math.isnan(value):
        return DASH
    rounded = round(value, digits)
    sign = "+" if signed and rounded else ""
    return f"{rounded or 0.0:{sign},.{digits}f}".replace("-", "−")
