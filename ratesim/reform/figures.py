"""The figures of a comparison: panels of lines out of its tables."""

from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from ..analysis import FigureTable, listed
from ..analysis.policies import CAUSES, moved
from ..analysis.truth.panels import SCHEMA, Panel, meta_of_panels
from .comparing import BASE, LESS, NEW, Found, labels

YEAR = "year"
NOTHING = 1e-6  # points a player
BY = {"rating": "rating before the game", "age": "age", "games": "games before"}


def figures(found: Found) -> Iterator[FigureTable]:
    """Yield what there is to draw: the pool, forecasts, gains, crossings, balance, who is moved."""
    yield _pool(found)
    yield from _forecasts(found)
    yield from _gains(found)
    yield from _crossings(found)
    yield from _balance(found)
    players = found.tables["players"]["player"].implode()
    ratings = {
        f"{name} ({label})": run.ratings().filter(pl.col("player").is_in(players))
        for name, label, run in zip((BASE, NEW), labels(found.terms), found.runs, strict=True)
    }
    yield moved(ratings, far=found.terms.far)


def _named(found: Found) -> dict[str, str]:
    """Return what lines of the two policies are called."""
    return {name: f"{name}: {label}" for name, label in zip((BASE, NEW), labels(found.terms), strict=True)}


def _who(found: Found) -> str:
    return "; ".join(_named(found).values())


def _pool(found: Found) -> FigureTable:
    years = found.tables["years"].filter(pl.col("policy") != LESS)
    panels = {
        "mean": Panel("mean rating", "", "", "", YEAR, "rating (points)"),
        "change": Panel("change of the mean in a year", "", "", "", YEAR, "points", level=0.0),
        "players": Panel("rated players", "", "", "", YEAR, "players", floor=0.0),
        "k": Panel("K in force, mean over games", "", "", "", YEAR, "K", floor=0.0),
    }
    caption = f"The pool of each year: all who had a game in it and are rated at its end. {_who(found)}.{_bands(found)}"
    still = [column for column in ("mean", "change") if _still(years[column])]
    if len(still) == 2:  # a mean that starts elsewhere and then stays has a year to show
        caption += f" The mean rating is {years['mean'].drop_nulls()[0]:.10g} throughout, so it is not drawn."
        panels = {column: panel for column, panel in panels.items() if column not in still}
    points = pl.concat([_points(years, panel.name, column) for column, panel in panels.items()])
    return _figure("pool", "The pool by year", caption, points, list(panels.values()), _named(found))


def _still(values: pl.Series) -> bool:
    """Whether values are one, for both policies and in all years."""
    there = values.drop_nulls()
    return bool(len(there)) and float((there - there[0]).abs().to_numpy().max()) <= NOTHING


def _forecasts(found: Found) -> Iterator[FigureTable]:
    groups = found.tables["group_forecasts"]
    bys = [by for by in BY if (groups["by"] == by).any()]
    panels = [Panel(f"by {by}", "", "", "", BY[by], "log loss, new - base", level=0.0, log=by == "games") for by in bys]
    shown = _places(groups, "n")
    if shown.is_empty():
        return
    points = shown.select(
        panel="panel", line=pl.lit(LESS), x="x", y="difference", low="low", high="high",
    )  # fmt: skip
    caption = (
        "How much worse (above 0) or better the new policy forecasts the games of each group; a game is of a group if "
        f"either player is, by the rating of the base policy. {_who(found)}. Bands: {found.terms.level:.0%} intervals, "
        "paired."
    )
    yield _figure("worth", "Forecasts of groups", caption, points, panels, {LESS: LESS})


def _gains(found: Found) -> Iterator[FigureTable]:
    groups = found.tables["groups"].filter(pl.col("policy") != LESS)
    bys = [by for by in BY if (groups["by"] == by).any()]
    panels = [Panel(f"by {by}", "", "", "", BY[by], "points a game", level=0.0, log=by == "games") for by in bys]
    shown = _places(groups, "games")
    if shown.is_empty():
        return
    points = shown.select(
        panel="panel", line="policy", x="x", y="gained", low="gained_low", high="gained_high",
    )  # fmt: skip
    caption = f"Points that a game gives a player of each group on average. {_who(found)}.{_bands(found)}"
    yield _figure("gained", "Who gains", caption, points, panels, _named(found))


def _places(groups: pl.DataFrame, size: str) -> pl.DataFrame:
    """Return groups of 30 games and more, with the panel and the place of each."""
    x = pl.when(pl.col("by") == "games").then(pl.max_horizontal("from", 1.0)).otherwise(pl.col("from"))
    return groups.filter(pl.col(size) >= 30).with_columns(panel=pl.format("by {}", "by"), x=x)


