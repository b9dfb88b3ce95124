"""How long a tournament report takes to read: 300 players, 11 rounds; the bound is 0.1 s."""

import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import ratesim as rs
from ratesim.io.trf import Player, Round, Tournament

PLAYERS, ROUNDS, TIMES = 300, 11, 15
BOUND = 0.1  # s


def tournament() -> Tournament:
    """Everybody plays every round: in round k, those whose numbers add up to k by the circle method."""
    rounds: list[list[Round]] = [[] for _ in range(PLAYERS)]
    ring = PLAYERS - 1
    for k in range(ROUNDS):
        pairs = [((k + i) % ring, (k - i) % ring) for i in range(1, PLAYERS // 2)] + [(k % ring, ring)]
        for i, (white, black) in enumerate(pairs):
            one, other = (("1", "0"), ("=", "="), ("0", "1"))[(i + k) % 3]
            rounds[white].append(Round(black + 1, "w", one))
            rounds[black].append(Round(white + 1, "b", other))
    players = (
        Player(n + 1, f"Player, Number {n}", "m", "", 2400 - n, "ESP", str(2_000_000 + n), "1990/01/01", None, n + 1, r)
        for n, r in enumerate(map(tuple, rounds))
    )
    days = tuple(date(2024, 2, 1) + timedelta(k) for k in range(ROUNDS))
    return Tournament(
        name="Open", start="2024/02/01", time_control="90 min + 30 sec", dates=days, players=tuple(players)
    )


def seconds(act: Callable[[], object]) -> list[float]:
    spent = []
    for _ in range(TIMES + 1):  # the first does not count
        start = time.perf_counter()
        act()
        spent.append(time.perf_counter() - start)
    return spent[1:]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "open.trf"
        rs.write_trf(tournament(), path)
        read = rs.read_trf(path)
        acts = {"read_trf": lambda: rs.read_trf(path), "tournament_games": lambda: rs.tournament_games(read)}
        for name, act in acts.items():
            spent = seconds(act)
            print(
                f"{name:<17} {statistics.median(spent) * 1e3:6.1f} ms  ({min(spent) * 1e3:.1f}-{max(spent) * 1e3:.1f})"
            )
    print(f"{PLAYERS} players, {ROUNDS} rounds; bound of reading: {BOUND * 1e3:.0f} ms")


if __name__ == "__main__":
    main()
