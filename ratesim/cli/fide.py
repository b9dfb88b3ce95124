"""`ratesim fide`: what a player could work out by hand, by FIDE's rules of any date."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import fide_list, fide_text
from .answers import Games, Signed, calculator, exact, fields, given, options, pairs, signed, step
from .options import Json
from .output import document, say

if TYPE_CHECKING:
    from ..calculator.fide import Game
    from ..calculator.given import Under

app = calculator("FIDE's numbers by the rules of any date: a calculator.")
Date = Annotated[
    str | None, typer.Option(metavar="YEAR-MONTH-DAY", help="Rules of that day; the latest known if left out.")
]
ListName = Annotated[str, typer.Option("--list", metavar="LIST", help="standard, rapid or blitz.")]
Rating = Annotated[str, typer.Option(metavar="RATING", help="Published rating.")]
Played = Annotated[str | None, typer.Option("--games", metavar="N", help="Rated games before the period, for K.")]
Born = Annotated[str | None, typer.Option(metavar="YEAR", help="Year of birth, for K.")]
Peak = Annotated[str | None, typer.Option(metavar="RATING", help="Highest rating published so far, for K.")]


@app.command(cls=Signed)
def expected(
    difference: Annotated[str, typer.Argument(metavar="D", help="Own rating less the opponent's.")],
    *,
    rating: Annotated[
        str | None,
        typer.Option(metavar="RATING", help="Own rating: some rules go by it; left out, neither side is so high."),
    ] = None,
    date: Date = None,
    list_: ListName = "standard",
    json: Json = False,
) -> None:
    """Expected score of a rating difference: table 8.1.2 and the 400-point rule."""
    from ..calculator import fide

    with options():
        found = fide.expected(difference, **given(rating=rating, date=date, list=list_))
    on = _under(date, list_)
    if json:
        names = ("difference", "counted", "expected", "opponent", "d_min", "d_max", "reason")
        document(exact({**fields(found, *names), **_told(on)}))
    else:
        fide_text.expected(found, on)


@app.command()
def change(
    games: Games,
    *,
    rating: Rating,
    k: Annotated[
        str | None, typer.Option("--k", metavar="K", help="K; left out, worked out from what follows.")
    ] = None,
    played: Played = None,
    born: Born = None,
    peak: Peak = None,
    period_games: Annotated[
        str | None,
        typer.Option(
            metavar="N", help="Games of the whole rating period, for the 700-point rule; those given if left out."
        ),
    ] = None,
    other_events: Annotated[
        str, typer.Option(metavar="POINTS", help="Changes by the period's other events, before rounding.")
    ] = "0",
    date: Date = None,
    list_: ListName = "standard",
    json: Json = False,
) -> None:
    """What the games of one event change in a rating. An unrated opponent is written unrated:SCORE."""
    from ..calculator import fide

    with options():
        found = fide.change(
            rating, pairs(games), k, other_events=other_events,
            **given(games=played, born=born, peak=peak, period_games=period_games, date=date, list=list_),
        )  # fmt: skip
    for line in found.doubts:
        say(line)
    on = _under(date, list_)
    if json:
        names = ("rating", "k", "k_reason", "sum", "change", "other_events", "new_rating", "published")
        document(exact({**fields(found, *names), "games": [_game(each) for each in found.games], **_told(on)}))
    else:
        fide_text.change(found, on)


@app.command()
def initial(
    opponents: Annotated[
        list[str] | None,
        typer.Argument(metavar="RATING", help="Ratings of the rated opponents.", show_default=False),
    ] = None,
    *,
    points: Annotated[str, typer.Option(metavar="POINTS", help="Points scored against them.")],
    average: Annotated[
        str | None,
        typer.Option(metavar="RATING", help="What the opponents average, where single ones are not known ..."),
    ] = None,
    games: Annotated[str | None, typer.Option(metavar="N", help="... and how many they are.")] = None,
    first_event: Annotated[
        bool,
        typer.Option(
            "--first-event/--later-events",
            help="Whether the player's first event is among the games: without a point it is disregarded.",
        ),
    ] = True,
    date: Date = None,
    list_: ListName = "standard",
    json: Json = False,
) -> None:
    """First rating of a player, and whether it is published."""
    from ..calculator import fide

    with options():
        found = fide.initial(
            opponents or (),
            points,
            first_event=first_event,
            **given(average=average, games=games, date=date, list=list_),
        )
    on = _under(date, list_)
    if json:
        names = ("rating", "published", "average", "p", "dp", "bonus", "raw", "reason", "games", "points")
        document(exact({**fields(found, *names), **_told(on)}))
    else:
        fide_text.initial(found, on)


@app.command()
def performance(games: Games, *, date: Date = None, json: Json = False) -> None:
    """Performance rating, as for title norms. An unrated opponent, unrated:SCORE, counts as the floor."""
    from ..calculator import fide

    with options():
        found = fide.performance(pairs(games), **given(date=date))
    on = _under(date)
    if json:
        document(exact({**fields(found, "performance", "average", "p", "dp", "games", "points"), **_told(on)}))
    else:
        fide_text.performance(found, on)


@app.command("k")
def k_factor(
    *,
    rating: Rating,
    games: Played = None,
    born: Born = None,
    peak: Peak = None,
    period_games: Annotated[
        str, typer.Option(metavar="N", help="Games of the rating period, for the 700-point rule.")
    ] = "0",
    date: Date = None,
    list_: ListName = "standard",
    json: Json = False,
) -> None:
    """K of a player, and the rule that gives it."""
    from ..calculator import fide

    with options():
        found = fide.k_factor(
            rating, period_games=period_games, **given(games=games, born=born, peak=peak, date=date, list=list_)
        )
    on = _under(date, list_)
    if json:
        document({**fields(found, "k", "base", "reason"), **_told(on)})
    else:
        fide_text.heading(on)
        fide_text.line("K", f"{found.k}: {found.reason}")


@app.command()
def one_off(
    rating: Annotated[str, typer.Argument(metavar="RATING", help="Rating before.")],
    *,
    date: Annotated[
        str, typer.Option(metavar="YEAR-MONTH-DAY", help="2024-03-01, or 2022-10-01 for rapid and blitz.")
    ] = "2024-03-01",
    list_: ListName = "standard",
    standard: Annotated[
        str | None, typer.Option(metavar="RATING", help="The player's standard rating, for October 2022.")
    ] = None,
    json: Json = False,
) -> None:
    """What a rating became on a day on which FIDE changed many at once."""
    from ..calculator import fide
    from ..calculator.given import rating as checked

    with options():
        before = checked(rating)
        after = fide.one_off(before, date=date, list=list_, standard=standard)
    if json:
        document({"rating": before, "new_rating": after, "list": list_, "date": date})
    else:
        typer.echo(f"{list_}, {date}: {step(str(before), signed(after - before), str(after))}")


def _under(date: str | None, list_: str = "standard") -> "Under":
    from ..calculator.given import under
    from ..rules import LATEST

    return under(date or LATEST, list_)


def _told(on: "Under") -> dict[str, str]:
    """Return which rules were used: those of which list, in force since when."""
    return {"list": on.list, "rules": str(on.since)}


def _game(game: "Game") -> dict[str, Any]:
    told = fields(game, "opponent", "score", "difference", "counted", "expected", "change")
    return told if game.reason is None else {**told, "reason": game.reason}


app.command("list")(fide_list.list_)
