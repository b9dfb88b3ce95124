"""`ratesim elo`: expected scores and changes by formula."""

from typing import Annotated

import typer

from .answers import Games, Signed, calculator, exact, fields, options, pairs, plain, signed, step
from .options import Json
from .output import document, table

app = calculator("Elo's formula: a calculator.")
Curve = Annotated[str, typer.Option(metavar="CURVE", help="logistic, normal or fide (table 8.1.2).")]
Cap = Annotated[
    str | None, typer.Option(metavar="POINTS", help="A larger difference counts as this one; never if left out.")
]
Scale = Annotated[str, typer.Option(metavar="POINTS", help="Rating points for odds of ten to one.")]


@app.command(cls=Signed)
def expected(
    difference: Annotated[str, typer.Argument(metavar="D", help="Own rating less the opponent's.")],
    *,
    curve: Curve = "logistic",
    cap: Cap = None,
    scale: Scale = "400",
    json: Json = False,
) -> None:
    """Expected score of a rating difference."""
    from ..calculator import elo

    with options():
        found = elo.expected(difference, curve=curve, cap=cap, scale=scale)
    if json:
        document(exact(fields(found, "difference", "counted", "expected", "opponent")))
        return
    counted = "" if found.counted == found.difference else f", counted as {plain(found.counted)}"
    typer.echo(f"difference  {plain(found.difference)}{counted}")
    typer.echo(f"expected    {found.expected:.4f}, opponent {found.opponent:.4f}")


@app.command()
def change(
    games: Games,
    *,
    rating: Annotated[str, typer.Option(metavar="RATING", help="Rating before.")],
    k: Annotated[str, typer.Option("--k", metavar="K", help="K-factor.")],
    curve: Curve = "logistic",
    cap: Cap = None,
    scale: Scale = "400",
    average: Annotated[bool, typer.Option("--average", help="Take every opponent for their average.")] = False,
    digits: Annotated[
        str | None, typer.Option(metavar="N", help="Decimals of the new rating; all of them if left out.")
    ] = None,
    json: Json = False,
) -> None:
    """What games that are rated together change in a rating."""
    from ..calculator import elo

    with options():
        found = elo.change(rating, pairs(games), k, curve=curve, cap=cap, scale=scale, average=average, digits=digits)
    if json:
        names = ("opponent", "score", "difference", "counted", "expected", "change")
        told = fields(found, "rating", "k", "sum", "change", "new_rating")
        document(exact({**told, "games": [fields(each, *names) for each in found.games]}))
        return
    rows = [
        {
            "opponent": f"{each.opponent:.6g}",
            "score S": plain(each.score),
            "difference": f"{each.difference:.6g}",
            "counted": f"{each.counted:.6g}" + (" *" if each.counted != each.difference else ""),
            "expected E": f"{each.expected:.4f}",
            "S - E": signed(each.score - each.expected, 4),
            f"{plain(found.k)} (S - E)": signed(each.change, 2),
        }
        for each in found.games
    ]
    table(rows, right=rows[0])
    typer.echo(f"sum         {signed(found.sum, 4)}")
    typer.echo(f"change      {plain(found.k)} x {found.sum:.4f} = {signed(found.change, 2)}")
    new = f"{found.new_rating:.2f}" if digits is None else f"{found.new_rating:.{int(digits)}f}"
    typer.echo(f"new rating  {step(plain(found.rating), signed(found.change, 2), new)}")
    if average:
        typer.echo(f"every opponent is taken for their average, {found.games[0].opponent:.6g}")
    if any(each.counted != each.difference for each in found.games):
        typer.echo(f"* a difference of more than {cap} counts as {cap}")
