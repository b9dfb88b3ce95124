"""FIDE's numbers as a player writes them down, so that they can be checked by hand."""

from fractions import Fraction
from typing import TYPE_CHECKING

import typer

from .answers import plain, signed, step
from .output import count, table

if TYPE_CHECKING:
    from ..calculator.fide import Change, Expected, Game, Initial, Performance
    from ..calculator.given import Under
    from ..rules import Rules

NONE = "-"


def line(label: str, value: str) -> None:
    """Print one value under its label."""
    typer.echo(f"{label:<11} {value}")


def heading(on: "Under") -> None:
    """Say which rules hold."""
    typer.echo(f"{on.list}, rules of {on.since}")


def expected(found: "Expected", on: "Under") -> None:
    """Print what is expected of both sides, and the row of the table."""
    heading(on)
    difference = f"{found.difference}, counted as {found.counted} *" if found.capped else str(found.difference)
    line("difference", f"{difference}, row {_row(found.counted)} of table 8.1.2")
    line("expected", f"{found.expected}, opponent {found.opponent}")
    _legend(on.rules, capped=found.capped)
    if found.reason:
        line("not rated", found.reason)


def change(found: "Change", on: "Under") -> None:
    """Print games, their sum, K with its rule, the change and the new rating."""
    heading(on)
    k, digits = plain(found.k), _digits(found)
    rows = [_cells(each, f"{k} (S - E)", digits) for each in found.games]
    table(rows, right=rows[0])
    for each in dict.fromkeys(each.reason for each in found.games if each.reason):
        line("not rated", each)
    line("sum", signed(found.sum, 2))
    line("K", f"{k}: {found.k_reason}" if found.k_reason else f"{k}, as given")
    line("change", f"{k} x {found.sum:.2f} = {signed(found.change)}")
    if found.other_events:
        together = signed(found.change + found.other_events)
        line("together", f"{signed(found.change)} and {signed(found.other_events)} of other events = {together}")
    line("new rating", step(str(found.rating), signed(found.new_rating - found.rating), str(found.new_rating)))
    if not found.published:
        line("", f"below the floor of {on.rules.floor:.0f}: unrated on the next list")
    _legend(on.rules, capped=any(each.capped for each in found.games))


def _digits(found: "Change") -> int:
    """Return the decimals that all changes of games can be written with."""
    return max([1, *(-int(each.change.normalize().as_tuple().exponent) for each in found.games if each.change)])


def _cells(game: "Game", worth: str, digits: int) -> dict[str, str]:
    shown = {
        "opponent": "unrated" if game.opponent is None else str(game.opponent),
        "score S": plain(game.score),
        "difference": NONE if game.difference is None else str(game.difference),
    }
    if game.expected is None or game.change is None or game.counted is None:
        return {**shown, **dict.fromkeys(("counted", "row of 8.1.2", "expected E", "S - E", worth), NONE)}
    return {
        **shown,
        "counted": f"{game.counted} *" if game.capped else str(game.counted),
        "row of 8.1.2": _row(game.counted),
        "expected E": str(game.expected),
        "S - E": signed(game.score - game.expected, 2),
        worth: signed(game.change, digits),
    }


def _row(difference: int) -> str:
    """Return the row of table 8.1.2 by its differences."""
    from ..calculator.fide import row

    low, high = row(difference)
    return f"over {low - 1}" if high is None else f"{low}-{high}"


def _legend(rules: "Rules", *, capped: bool) -> None:
    """Explain the mark, where there is one."""
    if capped:
        once = ", of the higher rated player only one in an event" if rules.one_upgrade else ""
        typer.echo(f"* a difference of more than {rules.cap:.0f} counts as {rules.cap:.0f}{once}")


def initial(found: "Initial", on: "Under") -> None:
    """Print the average, the share, the points for it, their sum and the rating."""
    from ..systems.fide_first import HYPOTHETICAL

    heading(on)
    draws = int(on.rules.draws)
    points, mean, raw = plain(found.points), f"{float(found.average):.2f}", f"{float(found.raw):.2f}"
    hypothetical = f" and {draws} hypothetical ones of {HYPOTHETICAL:.0f}" if draws else ""
    line("average", f"{mean} of {count(found.games, 'opponent')}{hypothetical}")
    with_draws = (
        f", with {draws} draws {plain(found.points + Fraction(draws, 2))} of {found.games + draws}" if draws else ""
    )
    line("points", f"{points} of {found.games}{with_draws}: p {float(found.p):.2f}")
    if found.dp is not None:
        added = signed(found.dp)
        line("dp", f"{added} by table 8.1.1")
    else:
        added = signed(float(found.bonus or 0))
        above = plain(2 * found.points - found.games)
        line("above half", f"{above} half points x {plain(on.rules.bonus)} = {added}")
    line("sum", step(mean, added, raw))
    highest = ", the highest first rating" if found.rating == on.rules.highest and found.raw > found.rating else ""
    line("rating", f"{found.rating}{highest}" + (f", not published: {found.reason}" if found.reason else ""))


def performance(found: "Performance", on: "Under") -> None:
    """Print the average, the share, dp and their sum."""
    heading(on)
    line("average", f"{found.average} of {count(found.games, 'opponent')}")
    line("points", f"{plain(found.points)} of {found.games}: p {found.p}")
    line("dp", f"{signed(found.dp)} by table 8.1.1")
    line("performance", step(str(found.average), signed(found.dp), str(found.performance)))
