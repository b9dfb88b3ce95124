"""Games as Lichess writes them, of nobody: tags, moves, an evaluation and a clock behind each move."""

import hashlib
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

PLAYERS, DAYS = 30_000, 31
LETTERS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
SAN: Final = """
    e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7 c4 c6 cxb5 axb5 Nc3 Bb7 Bg5 b4 Nb1 h6
    Bh4 c5 dxe5 Nxe4 Bxe7 Qxe7 exd6 Qf6 Nbd2 Nxd6 Nc4 Nxc4 Bxc4 Nb6 Ne5 Rae8 Bxf7+ Rxf7 Nxf7 Rxe1+ Qxe1 Kxf7
"""
MOVES: Final = tuple(SAN.split())
RATES: Final = ("60+0", "180+0", "180+2", "300+0", "300+3", "600+0", "600+5", "1800+20")
SPEEDS: Final = ("Bullet", "Blitz", "Blitz", "Blitz", "Blitz", "Rapid", "Rapid", "Classical")
OPENINGS: Final = (("B00", "King's Pawn Game"), ("C65", "Ruy Lopez: Berlin Defense"), ("A40", "Queen's Pawn Game"))
LEVEL: Final = 3  # of zstd, about what the dumps have


def write(folder: Path, megabytes: int, seed: int = 7) -> tuple[Path, Path, int]:
    """Write the file and its .zst, unless these very ones are there; return both, and how many games they hold."""
    made_by = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:12]
    plain, packed = (folder / f"lichess-{megabytes}-{seed}-{made_by}.pgn{suffix}" for suffix in ("", ".zst"))
    if not _are_whole(plain, packed):
        with plain.open("w", encoding="utf-8") as file:
            size = 0
            for game in games(seed):
                size += file.write(game)
                if size >= megabytes * 1e6:
                    break
        packed.write_bytes(zstd.compress(plain.read_bytes(), LEVEL))
    return plain, packed, plain.read_bytes().count(b"\n[White ")


def _are_whole(plain: Path, packed: Path) -> bool:
    """Whether both files are there, and one holds the other."""
    if not (plain.exists() and packed.exists()):
        return False
    try:
        return zstd.decompress(packed.read_bytes()) == plain.read_bytes()
    except zstd.ZstdError:
        return False


def games(seed: int) -> Iterator[str]:
    """Yield games without end."""
    rng = random.Random(seed)  # noqa: S311  # no secret
    names = ["".join(rng.choices(LETTERS, k=rng.randint(4, 16))) for _ in range(PLAYERS)]
    seconds = 0
    while True:
        white, black = rng.sample(names, 2)
        seconds = (seconds + rng.randint(0, 2)) % (DAYS * 86_400)
        yield _game(rng, white, black, seconds)


def _game(rng: random.Random, white: str, black: str, seconds: int) -> str:
    kind = rng.randrange(len(RATES))
    result = rng.choices(("1-0", "0-1", "1/2-1/2"), (48, 46, 6))[0]
    day, clock = divmod(seconds, 86_400)
    date = f"2024.03.{day + 1:02}"
    code, opening = rng.choice(OPENINGS)
    change = rng.randint(1, 12)
    swing = {"1-0": (change, -change), "0-1": (-change, change), "1/2-1/2": (0, 0)}[result]
    tags = {
        "Event": f"Rated {SPEEDS[kind]} game", "Site": f"https://lichess.org/{''.join(rng.choices(LETTERS, k=8))}",
        "Date": date, "Round": "-", "White": white, "Black": black, "Result": result, "UTCDate": date,
        "UTCTime": _clock(clock), "WhiteElo": str(rng.randint(800, 2600)), "BlackElo": str(rng.randint(800, 2600)),
        "WhiteRatingDiff": f"{swing[0]:+}", "BlackRatingDiff": f"{swing[1]:+}", "ECO": code, "Opening": opening,
        "TimeControl": RATES[kind], "Termination": rng.choice(("Normal", "Time forfeit")),
    }  # fmt: skip
    head = "\n".join(f'[{name} "{value}"]' for name, value in tags.items())
    return f"{head}\n\n{_moves(rng, int(RATES[kind].partition('+')[0]))} {result}\n\n\n"


def _moves(rng: random.Random, left: int) -> str:
    said = []
    value, clocks = 0.2, [left, left]
    for ply in range(rng.randint(6, 74)):
        value += rng.uniform(-0.5, 0.5)
        clocks[ply % 2] = max(clocks[ply % 2] - rng.randint(0, 9), 0)
        number = f"{ply // 2 + 1}{'...' if ply % 2 else '.'}"
        said.append(f"{number} {rng.choice(MOVES)} {{ [%eval {value:.2f}] [%clk {_clock(clocks[ply % 2])}] }}")
    return " ".join(said)


def _clock(seconds: int) -> str:
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
