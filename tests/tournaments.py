"""Lines of tournament reports for tests, laid out by hand: `row` knows nothing of the reader or the writer."""


def row(number, name, *rounds, sex="", title="", rating="", fed="", id="", birth="", points="0.0", rank=""):  # noqa: A002
    who = f"001 {number:>4} {sex:1}{title:>3} {name:33} {rating:>4} {fed:3} {id:>11} {birth:10} {points:>4} {rank:>4}"
    return "".join([who, *(f"  {each:8}" for each in rounds)])


HEAD = [
    "012 Club Open",
    "022 Donostia",
    "032 ESP",
    "042 2024/01/31",
    "052 2024/02/04",
    "062 4",
    "092 Individual: Swiss-System",
    "102 IA A. Arbiter",
    "112 B. Deputy",
    "112 C. Deputy",
    "122 90 min + 30 sec per move",
    f"132{'24/01/31':>96}{'24/02/01':>10}{'24/02/04':>10}",
]
# Three rounds of four: six games would be played, one is a forfeit and one player is away with a bye.
PLAYERS = [
    row(1, "Aa, Ada", "   3 w 1", "   2 b =", "   4 w +", sex="w", title="wg", rating=2301, fed="ESP", id=2200001,
        birth="1990/05/01", points=2.5, rank=1),
    row(2, "Bé, Bo", "   4 b 1", "   1 w =", "0000 - H", sex="m", title="f", rating=1875, fed="FRA", id=600002,
        birth="1985", points=2.0, rank=2),
    row(3, "Cc, Cy", "   1 b 0", "   4 w 1", "0000 - U", sex="m", rating=0, fed="ESP", id=0, birth="00/00/0000",
        points=2.0, rank=3),
    row(4, "Dd, Di", "   2 w 0", "   3 b 0", "   1 - -", sex="w", rating=1400, id=2200004, points=0.0, rank=4),
]  # fmt: skip


def report(*lines, end="\n"):
    """The text of a report: the usual one, or of these lines."""
    return "".join(each + end for each in lines or (*HEAD, *PLAYERS))


def changed(text, old, new):
    assert text.count(old) == 1, old
    return text.replace(old, new)
