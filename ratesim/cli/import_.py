"""`ratesim import`: games of any forms as one canonical Parquet file."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal

import typer

from ..errors import InputError
from .imported_text import lines
from .options import Aliases, Json, Map, texts
from .output import apart, document, say, told_folders, writable


def import_games(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE...",
            help="Files, folders, patterns such as '2024-*.pgn.zst', or - for standard input; packed (.gz, .bz2, .xz, "
            ".zst, .zip) or not.",
        ),
    ],
    *,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="GAMES.parquet", help="The games as one file.")],
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="NAME",
            help="What all sources are, where that is not seen by itself: pgn, trf, lichess, lichess-table, chesscom, "
            "table.",
        ),
    ] = None,
    columns: Map,
    of: Annotated[
        str | None,
        typer.Option("--list", metavar="standard|rapid|blitz", help="On which list over-the-board games count."),
    ] = None,
    start: Annotated[
        str | None,
        typer.Option("--event-start", metavar="YYYY-MM-DD", help="First day of tournaments that do not say theirs."),
    ] = None,
    pools: Annotated[
        list[str],
        typer.Option(
            "--pool", default_factory=list, show_default=False, metavar="NAME",
            help="Keep games of this pool: perf, time class, variant or list; once for each.",
        ),
    ],
    rated: Annotated[bool, typer.Option("--rated", help="Keep games that are said to be rated.")] = False,
    since: Annotated[str | None, typer.Option(metavar="YYYY-MM-DD", help="Keep games from this day on.")] = None,
    until: Annotated[str | None, typer.Option(metavar="YYYY-MM-DD", help="Keep games up to this day.")] = None,
    min_games: Annotated[
        int, typer.Option(min=0, metavar="N", help="Keep games of two players who both have N among those kept.")
    ] = 0,
    no_bots: Annotated[bool, typer.Option("--no-bots", help="Leave out games of players with the title BOT.")] = False,
    no_anonymous: Annotated[
        bool, typer.Option("--no-anonymous", help="Leave out games of players without an account.")
    ] = False,
    no_self_play: Annotated[
        bool, typer.Option("--no-self-play", help="Leave out games against oneself, which are wrong otherwise.")
    ] = False,
    without: Annotated[
        list[str],
        typer.Option(
            default_factory=list, show_default=False, metavar="TERMINATION",
            help="Leave out games that ended so, such as 'Rules infraction'; once for each.",
        ),
    ],
    duplicates: Annotated[
        Literal["drop", "keep"] | None,
        typer.Option(help="What becomes of games told twice, by id or else by all that is said; drop if left out."),
    ] = None,
    aliases: Aliases = None,
    max_rejects: Annotated[
        str, typer.Option(metavar="N|P%", help="Refuse when more games than that are wrong.")
    ] = "1%",
    rejects: Annotated[
        Path | None, typer.Option(metavar="FILE", help="List games that are wrong: .csv, .tsv, .parquet or .ndjson.")
    ] = None,
    json: Json = False,
) -> None:  # fmt: skip
    """Make one file of games out of many, which every other verb reads.

    What each source is, is seen by what is in it: PGN of any site, tournament reports (TRF), Lichess' Parquet and
    NDJSON, chess.com's monthly archives, tables of any sport (CSV, TSV, Parquet, Arrow) through --map.

    Nothing is lost silently: games that are none to rate (unfinished, aborted, byes) are counted by reason, those that
    are wrong are counted and listed, games told twice are dropped once and said, names that look alike are said. Games
    stand in order of time, those of one time as in their sources; a date of which a part is unknown is taken as the
    last day that it can be.
    """
    writable(output, (".parquet",))
    for source in sources:
        apart({"--output": output, "--rejects": rejects}, {"SOURCE": Path(source), "--aliases": aliases})
    most = share(max_rejects)
    from ..importing import Filters, import_games as imported
    from ..importing.rejects import SUFFIXES
    from ..io import ColumnMap
    from .terminal import counting

    if rejects is not None:
        writable(rejects, SUFFIXES)
    given = ColumnMap.parse(texts(columns, "--map"), "--map")
    filters = Filters(
        pools=tuple(pools), rated=rated, since=since, until=until, min_games=min_games, bots=not no_bots,
        anonymous=not no_anonymous, without=tuple(without),
    )  # fmt: skip
    with counting() as watch, mapped(sources, columns), told_folders(output, rejects):
        found = imported(
            sources, output, given, form=form, filters=filters, start=start, list=of,  # type: ignore[arg-type]  # judged there
            aliases=aliases, duplicates=duplicates, themselves="drop" if no_self_play else None, max_rejects=most,
            rejects=rejects, watch=watch,
        )  # fmt: skip
    if json:
        document(found.as_json())
        return
    for note in found.notes:
        say(note)
    for line in lines(found, rejects):
        typer.echo(line)


@contextmanager
def mapped(sources: list[str], columns: list[str]) -> Iterator[None]:
    """Say how to name columns, where a table has none of ours and no map was given."""
    try:
        yield
    except InputError as error:
        if columns or not error.what.startswith("missing column"):
            raise
        hint = f"--map {error.what.split()[-1].strip(chr(39))}=COLUMN; `ratesim inspect {sources[0]}` guesses a map"
        raise InputError(error.what, where=error.where, expected=hint, near=error.near) from None


def share(text: str) -> float:
    """Return how many games may be wrong: a share below 1, or a number from 1 on; 0 is none.

    >>> share("1%"), share("25"), share("0")
    (0.01, 25.0, 0.0)

    Raises
    ------
    InputError : it is neither.
    """
    number, percent, rest = text.strip().partition("%")
    try:
        value = float(number)
    except ValueError:
        value = -1.0
    if rest or not 0 <= value < float("inf") or (percent and value > 100) or (not percent and value % 1):  # per cent
        raise InputError(f"'{text}'", where="--max-rejects", expected="a number of games, or a share such as 1%")
    return min(value / 100, 1 - 2**-52) if percent else value
