"""Tournament reports as one batch of games: what one report says can depend on the others."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from .batch import GAMES, PRECISION, Asked, Batch
from .sources import Source
from .trf import Tournament, decoded, parse
from .trf_games import tournament_games


def batches(sources: list[Source], asked: Asked) -> Iterator[Batch]:
    """Yield the games of tournament reports, event by event, and why other rounds were none.

    Raises
    ------
    InputError : a report is wrong, or does not say what is needed and was not asked for; see `tournament_games`.
    """
    stream = tournament_games([_report(source) for source in sources], start=asked.start, list=asked.list)
    missed = {name: counts for name, counts in stream.source["not_rated"].items() if counts}
    total: Counter[str] = Counter()
    for counts in missed.values():
        total.update(counts)
    games = stream.to_frame().with_columns(pl.lit("day").cast(PRECISION).alias("precision"))
    return iter(
        [
            Batch(
                source=sources[0].name if len(sources) == 1 else f"{len(sources)} tournament reports",
                games=games.cast({name: GAMES[name] for name in games.columns}),
                left_out=dict(total.most_common()),
                players=stream.players,
                notes=tuple(note for note in stream.notes if not note.startswith("not rated")),
                about={key: stream.source[key] for key in ("not_rated", "twice")},
            )
        ]
    )


def _report(source: Source) -> Tournament:
    with source.open() as file, source.reading():
        content = file.read()
    return parse(decoded(content), Path(source.name))
