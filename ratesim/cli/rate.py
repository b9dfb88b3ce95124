"""`ratesim rate`: ratings of the players of one file of games, under one system."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar

import typer

from ..errors import InputError
from .games import read_games
from .options import (
    Aliases,
    ByPool,
    FromState,
    Gains,
    GainSettings,
    Games,
    Json,
    Map,
    Periods,
    PeriodSettings,
    Plugin,
    Settings,
    Start,
    StartList,
    System,
    values,
)
from .output import apart, count, document, say, table, writable, write

if TYPE_CHECKING:
    import polars as pl

    from ..calendars import Calendar
    from ..io.gamefile import GameFile
    from ..policies import Policy
    from ..registry import Registry
    from ..replaying.run import Run
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
    system: System,
    settings: Settings,
    policy: Gains = None,
    policy_settings: GainSettings,
    calendar: Periods = None,
    calendar_settings: PeriodSettings,
    columns: Map,
    aliases: Aliases = None,
    by_pool: ByPool = False,
    start: Start = None,
    start_list: StartList = None,
    from_state: FromState = None,
    save_state: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep the state, to go on later.")] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="RATINGS", help="All ratings, as .csv, .tsv or .parquet.")
    ] = None,
    top: Annotated[int, typer.Option(min=0, help="Players to print.")] = 20,
    plugin: Plugin = None,
    json: Json = False,
) -> None:
    """Rate the players of a file of games.

    One system, one policy, one calendar; prints the highest rated, -o writes them all, best first. Where columns have
    other names than first, second, score and time, what --map leaves open is guessed, and said. To compare several
    systems, write an experiment: see `ratesim init`.
    """
    inputs = {"GAMES": games, "--aliases": aliases, "--start": start, "--from-state": from_state, "--plugin": plugin}
    apart({"--output": output, "--save-state": save_state}, inputs)
    for path, suffixes in ((output, SUFFIXES), (save_state, ())):
        if path:
            writable(path, suffixes)
    asked = Wanted(system, settings, policy, policy_settings, calendar, calendar_settings, plugin)
    run = played(asked, Given(games, columns, aliases, start, start_list, from_state), by_pool=by_pool)
    ratings = best_first(run.ratings(), run.system.kind)
    if output:
        write(ratings, output)
    if save_state:
        run.save(save_state)
    _report(run, ratings, output, top, json)


class Wanted(NamedTuple):
    """By what games are rated, in words."""

    system: str
    settings: Sequence[str]
    policy: str | None
    policy_settings: Sequence[str]
    calendar: str | None
    calendar_settings: Sequence[str]
    plugin: Path | None


class Given(NamedTuple):
    """What is rated, and what is known beforehand."""

    games: Path
    columns: Sequence[str]
    aliases: Path | None
    start: Path | None
    start_list: "List | None"
    state: Path | None


def played(asked: Wanted, given: Given, *, by_pool: bool) -> "Run | StreamedRun":
    """Replay what is given, and say what of it the system has no use for.

    Raises
    ------
    InputError : anything of it is wrong.
    """
    from ..calendars import CALENDARS
    from ..policies import POLICIES
    from ..registry import load_plugin

    if given.start_list and not given.start:
        raise InputError("a list without a start", where="--start-list", expected="--start with a list of FIDE's")
    if asked.plugin:
        load_plugin(asked.plugin)
    rater = rater_of(asked.system, asked.settings, "--set-policy")
    gains = named(POLICIES, asked.policy, asked.policy_settings, rater.default_policy)
    periods = named(CALENDARS, asked.calendar, asked.calendar_settings, rater.usual_calendar["kind"])
    run = _played(rater, gains, periods, given, by_pool=by_pool)
    _unused(run, given.start)
    for each in run.diagnostics:
        say(f"{each.name}: {count(each.count, 'time')}, first for {each.player}")
    return run


def _played(
    system: "Rater", policy: "Policy | None", calendar: "Calendar | None", given: Given, *, by_pool: bool
) -> "Run | StreamedRun":
    from ..io.gamefile import GameFile
    from ..io.starts import starts_of
    from ..replay import replay
    from ..replaying.kept import Keep
    from ..replaying.saved import load_state
    from .terminal import Terminal

    state = load_state(given.state) if given.state else None
    with Terminal() as watch:
        stream = _games(given, system, calendar)
        for line in stream.notes:
            watch.note(line)
        start = starts_of(given.start, stream, given.start_list) if given.start else None
        if isinstance(stream, GameFile):  # of which nobody asks for forecasts
            return replay(
                system, stream, policy=policy, calendar=calendar, start=start, by_pool=by_pool, state=state,
                forecasts=Keep(),
            )  # fmt: skip
        return replay(
            system, stream, policy=policy, calendar=calendar, start=start, by_pool=by_pool, state=state
        )  # fmt: skip


def _games(given: Given, system: "Rater", calendar: "Calendar | None") -> "GameStream | GameFile":
    """Return the games, on disk where `ratesim import` put more there than memory should hold."""
    from ..io.canonical import is_canonical
    from ..replaying.pairs import usual
    from ..replaying.streamed import games_of

    path = given.games

    def read() -> "GameStream":
        return read_games(path, given.columns, given.aliases)[0]

    if given.columns or given.aliases or not path.is_file() or not is_canonical(path):
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


def rater_of(kind: str, settings: Sequence[str], policies: str) -> "Rater":
    """Return the system that is asked for.

    Parameters
    ----------
    policies : where numbers of K policies are said, such as `--set-policy`.

    Raises
    ------
    InputError : there is none, or a number is wrong, or one of a policy.
    """
    from ..policies import POLICIES
    from ..systems.base import SYSTEMS

    model, said = SYSTEMS.find(kind, "--system"), values(settings, "--set")
    of_policies = {key for policy in POLICIES.kinds().values() for key in policy.model_fields}
    for key in said:
        if model.takes_policy and key in of_policies - model.model_fields.keys():
            raise InputError(f"'{key}' is of a K policy", where="--set", expected=f"it in {policies}")
    return model.parse(said, "--set")


def named(registry: "Registry[S]", kind: str | None, settings: Sequence[str], default: str) -> "S | None":
    """Return the policy or calendar asked for, or None where nothing was said: the system's own then holds."""
    if kind is None and not settings:
        return None
    option = f"--set-{registry.word}"
    return registry.find(kind or default, f"--{registry.word}").parse(values(settings, option), option)


