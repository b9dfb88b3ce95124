"""`ratesim fide list`: tournament reports and the list they start from make the next lists."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import InputError, nearest
from .options import Json
from .output import apart, count, document, say, table, writable, write

if TYPE_CHECKING:
    from datetime import date

    import polars as pl

    from ..listing import Listed
    from ..rules import List
    from ..stream import GameStream

SUFFIXES = (".csv", ".tsv", ".parquet")
PRINTED = ("player", "name", "rating", "change", "games", "k", "born", "inactive")


def list_(
    sources: Annotated[list[Path], typer.Argument(metavar="REPORT...", help="Tournament reports (TRF), or folders.")],
    *,
    start: Annotated[
        str,
        typer.Option(
            metavar="LIST|TABLE|published",
            help="What players start with: a monthly list of FIDE's, a table, or the ratings that the reports carry.",
        ),
    ],
    of: Annotated[
        str | None,
        typer.Option("--list", metavar="LIST", help="standard, rapid or blitz; asked for where no report tells it."),
    ] = None,
    rules: Annotated[
        str, typer.Option(metavar="as-of|DATE", help="Rules in force at each event, or of one date throughout.")
    ] = "as-of",
    event_start: Annotated[
        str | None,
        typer.Option("--event-start", metavar="YYYY-MM-DD", help="First day of tournaments that do not say theirs."),
    ] = None,
    assume: Annotated[
        bool, typer.Option("--assume", help="Players whose games and peak nobody knows have 30 games, no higher peak.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="LISTS",
            help="All lists, as .csv, .tsv or .parquet; k is for the games rated next.",
        ),
    ] = None,
    top: Annotated[int, typer.Option(min=0, help="Players to print of each list.")] = 20,
    json: Json = False,
) -> None:
    """Rate tournaments and publish the lists that follow.

    Each event goes by the list in force at its start and counts on the first list at least 3 days after its end.
    Forfeits, byes and unplayed games are not rated and are counted; games with unrated players rate nobody, but count
    towards a first rating where the opponent is rated.
    """
    if output:
        writable(output, SUFFIXES)
        for source in sources:
            apart({"--output": output}, {"REPORT": source, "--start": Path(start)})
    import polars as pl

    games, which = _games(sources, of, event_start)
    found = _rated(games, which, start, rules, assume=assume)
    if (found.lists["k"] % 1 == 0).all():
        found = found._replace(lists=found.lists.cast({"k": pl.Int64}))
    if output:
        write(found.lists, output)
    told = {"list": which, "rules": rules, "games": len(games), **found.kinds._asdict(), "not_rated": _missed(games)}
    if json:
        document({**told, **({"output": str(output)} if output else {"lists": _nested(found.lists)})})
        return
    _print(told, found.lists, output, top)


def _rated(games: "GameStream", which: "List", start: str, rules: str, *, assume: bool) -> "Listed":
    from ..io.fide_list import is_fide_list, list_month, read_fide_list
    from ..io.starts import starts_of
    from ..listing import published, with_everybody
    from ..policies import Fide
    from ..replay import replay
    from ..systems.fide import FideElo
    from .terminal import Terminal

    system = FideElo.parse({"rules": rules, "list": which}, "--rules")
    with Terminal() as watch:
        for note in games.notes:
            if not note.startswith("not rated") and "tells no list" not in note:  # told otherwise, asked for
                watch.note(note)
        people = starts_of(Path(start), games, which if is_fide_list(start) else None)
        if is_fide_list(start) and (month := list_month(start)) not in (None, _first_list(games)):
            watch.note(f"{start} is the list of {month}; the first event goes by that of {_first_list(games)}")
        named = people
        if is_fide_list(start):
            named = read_fide_list(start, which).with_columns(player=people["player"])
        run = replay(system, with_everybody(games, named), policy=Fide(assume=assume), start=people)
        return published(run)


def _games(sources: list[Path], of: str | None, event_start: str | None) -> "tuple[GameStream, List]":
    """Return the games of one list, and which it is.

    Raises
    ------
    InputError : nothing tells which list, or the reports are of several.
    """
    from ..importing import read
    from ..rules import LISTS

    asked = next((name for name in LISTS if name == of), None)
    if of is not None and asked is None:
        raise InputError(f"'{of}'", where="--list", expected=f"one of {', '.join(LISTS)}", near=nearest(of, LISTS))
    for source in sources:
        if not source.exists():
            raise InputError(
                "no such file", where=str(source), expected="a tournament report (TRF), or a folder of them"
            )
    games = read(sources, start=event_start)
    for files in games.source.get("twice", []):
        raise InputError("one tournament twice", where=", ".join(files), expected="it once")
    told = [] if games.pool is None else [name for name in LISTS if name in games.pools]
    if asked is None and (len(told) != 1 or games.pool is None or len(games.pools) > 1):
        what = f"reports are of {' and '.join(told)}" if len(told) > 1 else "not every report tells its list"
        raise InputError(what, where=str(sources[0]), expected="--list standard, rapid or blitz")
    which = asked or told[0]
    if games.pool is not None and (others := set(told) - {which}):
        import numpy as np

        out = np.isin(games.pool, [games.pools.index(name) for name in others])
        if out.all():
            raise InputError(f"no games of {which}", where=str(sources[0]), expected=f"--list {told[0]}")
        say(f"left out: {count(int(out.sum()), 'game')} of {' and '.join(sorted(others))}")
        gone = {games.events[code] for code in np.unique(games.event[out])} if games.event is not None else set()
        missed = {name: counts for name, counts in games.source.get("not_rated", {}).items() if name not in gone}
        games = replace(games.take(~out), source={**games.source, "not_rated": missed})
    return games, which


def _first_list(games: "GameStream") -> "date":
    """Return the first of the month in which the first event began."""
    from ..dates import date_on

    begun = games.time if games.event_start is None else games.event_start
    return date_on(float(begun.min())).replace(day=1)


def _missed(games: "GameStream") -> dict[str, int]:
    total: Counter[str] = Counter()
    for counts in games.source.get("not_rated", {}).values():
        total.update(counts)
    return dict(total.most_common())


def _nested(lists: "pl.DataFrame") -> list[dict[str, Any]]:
    return [
        {"date": str(day), "players": part.drop("list").to_dicts()}
        for (day,), part in lists.group_by("list", maintain_order=True)
    ]


def _print(told: dict[str, Any], lists: "pl.DataFrame", output: Path | None, top: int) -> None:
    typer.echo(f"{told['list']}, rules {told['rules']}: {count(told['rated'], 'game')} rated")
    if told["with_unrated"]:
        typer.echo(f"{count(told['with_unrated'], 'game')} with an unrated player")
    if told["too_far"]:
        typer.echo(f"not rated: {count(told['too_far'], 'game')} of players too far apart")
    for reason, rounds in told["not_rated"].items():
        typer.echo(f"not rated: {count(rounds, reason)}")
    for (day,), part in lists.group_by("list", maintain_order=True):
        new, played = part["change"].null_count(), int((part["games"] > 0).sum())
        typer.echo(f"\nlist of {day}: {count(len(part), 'player')}, {new} new, {played} with games")
        if not played:
            continue
        shown = part.sort(part["games"] > 0, descending=True, maintain_order=True).head(top)
        table(shown.to_dicts(), [name for name in PRINTED if name in part.columns])
    if output:
        typer.echo(f"\nall in {output}")
