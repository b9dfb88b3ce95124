"""What results count in a tournament report, and whether the points of its players are those of their results."""

import re
from collections.abc import Iterator, Mapping

from .trf import Player, Round, Tournament

Points = dict[tuple[str, str], float]  # of a colour and a result
USUAL: Mapping[str, float] = {
    "1": 1.0,
    "=": 0.5,
    "0": 0.0,
    "W": 1.0,
    "D": 0.5,
    "L": 0.0,
    "+": 1.0,
    "-": 0.0,
    "H": 0.5,
    "F": 1.0,
    "U": 1.0,
    "Z": 0.0,
    "": 0.0,
}
COLOURS: tuple[str, ...] = ("w", "b", "-", "")

# The results that each code gives points to, later ones finer than those before.
SYMBOLS = {"W": "1W+FU", "D": "=DH", "L": "0L", "A": "Z-", "Z": "Z-", "P": "U"}  # TRF26, 162
JAVAFO = {"W": "1W", "D": "=D", "L": "0L", "ZPB": "Z", "HPB": "H", "FPB": "F", "PAB": "U", "FW": "+", "FL": "-"}
BBP = {"BBW": "1W+F", "BBD": "=DH", "BBL": "0L", "BBZ": "Z", "BBF": "-", "BBU": "U"}


def points_of(tournament: Tournament) -> Points:
    """Return what each result counts: 1, ½ and 0, unless 162, XXS or bbpPairings' records say otherwise."""
    points = {(colour, result): value for colour in COLOURS for result, value in USUAL.items()}
    for results, colours, value in _said(tournament):
        for result in results:
            points |= dict.fromkeys(((colour, result) for colour in colours), value)
    return points


def _said(tournament: Tournament) -> Iterator[tuple[str, tuple[str, ...], float]]:
    for line in tournament.others:
        if line[:3] == "162":
            cells = {line[start : start + 1].upper(): line[start + 1 : start + 5] for start in range(5, len(line), 9)}
            for key, results in SYMBOLS.items():
                if _is(cells.get(key)):
                    yield results, COLOURS, float(cells[key])
    for text in tournament.records("XXS"):
        for code, value in re.findall(r"(\w+)\s*=\s*(\d+(?:\.\d*)?)", text):
            colours, kind = COLOURS, code
            if len(code) == 2 and code[0] in "WB" and code[1] in "WDL":
                colours, kind = (code[0].lower(),), code[1]
            yield JAVAFO.get(kind, ""), colours, float(value)
    for code, results in BBP.items():
        yield from ((results, COLOURS, float(text)) for text in tournament.records(code) if _is(text))


def _is(text: str | None) -> bool:
    return text is not None and re.fullmatch(r"\s*\d+(\.\d*)?\s*", text) is not None


def doubtful(tournament: Tournament) -> list[tuple[Player, float]]:
    """Return the players whose points are not those of their results, with what these make."""
    points = points_of(tournament)

    def total(rounds: tuple[Round, ...]) -> float:
        return sum(points[said.colour, said.result] for said in rounds)

    return [
        (player, made)
        for player in tournament.players
        if player.points is not None and abs((made := total(player.rounds)) - player.points) > 1e-9
    ]
