"""What sites write into the tags of PGN: pools, whether a game is rated, ids."""

import re
from typing import Final, NamedTuple

import polars as pl

TAIL: Final = r"/?(?:[?#].*)?$"
LICHESS_GAME: Final = r"^https?://lichess\.org/([A-Za-z0-9]{8})(?:[A-Za-z0-9]{4})?(?:/(?:white|black))?" + TAIL
LICHESS: Final = "https://lichess.org/"
LICHESS_PLAIN: Final = r"^https://lichess\.org/[A-Za-z0-9]{8}$"
LICHESS_PAGES: Final = ("analysis", "features", "insights", "practice", "streamer", "timeline", "training")
BROADCAST_GAME: Final = r"^https?://lichess\.org/broadcast/[^/?#]+/[^/?#]+/[^/?#]+/([A-Za-z0-9]{8})" + TAIL
CHESS_COM_GAME: Final = r"^https?://(?:www\.)?chess\.com/(?:game/(?:live|daily)|(?:live|daily)/game)/([0-9]+)" + TAIL
PERFS: Final = {
    "chess960": "chess960",
    "fischerandom": "chess960",
    "fischerrandom": "chess960",
    "wildfr": "chess960",
    "crazyhouse": "crazyhouse",
    "antichess": "antichess",
    "atomic": "atomic",
    "horde": "horde",
    "kingofthehill": "kingOfTheHill",
    "racingkings": "racingKings",
    "threecheck": "threeCheck",
    "3check": "threeCheck",
    "ultrabullet": "ultraBullet",
    "bullet": "bullet",
    "blitz": "blitz",
    "rapid": "rapid",
    "classical": "classical",
    "standard": "standard",
    "lightning": "lightning",
    "correspondence": "correspondence",
}
VARIANTS: Final = frozenset(
    ("chess960", "crazyhouse", "antichess", "atomic", "horde", "kingOfTheHill", "racingKings", "threeCheck")
)
PLAIN: Final = ("chess", "fromposition", "normal", "orthodox", "unknown")  # words beside PERFS for no variant at all
WORDS: Final = re.compile(
    r"(?:FICS )?(?:(rated|unrated|casual) )?([\w /-]+?) (game|match|tournament|arena|simul|swiss)\b(.*)", re.IGNORECASE
)
# Games last as long as their clock and forty increments (lila, modules/rating and scalachess, Speed: seconds).
LICHESS_SPEEDS: Final = (
    (30, "ultraBullet"), (180, "bullet"), (480, "blitz"), (1500, "rapid"), (21600, "classical"),
)  # fmt: skip
CHESS_COM_SPEEDS: Final = ((180, "bullet"), (600, "blitz"))
CLOCK: Final = re.compile(r"(\d{1,9})(?:\+(\d{1,9}))?")


class Occasion(NamedTuple):
    """What the event of a game on a site says."""

    perf: str | None = None
    rated: bool | None = None
    alone: bool = False  # a game of no tournament


def occasion(event: str) -> Occasion:
    """Return what an event says in the words of Lichess and FICS.

    >>> occasion("Rated Blitz game")
    Occasion(perf='blitz', rated=True, alone=True)
    >>> occasion("Rated UltraBullet tournament https://lichess.org/tournament/j6Yz21wo")
    Occasion(perf='ultraBullet', rated=True, alone=False)
    >>> occasion("Daily Rapid Arena"), occasion("FICS unrated standard game").rated
    (Occasion(perf=None, rated=None, alone=False), False)
    """
    found = WORDS.fullmatch(event)
    if not found or not (found[1] or found[4].lstrip().startswith("http")):
        return Occasion()
    rated = None if found[1] is None else found[1].lower() == "rated"
    return Occasion(perf_of(found[2]), rated, found[3].lower() in ("game", "match") and not found[4])


def perf_of(words: str) -> str | None:
    """Return the pool of Lichess that words mean.

    >>> perf_of("King of the Hill"), perf_of("Three-check"), perf_of("Standard"), perf_of("From Position")
    ('kingOfTheHill', 'threeCheck', 'standard', None)
    """
    return PERFS.get(_bare(words))


def _bare(words: str) -> str:
    return re.sub(r"[^a-z0-9]", "", words.lower())


def fics_pool(event: str) -> str | None:
    """Return what FICS keeps ratings by: in the words of Lichess where it has them too.

    >>> fics_pool("FICS rated wild/fr game"), fics_pool("FICS rated suicide game"), fics_pool("Open")
    ('chess960', 'suicide', None)
    """
    found = WORDS.fullmatch(event)
    return (perf_of(found[2]) or found[2].lower()) if found and found[1] else None


def variant_of(words: str) -> str | None:
    """Return a variant, in the words of Lichess where it has it too; None: chess as it is played most.

    >>> variant_of("Three-check"), variant_of("3 Check"), variant_of("Bughouse"), variant_of("From Position")
    ('threeCheck', 'threeCheck', 'bughouse', None)
    """
    perf = perf_of(words)
    if perf:
        return perf if perf in VARIANTS else None
    return None if _bare(words) in PLAIN else words.lower()


def lichess_speed(clock: str) -> str | None:
    """Return the pool of Lichess for a game of standard chess with this clock.

    >>> lichess_speed("300+3"), lichess_speed("15+0"), lichess_speed("-"), lichess_speed("?")
    ('blitz', 'ultraBullet', 'correspondence', None)
    """
    return "correspondence" if clock == "-" else _speed(clock, LICHESS_SPEEDS, "correspondence")


def chess_com_class(clock: str) -> str | None:
    """Return the time class of chess.com for a clock.

    >>> chess_com_class("600"), chess_com_class("180+2"), chess_com_class("60"), chess_com_class("1/86400")
    ('rapid', 'blitz', 'bullet', 'daily')
    """
    return "daily" if re.fullmatch(r"1/\d+", clock) else _speed(clock, CHESS_COM_SPEEDS, "rapid")


def _speed(clock: str, speeds: tuple[tuple[int, str], ...], last: str) -> str | None:
    found = CLOCK.fullmatch(clock)
    if not found:
        return None
    seconds = int(found[1]) + 40 * int(found[2] or 0)
    return next((name for most, name in speeds if seconds < most), last)


def lichess_ids(site: pl.Series) -> pl.Series:
    """Return the ids of Lichess's games by their addresses, null where one is not of a game."""
    if (site.str.contains(LICHESS_PLAIN) | site.is_null()).all():
        found = site.str.strip_prefix(LICHESS)  # what the other pattern finds too, in less time
    else:
        found = site.str.extract(LICHESS_GAME)
    page = found.is_in(LICHESS_PAGES).fill_null(value=False)
    return found.set(page, None) if page.any() else found


def address_ids(address: pl.Series) -> pl.Series:
    """Return the ids of games by their addresses on sites that are known, null where one is not of a game."""
    there = lichess_ids(address).fill_null(address.str.extract(BROADCAST_GAME))
    return there.fill_null(address.str.extract(CHESS_COM_GAME))


def last_of(address: pl.Series) -> pl.Series:
    """Return the last part of addresses."""
    return address.str.extract(r"([^/?#]+)/?(?:[?#].*)?$")
