"""What a reader should know of a world whose activity says more than it does."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..errors import InputError
from .base import Activity
from .checked import ask

if TYPE_CHECKING:
    from .league import League


def remarks(world: "League") -> Iterator[str]:
    """Yield notes on the activities of a world, a line each: on rounds without games, and on what hardly matters."""
    closing, rounds = _closing(world), _open(world)
    if rounds < world.rounds:
        names = ", ".join(part.kind for part in closing)
        yield f"{rounds:,} of {world.rounds:,} rounds have games, for activity {names} closes the others"
    if world.pairing.all_play(world.players, world.games):
        pairing = f"under pairing {world.pairing.kind} all who are there play each round"
        yield from (f"activity {part.kind} hardly matters: {pairing}" for part in world.activity if part.graded)


def nobody_met(world: "League") -> InputError:
    """Return the mistake of a world without a game."""
    expected = "a round in which two players meet"
    if _open(world):
        return InputError("no game is played", expected=expected)
    names = ", ".join(part.kind for part in _closing(world))
    return InputError(f"no game is played: activity {names} closes all {world.rounds:,} rounds", expected=expected)


def _closing(world: "League") -> list[Activity]:
    """Return the activities that close rounds, if the days are such."""
    return [part for part in world.activity if type(part).closed is not Activity.closed]


def _open(world: "League") -> int:
    """Return how many rounds are open."""
    closing = _closing(world)
    moments = map(world.moment, range(world.rounds if closing else 0))
    shut = sum(any(ask(part, each.round, part.closed, each) for part in closing) for each in moments)
    return world.rounds - shut
