"""What is given in the place of games: refused in one line that says how games are read."""

from pathlib import Path

from .errors import InputError, shown
from .stream import GameStream


def check_games(games: object, *others: type) -> None:
    """Refuse what is no stream, nor of another kind that will do.

    Raises
    ------
    InputError : it is a path, games on disk where all have to be in memory, or anything else.
    """
    if not isinstance(games, (GameStream, *others)):
        path = games if isinstance(games, str | Path) else getattr(games, "path", "games.csv")  # a `GameFile` has one
        raise InputError(f"games = {shown(games)}", expected=f"games in memory, such as rs.read({str(path)!r})")
