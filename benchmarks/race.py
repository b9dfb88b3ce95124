"""Contenders timed in turn, round by round, so that whatever else the machine does falls on all of them alike."""

import time
from collections.abc import Callable, Mapping

Contender = Callable[[], Callable[[], object]]  # sets up; what it returns is timed


def race(
    contenders: Mapping[str, tuple[Contender, float]], rounds: int, clock: Callable[[], int] = time.thread_time_ns
) -> dict[str, list[float]]:
    """Return each contender's nanoseconds, round by round, after one round that does not count.

    Parameters
    ----------
    contenders : by name, what runs and by how many its time is divided (games, or games x lanes).
    rounds : how often each runs.
    clock : nanoseconds; by that of the thread, a core lent to another process meanwhile costs nothing.
    """
    found: dict[str, list[float]] = {name: [] for name in contenders}
    for counted in range(rounds + 1):
        for name, (set_up, share) in contenders.items():
            run = set_up()
            began = clock()
            run()
            spent = clock() - began
            if counted:
                found[name].append(spent / share)
    return found