def _report(run: "Run | StreamedRun", ratings: "pl.DataFrame", output: Path | None, top: int, json: bool) -> None:
    if json:
        beside = {"diagnostics": [vars(each) for each in run.diagnostics]}
        document(about(run) | beside | ({"output": str(output)} if output else {"ratings": ratings.to_dicts()}))
        return
    typer.echo(headline(run))
    shown(ratings, top, output, "RATINGS")


def about(run: "Run | StreamedRun") -> dict[str, Any]:
    """Return what was replayed, as JSON says it."""
    from ..io.gamefile import GameFile

    stream = run.stream
    return {
        "games": len(stream),
        "players": stream.n_players,
        "file_digest" if isinstance(stream, GameFile) else "digest": stream.digest,
        "system": run.system.canonical(),
        "policy": run.policy and run.policy.canonical(),
        "calendar": run.calendar.canonical(),
        "notes": stream.notes,
    }


def headline(run: "Run | StreamedRun") -> str:
    """Return what was replayed, as people read it."""
    used = ", ".join(each.label for each in (run.system, run.policy, run.calendar) if each is not None)
    return f"{used}: {count(len(run.stream), 'game')}, {count(run.stream.n_players, 'player')}"


def shown(rows: "pl.DataFrame", top: int, output: Path | None, name: str) -> None:
    """Print the first rows of a table, and where all are."""
    table(rows.head(top).to_dicts(), rows.columns)
    if len(rows) > top:
        where = f"all in {output}" if output else f"-o {name}.csv writes them all"
        typer.echo(f"... and {len(rows) - top} more; {where}")
