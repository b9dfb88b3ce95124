"""What parts of a world give is looked at before it is believed: anybody may write a part."""

import math
import textwrap
from collections.abc import Callable
from typing import Any, NoReturn, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, RatesimError
from ..spec import Spec
from .base import (
    ACTIVITIES,
    CHANGES,
    OUTCOMES,
    PAIRINGS,
    SKILLS,
    STRESSES,
    Activity,
    Chances,
    Change,
    Floats,
    Ints,
    Memory,
    Outcomes,
    Pairing,
    Pairs,
    Skills,
    Stress,
)
from .laws import SLACK
from .performing import Performances

P = ParamSpec("P")
T = TypeVar("T")
Both = TypeVar("Both", Pairs, Chances, Performances)

WORDS: dict[type[Spec], str] = {
    Skills: SKILLS.word, Change: CHANGES.word, Activity: ACTIVITIES.word, Pairing: PAIRINGS.word,
    Outcomes: OUTCOMES.word, Stress: STRESSES.word,
}  # fmt: skip
HELD = {"f": ("numbers", "fiub"), "i": ("whole numbers", "i"), "b": ("true or false", "b")}  # and numpy's kinds of it


def ours(part: Spec) -> bool:
    """Whether a part comes with ratesim, whose tests hold it to what it gives."""
    return type(part).__module__.startswith("ratesim.")


def place(part: Spec, round_: int) -> str:
    """Return how messages name a part in a round."""
    word = next(word for family, word in WORDS.items() if isinstance(part, family))
    return f"{word} {part.kind}, round {round_}"


