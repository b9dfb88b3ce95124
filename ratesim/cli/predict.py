"""`ratesim predict`: expected scores of games to come, by one system and one file of games."""

from pathlib import Path
from typing import Annotated

import typer

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
)
from .output import apart, document, writable, write
from .rate import SUFFIXES, Given, Wanted, about, headline, played, shown


def predict(
    games: Games,
    pairs: Annotated[
        Path, typer.Argument(metavar="PAIRS", help="Games to come: a table with columns first, second, perhaps edge.")
    ],
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
    at: Annotated[
        str | None,
        typer.Option(metavar="DATE", help="As of when; left out, when all games have been learned from."),
    ] = None,
    pool: Annotated[str | None, typer.Option(help="Pool of the games to come, with --by-pool.")] = None,
    season: Annotated[
        str | None, typer.Option(help="Season of the games to come, if not that of the last game.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FORECASTS", help="All of them, as .csv, .tsv or .parquet.")
    ] = None,
    top: Annotated[int, typer.Option(min=0, help="Games to print.")] = 20,
    plugin: Plugin = None,
    json: Json = False,
) -> None:
    """Forecast games to come by the games of a file.

    What is believed as of a moment, by one system; all players of PAIRS have to be in GAMES. An edge is 1 where first
    has the advantage, 0 (and where there is no such column) on neutral ground.
    """
    inputs = {"GAMES": games, "PAIRS": pairs, "--aliases": aliases, "--start": start, "--from-state": from_state}
    apart({"--output": output}, inputs | {"--plugin": plugin})
    if output:
        writable(output, SUFFIXES)
    from ..calendars import date_of
    from ..replaying.asked import day_of

    day = None if at is None else day_of(at)
    asked = Wanted(system, settings, policy, policy_settings, calendar, calendar_settings, plugin)
    run = played(asked, Given(games, columns, aliases, start, start_list, from_state), by_pool=by_pool)
    day = run.closes if day is None else day
    found = run.predict(pairs, day, pool=pool, season=season)
    if output:
        write(found, output)
    if json:
        beside = {"as_of": day, **({"output": str(output)} if output else {"forecasts": found.to_dicts()})}
        document(about(run) | beside)
        return
    typer.echo(f"{headline(run)}, as of {date_of(day)}")
    shown(found, top, output, "FORECASTS")
