"""What a system that sees a whole stream at once is shown, and what it cannot be asked."""

from ..calendars import Calendar, Schedule
from ..errors import InputError
from ..stream import GameStream
from ..systems.base import Games, Refit, WholeStream


def columns_of(
    system: WholeStream | Refit, games: GameStream, calendar: Calendar, start: object | None, *, by_pool: bool,
    saved: object | None,
) -> tuple[Schedule, Games]:  # fmt: skip
    """Return the periods and the columns that a whole-stream or a refitted system sees.

    Raises
    ------
    InputError : the system cannot do what is asked, or the stream lacks what it goes by.
    """
    rated = isinstance(system, Refit) or system.keeps_ratings
    unable = ((start is not None and rated, "start"), (by_pool and rated, "by_pool"))
    for given, name in (*unable, (saved is not None, "state")):
        if given:
            raise InputError(f"system '{system.kind}' forecasts whole streams only", where=name, expected="none")
    if isinstance(system, Refit) and calendar.depth > 1:
        raise InputError(
            f"under '{calendar.kind}' games wait for later periods, which fits to all games so far cannot know",
            where=f"system {system.kind}", expected="a calendar such as months",
        )  # fmt: skip
    if system.grows and not calendar.lasting:
        raise InputError(
            f"under '{calendar.kind}' no period has a length that growth could go by", where=f"system {system.kind}",
            expected="a calendar such as months",
        )  # fmt: skip
    schedule = calendar.schedule(games)
    columns = Games(
        games.first, games.second, games.score, games.time, schedule.at, games.n_players, games.published_first,
        games.published_second, games.weight, margin=games.margin, season=games.season,
        edge=games.edge,
    )  # fmt: skip
    system.check(columns)
    return schedule, columns
