"""What a world is: skills, pairing and results, told apart from what a rating system believes."""

from ..registry import Registry
from ..spec import Spec
from ..stream import GameStream


class World(Spec):
    """A way to simulate games whose truth is known."""

    def simulate(self, seed: int, replicate: int = 0) -> GameStream:
        """Return games with `truth`, `skill_first`, `skill_second`, and `players` with their `skill` (rating points).

        The same parameters, seed and replicate give the same bytes, on any machine and in any order.

        Raises
        ------
        InputError : a negative seed or replicate.
        """
        raise NotImplementedError


WORLDS: Registry[World] = Registry("world", "ratesim.worlds")
