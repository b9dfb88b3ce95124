"""`ratesim rate`: ratings of the players of one file of games, under one system."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple, TypeVar

import typer

from ..errors import InputError
from .games import read_games
from .options import Games, Json, Map, Periods, PeriodSettings, Plugin, Settings, values
from .output import apart, count, document, say, table, writable, write

if TYPE_CHECKING:
    import polars as pl

    from ..calendars import Calendar
    from ..io.gamefile import GameFile
    from ..policies import Policy
    from ..registry import Registry
    from ..replaying.run import Run
    from ..replaying.saved import Saved
    from ..replaying.streamed import StreamedRun
    from ..rules import List
    from ..spec import Spec
    from ..stream import GameStream
    from ..systems.base import Rater

S = TypeVar("S", bound="Spec")
SUFFIXES = (".csv", ".tsv", ".parquet")


def rate(
    games: Games,
    *,
    system: Annotated[str, typer.Option(help="Which system: see `ratesim systems`.")],
    settings: Settings,
    policy: Annotated[
        str | None, typer.Option(help="K policy: see `ratesim policies`; the system's own if left out.")
    ] = None,
    policy_settings: Annotated[
        list[str],
        typer.Option(
            "--set-policy",
            default_factory=list,
            show_default=False,
            metavar="NAME=VALUE",
            help="A parameter of the policy.",
        ),
    ],
    calendar: Periods = None,
    calendar_settings: PeriodSettings,
    columns: Map,
    by_pool: Annotated[
        bool,
        typer.Option("--by-pool", help="Rate each player in each pool apart; memory holds a row for each of them."),
    ] = False,
    start: Annotated[
        Path | None,
        typer.Option(
            metavar="TABLE",
            help="What is known of players beforehand: player, rating, ...; a monthly list of FIDE's; or `published`: "
            "the first rating that the games publish of each.",
        ),
    ] = None,
    start_list: Annotated[
        Literal["standard", "rapid", "blitz"] | None,
        typer.Option(help="Which list --start means, of a file of FIDE's that holds all three."),
    ] = None,
    from_state: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Go on from a state that --save-state wrote.")
    ] = None,
    save_state: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep the state, to go on later.")] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="RATINGS", help="All ratings, as .csv, .tsv or .parquet.")
    ] = None,
    top: Annotated[int, typer.Option(min=0, help="Players to print.")] = 20,
    plugin: Plugin = None,
    json: Json = False,
) -> None:
    """Rate the players of a file of games.

    One system, one policy, one calendar; prints the highest rated, -o writes them all, best first.
    To compare several, write an experiment: see `ratesim init`.
    """
    inputs = {"GAMES": games, "--start": start, "--from-state": from_state, "--plugin": plugin}
    apart({"--output": output, "--save-state": save_state}, inputs)
    for path, suffixes in ((output, SUFFIXES), (save_state, ())):
        if path:
            writable(path, suffixes)
    from ..calendars import CALENDARS
    from ..policies import POLICIES
    from ..registry import load_plugin
    from ..replaying.saved import load_state
    from ..systems.base import SYSTEMS

    if start_list and not start:
        raise InputError("a list without a start", where="--start-list", expected="--start with a list of FIDE's")
    if plugin:
        load_plugin(plugin)
    rater = SYSTEMS.find(system, "--system").parse(values(settings, "--set"), "--set")
    gains = named(POLICIES, policy, policy_settings, rater.default_policy)
    periods = named(CALENDARS, calendar, calendar_settings, rater.usual_calendar["kind"])
    state = load_state(from_state) if from_state else None
    run = _played(rater, gains, periods, Given(games, columns, start, start_list, state), by_pool=by_pool)
    _unused(run, start)
    ratings = best_first(run.ratings(), rater.kind)
    if output:
        write(ratings, output)
    if save_state:
        run.save(save_state)
    _report(run, ratings, output, top, json)


class Given(NamedTuple):
    """What is rated, and what is known beforehand."""

    games: Path
    columns: Sequence[str]
    start: Path | None
    start_list: "List | None"
    state: "Saved | None"


def _played(
    system: "Rater", policy: "Policy | None", calendar: "Calendar | None", given: Given, *, by_pool: bool
) -> "Run | StreamedRun":
    from ..io.gamefile import GameFile
    from ..io.starts import starts_of
    from ..replay import replay
    from ..replaying.kept import Keep
    from .terminal import Terminal

    with Terminal() as watch:
        stream = _games(given, system, calendar)
        for line in stream.notes:
            watch.note(line)
        start = starts_of(given.start, stream, given.start_list) if given.start else None
        if isinstance(stream, GameFile):  # of which nobody asks for forecasts
            return replay(
                system, stream, policy=policy, calendar=calendar, start=start, by_pool=by_pool, state=given.state,
                forecasts=Keep(),
            )  # fmt: skip
        return replay(
            system, stream, policy=policy, calendar=calendar, start=start, by_pool=by_pool, state=given.state
        )  # fmt: skip


def _games(given: Given, system: "Rater", calendar: "Calendar | None") -> "GameStream | GameFile":
    """Return the games, on disk where `ratesim import` put more there than memory should hold."""
    from ..io.canonical import is_canonical
    from ..replaying.pairs import usual
    from ..replaying.streamed import games_of

    path, read = given.games, partial(read_games, given.games, given.columns)
    if given.columns or not path.is_file() or not is_canonical(path):
        return read()
    return games_of(path, [(system, calendar or usual(system))], read)


def _unused(run: "Run | StreamedRun", start: Path | None) -> None:
    """Say what a table of starts tells about players that the system has no use for."""
    if run.start is not None and start:
        for name in ("deviation", "volatility"):
            if name in run.start.columns and name not in run.ratings().columns:
                say(f"start: {run.system.kind} has no {name}, which is left alone")


def best_first(ratings: "pl.DataFrame", kind: str) -> "pl.DataFrame":
    """Return ratings from the highest to the lowest, equal ones by name, unrated players last.

    Raises
    ------
    InputError : the system keeps no ratings.
    """
    import polars as pl
    import polars.selectors as cs

    if "rating" not in ratings.columns:
        raise InputError(f"system '{kind}' keeps no ratings", where="--system", expected="a system with ratings")
    known = ratings.with_columns(cs.float().fill_nan(None))
    return known.sort(pl.col("rating"), "player", descending=[True, False], nulls_last=True)


def named(registry: "Registry[S]", kind: str | None, settings: list[str], default: str) -> "S | None":
    """Return the policy or calendar asked for, or None where nothing was said: the system's own then holds."""
    if kind is None and not settings:
        return None
    option = f"--set-{registry.word}"
    return registry.find(kind or default, f"--{registry.word}").parse(values(settings, option), option)


def _report(run: "Run | StreamedRun", ratings: "pl.DataFrame", output: Path | None, top: int, json: bool) -> None:
    from ..io.gamefile import GameFile

    stream = run.stream
    digest = "file_digest" if isinstance(stream, GameFile) else "digest"
    for each in run.diagnostics:
        say(f"{each.name}: {count(each.count, 'time')}, first for {each.player}")
    if json:
        document(
            {
                "games": len(stream),
                "players": stream.n_players,
                digest: stream.digest,
                "system": run.system.canonical(),
                "policy": run.policy and run.policy.canonical(),
                "calendar": run.calendar.canonical(),
                "notes": stream.notes,
                "diagnostics": [vars(each) for each in run.diagnostics],
                **({"output": str(output)} if output else {"ratings": ratings.to_dicts()}),
            }
        )
        return
    used = ", ".join(each.label for each in (run.system, run.policy, run.calendar) if each is not None)
    typer.echo(f"{used}: {count(len(stream), 'game')}, {count(stream.n_players, 'player')}")
    table(ratings.head(top).to_dicts(), ratings.columns)
    if len(ratings) > top:
        where = f"all in {output}" if output else "-o RATINGS.csv writes them all"
        typer.echo(f"... and {len(ratings) - top} more; {where}")
