"""The figures about ratings beside the truth: one function each, from the tables of several runs."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import polars as pl

from ..remaining import ENDING
from ..table import EmptyFigureError, FigureTable, listed
from .convergence import convergence
from .gathering import UNDER_ONE, Runs, gathered, replicated, replicates
from .ledger_figure import ledger
from .movers import CHANGED, UNCHANGED
from .panels import Panel, lined
from .returning import PAUSE
from .settling_figure import settling
from .worth_figure import worth

FEW, MANY = 10, 50  # players of all replicates together behind a point of games, of time


def truth_figures(
    runs: Runs, *, theory: Mapping[str, pl.DataFrame] | None = None, suffix: str = "", shared: bool = False
) -> list[FigureTable]:
    """Return all figures about ratings beside the truth that are not empty.

    Parameters
    ----------
    runs : by label, what `truth_tables` returns; runs without tables are left out.
    theory : by label, what theory says of convergence: tables with columns games and rmse.
    suffix : of the names of the figures.
    shared : whether all replicates of the world have one schedule, which captions then say.

    Returns
    -------
    Of "convergence", "errors", "settling", "lag", "jumps", "movers", "returns", "foul", "spread", "percentiles",
    "worth", "coverage", "ledger" those that have something to show.
    """
    rated = {label: tables for label, tables in runs.items() if tables}
    first = partial(convergence, theory=theory)
    makers = (first, errors, settling, lag, jumps, movers, returns, foul, spread, percentiles, worth, coverage, ledger)
    found = []
    for make in makers:
        plain = make.func if isinstance(make, partial) else make
        try:
            found.append(make(rated, name=f"{plain.__name__}{suffix}"))
        except EmptyFigureError:
            continue
    said = f" {UNDER_ONE}" if shared and replicates(rated) > 1 else ""
    return [replace(each, caption=each.caption + said) for each in found]


def errors(runs: Runs, *, name: str = "errors") -> FigureTable:
    """Return error, bias and rank correlation over time."""
    days = "time (days)"
    panels = (
        Panel("error after the best shift, RMS", "errors", "day", "shifted", days, "points", floor=0, fewest=MANY),
        Panel("bias: mean of rating − skill", "errors", "day", "bias", days, "points", level=0, fewest=MANY),
        Panel("rank correlation with skill", "errors", "day", "spearman", days, "Spearman's ρ", ceiling=1, fewest=MANY),
    )
    caption = (
        f"How far ratings are from true skills over time, for {listed(list(runs))}, over all players who have played "
        "and are there. Left: root mean square error after the mean error is taken off; then the mean error itself, "
        "above 0 where the whole list is too high; then Spearman's correlation of rating and skill. "
        f"{_last(runs, 'shifted', 'Error at the end')}{replicated(runs)}"
    )
    return lined(runs, panels, name=name, title="Error to the truth over time", caption=caption)


def lag(runs: Runs, *, name: str = "lag") -> FigureTable:
    """Return how far ratings are behind those whose skill rises or falls, over time."""
    panels = [
        Panel(
            f"{who} skill",
            "lag",
            "day",
            "relative",
            "time (days)",
            "behind (points)",
            level=0,
            where={"who": who},
            fewest=MANY,
        )
        for who in ("rising", "falling")
    ]
    caption = (
        f"How far ratings by {listed(list(runs))} are behind skills that change: the mean of skill − rating, the mean "
        "error of all players taken off, over players whose skill has risen since the reading before, and of "
        "rating − skill over those whose skill has fallen. At 0 ratings keep up; above it they are behind. "
        f"{replicated(runs)}"
    )
    return lined(runs, panels, name=name, title="How far ratings are behind", caption=caption)


def jumps(runs: Runs, *, name: str = "jumps") -> FigureTable:
    """Return what is left of a jump of skill by games since."""
    panel = Panel(
        "", "jumps", "games", "left", "games since the jump", "left of the jump (%)", level=0, factor=100, fewest=FEW,
        ends=True,
    )  # fmt: skip
    caption = (
        f"How ratings by {listed(list(runs))} catch up with skills that jump by 100 points or more at once: what is "
        "left of the jump, in per cent, by games played since the reading before it. At 100 nothing has been learned, "
        f"at 0 all. {ENDING} {replicated(runs)}"
    )
    return lined(runs, [panel], name=name, title="After a jump of skill", caption=caption)


def movers(runs: Runs, *, name: str = "movers") -> FigureTable:
    """Return error and volatility of those whose skill has changed, beside all others, over time.

    Raises
    ------
    InputError : nobody's skill changes, or everybody's.
    """
    if not {CHANGED, UNCHANGED} <= {who for tables in runs.values() for who in tables["movers"]["who"]}:
        said = "there are not both players whose skill changes and players whose skill does not"
        raise EmptyFigureError(said, where=f"figure {name}", expected="a world where some players change")
    panels = [
        Panel(
            f"{said}, skill {who}", "movers", "day", column, "time (days)", up, where={"who": who}, floor=floor,
            fewest=FEW,
        )
        for column, said, up, floor in (
            ("shifted", "error", "points", 0), ("volatility", "volatility", "mean σ", None)
        )
        for who in (CHANGED, UNCHANGED)
    ]  # fmt: skip
    caption = (
        f"Players whose skill has changed so far beside those whose skill has not, by {listed(list(runs))}. Error: "
        "root mean square of rating − skill, the mean error of all taken off. Volatility: mean of what a system "
        f"that has it believes of them. {replicated(runs)}"
    )
    return lined(runs, panels, name=name, title="Those who change and those who do not", caption=caption)


def returns(runs: Runs, *, name: str = "returns") -> FigureTable:
    """Return how far ratings are off by games since a break, and how far they claim to be, beside newcomers.

    Raises
    ------
    InputError : fewer than ten players come back from a break.
    """
    panels = [
        Panel(
            f"{who}: {said}", table, "games", column, across, up, log=True, floor=0, level=level, fewest=FEW,
            strict=True, ends=True,
        )
        for table, who, across in (
            ("games", "newcomers", "games played"), ("returns", "back from a break", "games since the break"),
        )
        for column, said, up, level in (
            ("shifted", "error", "points", None), ("z_rms", "error / deviation", "root mean square", 1),
        )
    ]  # fmt: skip
    caption = (
        f"How far ratings by {listed(list(runs))} are from the true skill of players by the number of games they have "
        f"played, and of those who come back from a break of {PAUSE:g} days or more, by games since. Root mean square "
        "error, the mean error of all players taken off, and that of error / deviation: above 1 a system is surer of "
        f"its ratings than it may be. {ENDING} {replicated(runs)}"
    )
    figure = lined(runs, panels, name=name, title="Newcomers and players back from a break", caption=caption)
    if not {panel.name for panel in panels if panel.table == "returns"} & set(figure.frame["panel"]):
        said = f"fewer than {FEW} players come back after {PAUSE:g} days"
        raise EmptyFigureError(said, where=f"figure {name}", expected="more players, or a world with breaks")
    return figure


def foul(runs: Runs, *, name: str = "foul") -> FigureTable:
    """Return how far above their due those stand who play foul, over time."""
    days, up = "time (days)", "points above their due"
    panels = (
        Panel("all of them", "foul", "day", "ahead", days, up, level=0, fewest=FEW),
        Panel("the luckiest in each world", "foul", "day", "best", days, up, level=0, fewest=FEW),
    )
    caption = (
        f"What foul play gains by {listed(list(runs))}: the mean of rating − skill of those who are at it, less that "
        "of all others, over time; and the highest of them, by the same measure. Where the mean is 0 it gains "
        "nothing; the highest of several stands above it by luck alone. "
        f"{replicated(runs)}"
    )
    return lined(runs, panels, name=name, title="What foul play gains", caption=caption)


def spread(runs: Runs, *, name: str = "spread") -> FigureTable:
    """Return ratings over skills at the end, and the slope of the one on the other over time."""
    panels = (
        Panel(
            "rating at the end", "percentiles", "skill", "rating", "skill (points)", "mean rating (points)",
            diagonal=True,
        ),
        Panel("slope of rating on skill", "errors", "day", "slope", "time (days)", "slope", level=1, fewest=MANY),
    )  # fmt: skip
    caption = (
        f"Whether ratings by {listed(list(runs))} are as spread as the truth. Left: mean rating at the end over the "
        "skill of the same players, in twentieths by skill; on the grey line they agree, and a line less steep is a "
        "list too compressed, a steeper one a list too stretched. Right: the slope of the regression of rating on "
        f"skill over time, 1 for a list as spread as the truth. {_last(runs, 'slope', 'Slope at the end', 3)}"
        f"{replicated(runs)}"
    )
    return lined(runs, panels, name=name, title="Spread of ratings against the truth", caption=caption)


def percentiles(runs: Runs, *, name: str = "percentiles") -> FigureTable:
    """Return where the last list places players of each true percentile."""
    true, place = "true percentile", "percentiles"
    last = max((tables["worth"]["day"].to_numpy().max(initial=0) for tables in runs.values()), default=0)
    panels = (
        Panel("too high or too low", place, "percentile", "moved", true, "place − truth (percentiles)", level=0),
        Panel("astray, without sign", place, "percentile", "astray", true, "percentiles", floor=0),
        Panel(
            "share below a rating", "worth", "rating", "below", "rating (points)", "% of the list below", factor=100,
            where={"day": last}, fewest=FEW,
        ),
        Panel(
            "share below a skill", "worth", "rating", "weaker", "skill (points)", "% of the list below", factor=100,
            where={"day": last},
        ),
    )  # fmt: skip
    caption = (
        f"Where the last list by {listed(list(runs))} places players. First: by how many percentiles players stand too "
        "high on average, in twentieths by true skill; as far as ratings err, the weakest stand too high and the "
        "best too low. Second: by how many percentiles single players are astray, without sign, on average. "
        f"Then the share of all listed who are rated below each rating, and whose skill is below it. {replicated(runs)}"
    )
    return lined(runs, panels, name=name, title="Percentiles", caption=caption)


def coverage(runs: Runs, *, name: str = "coverage") -> FigureTable:
    """Return how often the intervals that deviations claim hold the skill, and the spread of z by games played."""
    panels = (
        Panel(
            "at the end", "coverage", "level", "covered", "claimed (%)", "skills within the interval (%)",
            diagonal=True, factor=100,
        ),
        Panel(
            "by games played", "games", "games", "z_rms", "games played", "RMS of z = error / deviation", level=1,
            log=True, floor=0, fewest=FEW, ends=True,
        ),
    )  # fmt: skip
    claim = [label for label, tables in runs.items() if tables["coverage"].height]
    caption = (
        f"Whether deviations of {listed(claim)} are what they claim to be. Left: how many skills lie within the "
        "interval rating ± z deviation at the end, over the share that the interval claims to hold; below the grey "
        "line a system is too sure of itself. Right: the root mean square of error / deviation by games played, 1 if "
        "deviations are right, above 1 where they are too small. Errors are those after the best shift. "
        f"{ENDING} "
        f"{_covered(runs)}{replicated(runs)}"
    )
    table = lined(runs, panels, name=name, title="Coverage of deviations", caption=caption)
    percent = table.frame.with_columns(
        x=pl.when(pl.col("panel") == "at the end").then(100 * pl.col("x")).otherwise("x")
    )
    return FigureTable(name, percent, table.caption, table.meta)


def _covered(runs: Runs) -> str:
    frame = gathered(runs, "coverage")
    if frame.is_empty():
        return ""
    rows = frame.filter(level=0.95).rows(named=True)
    return f"Of intervals that claim 95 %: {listed([_share(row) for row in rows])}. "


def _share(row: Mapping[str, float]) -> str:
    return f"{100 * row['covered']:.1f} % by {row['system']}"


def _last(runs: Runs, measure: str, said: str, digits: int = 1) -> str:
    """Return where lines of the table of errors end, in words."""
    frame = gathered(runs, "errors")
    rows = (
        []
        if frame.is_empty()
        else frame.drop_nulls(measure).group_by("system", maintain_order=True).last().rows(named=True)
    )
    ends = [f"{row[measure]:.{digits}f} by {row['system']}" for row in rows]
    return f"{said}: {listed(ends)}. " if ends else ""
