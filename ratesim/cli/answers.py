"""What the verbs of the calculator share: games as typed, exact numbers, mistakes that name their options."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from ..errors import InputError

Games = Annotated[list[str], typer.Argument(metavar="RATING:SCORE", help="One word for each game: 1600:0.5")]
OPTIONS = {
    "average", "born", "cap", "curve", "date", "digits", "games", "k", "list", "other_events", "peak", "period_games",
    "points", "rating", "scale", "standard",
}  # fmt: skip
NEGATIVE = re.compile(r"-[.\d].*")


def calculator(about: str) -> typer.Typer:
    """Return an empty family of verbs; named without a verb, it shows its help."""

    def root(context: typer.Context) -> None:
        if context.invoked_subcommand is None:
            typer.echo(context.get_help())

    app = typer.Typer(rich_markup_mode=None, help=about, invoke_without_command=True)
    app.callback()(root)
    return app


class Signed(TyperCommand):
    """A command whose argument may be a negative number, which would else be taken for an option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401  # typer's own kind
        """Put negative numbers behind the mark after which nothing is an option."""
        numbers = [word for word in args if NEGATIVE.fullmatch(word)]
        others = [word for word in args if not NEGATIVE.fullmatch(word)]
        return super().parse_args(ctx, [*others, "--", *numbers] if numbers else args)


@contextmanager
def options() -> Iterator[None]:
    """Say options in a mistake as they are typed: `--period-games` for `period_games`."""
    try:
        yield
    except InputError as error:
        names = error.where.split(", ")
        if not set(names) <= OPTIONS:
            raise
        typed = ", ".join(f"--{name.replace('_', '-')}" for name in names)
        raise InputError(error.what, where=typed, expected=error.expected, near=error.near) from None


def given(**values: object) -> dict[str, Any]:
    """Return what was given of some options."""
    return {name: value for name, value in values.items() if value is not None}


def pairs(words: Iterable[str]) -> list[tuple[str, str]]:
    """Return games as rating and score, both as typed.

    Raises
    ------
    InputError : a word is no game.

    >>> pairs(["1600:0.5", "unrated:1"])
    [('1600', '0.5'), ('unrated', '1')]
    """
    found = [word.partition(":") for word in words]
    for n, (rating, colon, score) in enumerate(found, 1):
        if not (rating and colon and score):
            raise InputError(f"'{rating}{colon}{score}'", where=f"game {n}", expected="RATING:SCORE, such as 1600:0.5")
    return [(rating, score) for rating, _, score in found]


def exact(value: object) -> Any:  # noqa: ANN401  # whatever JSON has
    """Return exact numbers as JSON has them: the shortest decimal that is the same double, whole ones without a point.

    >>> from decimal import Decimal
    >>> exact({"sum": Decimal("0.30"), "games": [Decimal("8.00")]})
    {'sum': 0.3, 'games': [8]}
    """
    match value:
        case Decimal() | Fraction() | float():
            double = float(value)
            return int(double) if double.is_integer() else double
        case Mapping():
            return {key: exact(each) for key, each in value.items()}
        case Sequence() if not isinstance(value, str):
            return [exact(each) for each in value]
    return value


def fields(record: object, *names: str) -> dict[str, Any]:
    """Return some fields of a record by their names."""
    return {name: getattr(record, name) for name in names}


def signed(x: Decimal | float, digits: int | None = None) -> str:
    """Return a number with its sign, without idle zeros or with so many decimals.

    >>> from decimal import Decimal
    >>> signed(Decimal("7.20")), signed(Decimal("-8.60")), signed(Decimal("0.00")), signed(1.8181, 2)
    ('+7.2', '-8.6', '0', '+1.82')
    """
    if digits is not None:
        return f"{x:+.{digits}f}"
    short = plain(x)
    return short if x <= 0 else f"+{short}"


def plain(x: Decimal | Fraction | float) -> str:
    """Return a number without idle zeros.

    >>> from decimal import Decimal
    >>> plain(Decimal("20")), plain(Decimal("-0.00")), plain(1500.5)
    ('20', '0', '1500.5')
    """
    return str(exact(x))


def step(before: str, by: str, after: str) -> str:
    """Return a sum as one writes it down.

    >>> step("1500", "+1", "1501"), step("2813", "-3", "2810")
    ('1500 + 1 = 1501', '2813 - 3 = 2810')
    """
    sign = "-" if by.startswith("-") else "+"
    return f"{before} {sign} {by.lstrip('+-')} = {after}"