def _crossings(found: Found) -> Iterator[FigureTable]:
    table = found.tables["crossings"].filter(pl.col("policy") != LESS)
    parts, panels, never = [], [], []
    for level, here in table.group_by("level", maintain_order=True):
        if not here.select("up", "down").to_numpy().any():
            never.append(str(level[0]))
            continue
        for way in ("up", "down"):
            name = f"{level[0]}, {way}"
            panels.append(Panel(name, "", "", "", YEAR, "crossings", floor=0.0))
            parts.append(_points(here, name, way))
    if not parts:
        return
    caption = (
        "How often ratings cross a level in a year, up (from below to it or above) and down. A first rating crosses "
        f"nothing. {f'Nobody crosses {listed(never)}. ' if never else ''}{_who(found)}.{_bands(found)}"
    )
    yield _figure("crossed", "Crossings of levels", caption, pl.concat(parts), panels, _named(found))


def _balance(found: Found) -> Iterator[FigureTable]:
    """Yield by what the mean rating has changed since the first year, points a player; nothing where nothing moves it.

    A policy by which nothing moves it has no panel.
    """
    table = found.tables["balance"].filter(pl.col("policy") != LESS).sort("policy", "year", maintain_order=True)
    n, mean = pl.col("players"), pl.col("points") / pl.col("players")
    by = {name: (pl.col(name).cum_sum() - pl.col(name).first()) / n for name in ("games", "floor", "rounding", "other")}
    rise = mean - mean.first()
    lines = {"mean rating": rise, "in and out": rise - pl.sum_horizontal(*by.values()), **by}
    parts, panels = [], []
    for policy, name in _named(found).items():
        panels.append(Panel(name, "", "", "", YEAR, "points a player", level=0.0))
        here, x = table.filter(pl.col("policy") == policy), pl.col("year").cast(pl.Float64)
        parts += [here.select(panel=pl.lit(name), line=pl.lit(line), x=x, y=y) for line, y in lines.items()]
    points = pl.concat(parts).with_columns(low=pl.lit(None, pl.Float64), high=pl.lit(None, pl.Float64))
    moving = points.filter(pl.col("y").abs() > NOTHING)
    if moving.is_empty():
        return
    still = [panel.name for panel in panels if not (moving["panel"] == panel.name).any()]
    there = moving["line"].unique()
    kept = [line for line in lines if line in there or line == "mean rating"]
    said = [f"{name} ({CAUSES[name]})" for name in by if name in kept]
    caption = (
        "What has moved the mean rating since the first year, in points a player of the pool: players who come in or "
        f"go out above or below that mean{''.join(f', {each}' for each in said)}. Where all have one K, what a game "
        f"gives one side it takes from the other. {_who(found)}.{_means(found)}"
        f"{f' Nothing moves it under {listed(still)}, which has no panel.' if still else ''}"
    )
    shown = points.filter(~pl.col("panel").is_in(still))
    yield _figure("points", "Where rating points come from", caption, shown, panels, {line: line for line in kept})


def _points(table: pl.DataFrame, panel: str, column: str) -> pl.DataFrame:
    return table.select(
        panel=pl.lit(panel), line="policy", x=pl.col("year").cast(pl.Float64), y=column, low=f"{column}_low",
        high=f"{column}_high",
    ).cast({"y": pl.Float64, "low": pl.Float64, "high": pl.Float64})  # fmt: skip


def _figure(
    name: str, title: str, caption: str, points: pl.DataFrame, panels: Sequence[Panel], lines: Mapping[str, str]
) -> FigureTable:
    """Return a figure of panels; `lines` says which lines it has, and what they are called."""
    frame = points.select(*SCHEMA).filter(pl.col("y").is_not_null(), pl.col("line").is_in([*lines]))
    frame = frame.with_columns(pl.col("line").replace(lines))
    kept = [panel for panel in panels if (frame["panel"] == panel.name).any()]
    meta = meta_of_panels(title, kept, [*lines.values()])
    meta["panels"] = [{**each, "whole": each["across"] == YEAR} for each in meta["panels"]]
    return FigureTable(name, frame, caption, meta)


def _bands(found: Found) -> str:
    return f"{_means(found)[:-1]}, with {found.terms.level:.0%} intervals." if _means(found) else ""


def _means(found: Found) -> str:
    replicates = found.moved["replicates"]
    return f" Means over {replicates} replicates." if replicates > 1 else ""