def ask(part: Spec, round_: int, method: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what a method of a part returns.

    Raises
    ------
    InputError : the method raises anything.
    """
    try:
        return method(*args, **kwargs)
    except (RatesimError, MemoryError):
        raise
    except Exception as error:
        said = textwrap.shorten(f"{type(error).__name__}: {error}".rstrip(": "), 300, placeholder=" ...")
        raise InputError(said, where=place(part, round_)) from error


def begun(part: Spec, method: Callable[P, Memory], *args: P.args, **kwargs: P.kwargs) -> Memory:
    """Return what a part remembers.

    Raises
    ------
    InputError : it is no dictionary.
    """
    memory: object = ask(part, 0, method, *args, **kwargs)
    if not isinstance(memory, dict):
        _refuse(part, 0, f"begin gives a {type(memory).__name__}", "a dictionary, such as {}")
    return memory


def known(part: Activity, memory: Memory, shape: tuple[int, int]) -> Memory:
    """Return what an activity remembers, of which days of arrival and leaving (R or 1, N or 1) are known to others.

    Raises
    ------
    InputError : they have another shape, or are not numbers.
    """
    for name in ("arrives", "leaves"):
        if name in memory and np.isnan(array(part, 0, memory[name], shape, name, spread=True)).any():
            _refuse(part, 0, f"{name} has nan in it", "days")
    return memory


def array(
    part: Spec, round_: int, found: object, shape: tuple[int, int], name: str, letter: str = "f", *,
    spread: bool = False,
) -> NDArray[Any]:  # fmt: skip
    """Return an array that a part gave.

    Parameters
    ----------
    name : what it is called in messages. letter : of what it is to hold, by `HELD`.
    spread : whether its axes may be of length 1.

    Raises
    ------
    InputError : it is none, has another shape, or holds something else.
    """
    if not (isinstance(found, np.ndarray) and (found.shape == shape or (spread and _spreads(found.shape, shape)))):
        said = f"an array {found.shape}" if isinstance(found, np.ndarray) else f"a {type(found).__name__}"
        _refuse(part, round_, f"{name} is {said}", f"an array {shape}" + (", or 1 for either" if spread else ""))
    held, kinds = HELD[letter]
    if found.dtype.kind not in kinds:
        _refuse(part, round_, f"{name} is an array of {found.dtype}", held)
    return found


def _spreads(found: tuple[int, ...], shape: tuple[int, int]) -> bool:
    return len(found) == 2 and all(n in {1, m} for n, m in zip(found, shape, strict=True))


def both(part: Spec, round_: int, found: object, kind: type[Both], shape: tuple[int, int]) -> Both:
    """Return the two arrays (R, M) that a part gave of the games of a round.

    Raises
    ------
    InputError : they are no such arrays.
    """
    if not isinstance(found, kind):
        _refuse(part, round_, f"a {type(found).__name__}", f"{kind.__name__}{kind._fields}".replace("'", ""))
    letter = "i" if kind is Pairs else "f"
    named = zip(kind._fields, found, strict=True)
    one, other = (array(part, round_, side, shape, name, letter) for name, side in named)
    if letter == "i":
        return kind(one, other)
    return kind(one.astype(np.float64, copy=False), other.astype(np.float64, copy=False))


def finite(part: Spec, round_: int, skill: Floats) -> None:
    """Refuse skills or strengths that are no numbers: their sum is one only if all are.

    Raises
    ------
    InputError : there is NaN among them, or infinity.
    """
    with np.errstate(all="ignore"):
        if math.isfinite(skill.sum()):
            return
    wrong = skill[~np.isfinite(skill)]
    if wrong.size:
        said = f"skill {wrong[0]:g} of {wrong.size} of {skill.size} players"
        _refuse(part, round_, said, "rating points, a finite number")


def likely(part: Activity, round_: int, weight: Floats) -> Floats:
    """Return chances to play (R or 1, N or 1), relative to each other.

    Raises
    ------
    InputError : one is negative, or no finite number.
    """
    wrong = weight[~((weight >= 0) & np.isfinite(weight))]
    if wrong.size:
        _refuse(part, round_, f"a chance of {wrong[0]:g} to play", "a finite number, at least 0")
    return weight


def meetable(part: Spec, round_: int, pairs: Pairs, players: int) -> Pairs:
    """Return games, none of which is of players that there are not, or of one with themselves; ours are trusted.

    Raises
    ------
    InputError : there is such a game.
    """
    if ours(part):
        return pairs
    first, second = pairs
    none = (first == -1) & (second == -1)
    wrong = ~none & ((first == second) | (np.minimum(first, second) < 0) | (np.maximum(first, second) >= players))
    if wrong.any():
        said = f"player {first[wrong][0]} meets player {second[wrong][0]}"
        _refuse(part, round_, said, f"two players from 0 to {players - 1}, or -1 and -1 for no game")
    return Pairs(*(side.astype(np.int32, copy=False) for side in pairs))


def fair(part: Spec, round_: int, chances: Chances, first: Ints) -> None:
    """Refuse chances (R, M) that are none, where there is a game.

    Raises
    ------
    InputError : an expected score outside 0 and 1, or a probability that is none, by more than 1e-12.
    """
    e, d = (each[first >= 0] for each in chances)
    wrong = ~((e >= -SLACK) & (e <= 1.0 + SLACK))
    if wrong.any():
        _refuse(part, round_, f"expected score {e[wrong][0]:g} of first", "a number from 0 to 1")
    wrong = ~np.isfinite(d)
    if wrong.any():
        _refuse(part, round_, f"probability {d[wrong][0]:g} of a draw", "a number from 0 to 1")
    wrong = ~((d >= -SLACK) & (d <= 2.0 * np.minimum(e, 1.0 - e) + SLACK))
    if wrong.any():
        win, draw = (e - 0.5 * d)[wrong][0], d[wrong][0]
        said = f"probabilities of win, draw and loss {win:g}, {draw:g}, {1.0 - win - draw:g}"
        _refuse(part, round_, said, "none below 0")


def settled(part: Stress, round_: int, pairs: Pairs, score: Floats, chances: Chances) -> None:
    """Refuse results and chances (R, M) that foul play has made impossible; ours is trusted.

    Raises
    ------
    InputError : there are such.
    """
    if ours(part):
        return
    found = score[pairs.first >= 0]
    wrong = found[~np.isin(found, (0.0, 0.5, 1.0))]
    if wrong.size:
        _refuse(part, round_, f"score {wrong[0]:g}", "0, 0.5 or 1")
    fair(part, round_, chances, pairs.first)


def _refuse(part: Spec, round_: int, said: str, expected: str) -> NoReturn:
    raise InputError(said, where=place(part, round_), expected=expected)
