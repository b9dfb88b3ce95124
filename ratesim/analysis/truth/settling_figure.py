"""The figure of speed against rest: games to come near the truth and stay, and how much ratings wander then."""

import polars as pl

from ..table import EmptyFigureError, FigureTable, counted, listed, meta_of
from .gathering import Runs, fewer, gathered, replicated


def settling(runs: Runs, *, name: str = "settling") -> FigureTable:
    """Return games to come within 50, 100 and 200 points of the truth and stay there, and jitter at rest.

    Returns
    -------
    A row a panel and system: value (median over players; or jitter), low and high (quartiles over players; or the 95 %
    interval over replicates), null where they lie beyond the last game; said (in words); replicates (behind the row).

    Raises
    ------
    InputError : nobody begins further off than 50 points.
    """
    frame = gathered(runs, "settling")
    frame = frame if frame.is_empty() else frame.filter(pl.col("players") > 0)
    if frame.is_empty():
        raise EmptyFigureError("nobody has to come nearer", where=f"figure {name}", expected="newcomers who are off")
    stay = pl.format("{} % stay", (100 * pl.col("settled")).round().cast(pl.Int64))
    games = pl.format("{} games", pl.col("median").round().cast(pl.Int64)).fill_null("not by the end")
    come = frame.sort("within", maintain_order=True).select(
        panel=pl.format("within {} points (games)", pl.col("within").cast(pl.Int64)), system="system", value="median",
        low="lower", high="upper", said=pl.format("{}: {}; {}", "system", games, stay), replicates="replicates",
    )  # fmt: skip
    rest = gathered(runs, "jitter")
    parts = [come]
    if rest.height:
        parts.append(rest.select(
            panel=pl.lit("jitter at rest (points)"), system="system", value="jitter", low="jitter_low",
            high="jitter_high", said=pl.format("{}: {} points", "system", pl.col("jitter").round(1)),
            replicates="replicates",
        ))  # fmt: skip
    caption = (
        f"Speed against rest, for {listed(list(runs))}. Games that players who begin further off than 50, 100 or 200 "
        "points have played when their rating comes that near to their skill and stays there to the end: median (dot) "
        "and quartiles over players (bar, cut at the last game), and how many of them have come to stay. "
        + (f"Not by the end: in one replicate or more, fewer than half had come to stay {_at_last(runs)}. "
           if come["value"].has_nulls() else "")
        + ("Jitter: the standard deviation of rating − skill within players who have played 100 games with the skill "
           "that they have, with a 95 % interval over replicates. " if rest.height else "")
        + replicated(runs).replace("; shaded: 95 % bands (Student's t)", "").replace(", so there are no bands", "")
    )  # fmt: skip
    table = pl.concat(parts)
    return FigureTable(
        name,
        table,
        caption.strip() + fewer(table),
        meta_of("settling", "Games to come near the truth and stay; jitter at rest", list(runs)),
    )


def _at_last(runs: Runs) -> str:
    """Return after how many games all is over, in words."""
    played = gathered(runs, "errors").group_by("system", maintain_order=True).last()["games"].drop_nans().max()
    after = f", after {counted(round(played), 'game')} each on average" if isinstance(played, float) else ""
    return f"when all was played{after}"
