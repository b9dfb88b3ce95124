"""The figures of two systems against each other: the games that parted them, one scale for both, changes of rank."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from ...calendars.base import date_of
from ..table import EmptyFigureError, FigureTable, counted, listed, with_ratings
from .ranks import rank_agreement, rank_changes
from .scale import MIN_GAMES, ScaleMap, rated_by_both, scale_map

LINES: dict[str, type[pl.DataType]] = {
    "player": pl.String, "line": pl.String, "time": pl.Float64, "rating": pl.Float64, "mark": pl.Int64,
}  # fmt: skip


def parting(
    parted: Mapping[str, pl.DataFrame], runs: tuple[str, str], scale: ScaleMap, *, most: int = 3, days: bool = False,
    name: str = "parting",
) -> FigureTable:  # fmt: skip
    """Return the ratings of players by two runs on one scale, and the games that parted the two most.

    Parameters
    ----------
    parted : by player, what `partings` returns in order of time, by that scale.
    runs : labels of the one whose scale it is, and of the other.
    scale : from `scale_map`. most : games marked of each player.
    days : time is counted in days, as in a simulated stream, and not shown as dates.
    name : of the figure.

    Returns
    -------
    A row a player, line (label of the run) and step: time (days since 1970-01-01), rating (rating points of the one)
    from then on, mark (1 of the games that parted the two most, then 2, ...; null of others).

    Raises
    ------
    InputError : no player has games that moved the two apart.
    """
    frames, said = [pl.DataFrame(schema=LINES)], []
    for player, rows in parted.items():
        games = rows.with_row_index("step").filter(pl.col("cause") == "games", pl.col("difference") != 0.0)
        worst = games.sort(pl.col("difference").abs(), descending=True, maintain_order=True).head(most)
        mark = {int(step): n for n, step in enumerate(worst["step"], 1)}
        marks = pl.Series("mark", [mark.get(step) for step in range(rows.height)], dtype=pl.Int64)
        frames += [
            rows.select(pl.lit(player).alias("player"), pl.lit(label).alias("line"), "time", rating=column, mark=marks)
            for label, column in zip(runs, ("rating", "rating_other"), strict=True)
        ]
        told = [f"{n}, {_said(row, days=days)}" for n, row in enumerate(worst.rows(named=True), 1)]
        said.append(f"{player}: {'; '.join([*told, 'in the end'])} {rows['running'][-1]:+.1f}.")
    frame = pl.concat(frames)
    if frame["mark"].is_null().all():
        raise EmptyFigureError("no game moves the two apart", where=f"figure {name}", expected="systems that differ")
    one, two = runs
    low, high = scale.covered
    caption = (
        f"Ratings of {listed(list(parted))} by {one} (first) and by {two} (second), which are told in points of the "
        f"first by the rising fit of one on the other over {counted(scale.n, 'player')}: known where the second rates "
        f"{low:,.0f} to {high:,.0f}, ratings beyond are told as the nearest end. Numbered are the games that parted "
        f"the two most, with what they did to the lead of the first over the second. {' '.join(said)}"
    )
    meta = {"drawing": "parting", "title": "What parted them", "players": list(parted), "lines": list(runs)}
    return FigureTable(name, frame, caption, meta | {"days": days})


def _said(row: Mapping[str, Any], *, days: bool) -> str:
    """Return what the games of a row were, in words."""
    when = f"day {row['time']:,.0f}" if days else date_of(row["time"])
    some = when if row["n"] == 1 else f"{row['n']} games up to {when}"
    return f"{some}, against {row['against']}, score {row['score']:g}: {row['difference']:+.1f}"


def scales(ratings: Mapping[str, pl.DataFrame], *, min_games: float = MIN_GAMES, name: str = "scales") -> FigureTable:
    """Return ratings by one run over those by another, and the rising fit that tells the one by the other.

    Parameters
    ----------
    ratings : two runs by label, what `Run.ratings` returns: the one whose scale it is, and the other.
    min_games : that a player has had at least. name : of the figure.

    Returns
    -------
    Rows of kind "player": player, other and rating (rating points, each on its own scale), games. Rows of kind "map":
    other and rating of the knots of the fit, player and games null.

    Raises
    ------
    InputError : there are not two runs that keep ratings, or as in `scale_map`.
    """
    (one, own), (two, theirs) = _two(ratings, name)
    scale, both = scale_map(own, theirs, min_games=min_games), rated_by_both(own, theirs, min_games)
    none = {"player": pl.lit(None, dtype=pl.String), "games": pl.lit(None, dtype=pl.Float64)}
    fit = pl.DataFrame({"other": scale.other, "rating": scale.rating}).with_columns(**none, kind=pl.lit("map"))
    order = ["kind", "player", "other", "rating", "games"]
    frame = pl.concat([both.with_columns(player=_named(both), kind=pl.lit("player")).select(order), fit.select(order)])
    (low, high), rating = scale.covered, scale.rating
    caption = (
        f"Ratings at the end of {counted(scale.n, 'player')} with at least {counted(min_games, 'game')}, by {one} over "
        f"those by {two}; the larger a point, the more games. The line tells the one by the other: isotonic regression "
        f"weighted by games, its steps joined by straight lines, known from {low:,.0f} to {high:,.0f} "
        f"({rating[0]:,.0f} to {rating[-1]:,.0f} by {one}). Players lie {scale.spread:.1f} points from it (root mean "
        "square, weighted by games)."
    )
    return FigureTable(name, frame, caption, {"drawing": "scales", "title": f"{one} over {two}", "runs": [one, two]})


def ranks(
    ratings: Mapping[str, pl.DataFrame], *, most: int = 20, min_games: float = MIN_GAMES, name: str = "ranks"
) -> FigureTable:
    """Return whom a change from one run to another moves most in the order of players.

    Parameters
    ----------
    ratings : two runs by label, what `Run.ratings` returns. most : players shown.
    min_games : that a player has had at least. name : of the figure.

    Returns
    -------
    A row a player, those moved most first: player, rank, rank_other, up (places gained by the other), games.

    Raises
    ------
    InputError : there are not two runs that keep ratings, or both have fewer than two players in common, or one rates
        all of these alike.
    """
    (one, own), (two, theirs) = _two(ratings, name)
    changes = rank_changes(own, theirs, min_games=min_games)
    agreement = rank_agreement(changes)
    if agreement.n < 2:
        said = f"{counted(agreement.n, 'player')} rated by both after {counted(min_games, 'game')}"
        raise EmptyFigureError(said, where=f"figure {name}", expected="two or more")
    for label, order in ((one, changes["rank"]), (two, changes["rank_other"])):
        if order.n_unique() == 1:
            said = f"all {counted(agreement.n, 'player')} are equal by {label}"
            raise EmptyFigureError(said, where=f"figure {name}", expected="ratings that differ")
    shown = changes.head(most)
    middle = float(changes["up"].abs().to_numpy().mean())
    caption = (
        f"Ranks at the end by {one} (ring) and by {two} (dot) among {counted(agreement.n, 'player')} with at least "
        f"{counted(min_games, 'game')}, of those moved most; games in brackets. The two orders agree by Kendall's tau "
        f"{agreement.kendall:.3f} and Spearman's rho {agreement.spearman:.3f}; on average a player moves {middle:.1f} "
        f"places, and {100 * agreement.same:.0f} % keep theirs."
    )
    meta = {"drawing": "ranks", "title": f"Ranks, from {one} to {two}", "runs": [one, two]}
    frame = shown.select(_named(shown).alias("player"), "rank", "rank_other", "up", "games")
    return FigureTable(name, frame, caption, meta)


def _two(ratings: Mapping[str, pl.DataFrame], name: str) -> list[tuple[str, pl.DataFrame]]:
    rated = with_ratings(ratings)
    if len(rated) != 2:
        raise EmptyFigureError(f"{counted(len(rated), 'run')} with ratings", where=f"figure {name}", expected="two")
    return list(rated.items())


def _named(table: pl.DataFrame) -> pl.Expr:
    """A player of two pools is two points."""
    return pl.col("player") if "pool" not in table.columns else pl.format("{} ({})", "player", "pool")
