"""The runs of an experiment once its streams are there: each with its address."""

import datetime as dt
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from .digests import foreign, sources, sources_of
from .errors import InputError, nearest
from .experiment import Cell, Experiment, Source
from .importing import read
from .io.canonical import is_canonical
from .io.gamefile import GameFile
from .io.starts import starts_of, together
from .keys import Figures
from .metrics import Metric
from .provenance import address, dependencies
from .replay import check
from .replaying.kept import Forecasts, Keep
from .replaying.streamed import games_of, needs_all
from .rng import generator
from .sample import IN_MEMORY
from .stream import GameStream
from .tasks import Reading
from .worlds.base import World

Floats = NDArray[np.float64]
Tuned = Mapping[tuple[str, str], Cell]  # winners by the name of their stream and the label of their cell
MOST_READ, MANY_READ = 2_000, 2_000_000  # moments, and moments x players, at which the K of games is read
LOOKED_UP = 48  # moments at which the players are read whom the report can look up
MOST_SIMULATED = 20_000_000  # games of a world, all replicates together


@dataclass(frozen=True)
class Loaded:
    """A stream, in memory or on disk, and what is asked of every run over it."""

    source: Source
    stream: GameStream | GameFile
    start: pl.DataFrame | None
    drawn: Reading  # of the players whose histories are drawn
    moving: Reading | None = None  # of all players, where a figure shows how far single games move them
    monthly: Reading | None = None  # of all players, where a figure shows rating lists
    careers: Reading | None = None  # of the K of all games, where a figure shows it
    looked_up: Reading | None = None  # of the players whom the report can look up
    keep: Keep | None = None  # what is kept of a replay from disk
    since: dt.date | None = None  # first day whose games are judged: parameters are tuned on those before

    @property
    def readings(self) -> dict[str, Reading]:
        """What is read from every run, by its address."""
        every = (self.drawn, self.moving, self.monthly, self.careers, self.looked_up)
        return {each.key: each for each in every if each is not None}

    @property
    def simulated(self) -> bool:
        """Whether skills are known, and all games are in memory."""
        return isinstance(self.stream, GameStream) and self.stream.skill_first is not None

    @property
    def truth_alone(self) -> bool:
        """Whether games say what was to be expected of them, and nothing says skills over time: they are of a file."""
        stream = self.stream
        told = "truth" in stream.columns if isinstance(stream, GameFile) else stream.truth is not None
        return told and self.source.world is None

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """Those that a replay from disk sums on its way."""
        return () if self.keep is None else tuple(self.keep.metrics.values())

    @cached_property
    def kept(self) -> str | None:
        """The address of what is kept of a replay from disk, beside that of the run: losses go by their code too."""
        if self.keep is None:
            return None
        keep = self.keep
        metrics = [metric.canonical() for metric in self.metrics]
        seed = keep.seed if keep.forecasts == "sample" else None
        code = [*foreign(*self.metrics), sources_of("metrics"), sources_of("inference")]
        said = [keep.forecasts, metrics, keep.sample.canonical(), keep.strata, seed, code]
        return hashlib.sha256(json.dumps(said, sort_keys=True, default=str).encode()).hexdigest()[:8]

    @property
    def replicates(self) -> int:
        """How many replicates of a world there are; 0 where the stream is of none."""
        if not isinstance(self.stream, GameStream) or "replicate" not in self.stream.players.columns:
            return 0
        return self.stream.players["replicate"].n_unique()

    @cached_property
    def truth(self) -> str | None:
        """The address of the tables about the truth, beside that of the run; None where none are made.

        They are of a world's stream. The address goes by the skills at the moments at which ratings are held against
        them, and by the sources of what makes the tables.
        """
        paths = self.stream.paths if isinstance(self.stream, GameStream) else None
        if paths is None:
            return None
        digest = hashlib.sha256(sources_of("analysis/truth").encode())
        for array in paths:
            digest.update(np.ascontiguousarray(array, dtype="<f8").data)
        return digest.hexdigest()[:8]

    @cached_property
    def made_of(self) -> dict[str, Any]:
        """What a run over this stream depends on."""
        start = None if self.start is None else hashlib.sha256(self.start.write_csv().encode()).hexdigest()
        return {"stream": self.stream.digest, "start": start, "by_pool": self.source.by_pool}


@dataclass(frozen=True)
class Planned:
    """A run with its address."""

    id: str
    label: str
    cell: Cell
    of: Loaded
    made_of: dict[str, Any]


def load(experiment: Experiment) -> list[Loaded]:
    """Read or simulate every stream.

    Raises
    ------
    InputError : a file is missing or wrong, or a player named for the figures is in no stream.
    """
    loaded = [_load(source, experiment) for source in experiment.sources]
    for n, each in enumerate(loaded):
        twin = next((other for other in loaded[:n] if other.made_of == each.made_of), None)
        if twin is not None:
            raise InputError(f"has the very games of stream '{twin.source.name}'", where=each.source.where)
    asked = pl.Series(experiment.figures.players, dtype=pl.String)
    known = pl.concat([each.stream.players["player"] for each in loaded]) if len(asked) else asked
    for name, there in zip(asked, asked.is_in(known.implode()), strict=True):
        if not there:
            where = f"{experiment.file}, figures"
            raise InputError(
                f"no player '{name}'", where=where, expected="a name in a stream", near=nearest(name, known)
            )
    return loaded


def plan(experiment: Experiment, loaded: Sequence[Loaded], tuned: Tuned = MappingProxyType({})) -> list[Planned]:
    """Return the runs in the order of the file: stream by stream, each over the whole grid.

    Parameters
    ----------
    tuned : what takes the place of cells that are to be tuned.

    Raises
    ------
    InputError : a stream lacks what a calendar or a system goes by, or a start table says what cannot be.
    """
    for each in loaded:
        for cell in experiment.cells:
            try:
                _check_disk(cell, each)
                check(
                    cell.system, each.stream, policy=cell.policy, calendar=cell.calendar, start=each.start,
                    by_pool=each.source.by_pool,
                )  # fmt: skip
            except InputError as error:
                raise error.inside(each.source.where) from None
    return [
        _planned(tuned.get((each.source.name, cell.label), cell), each, many=len(loaded) > 1)
        for each in loaded
        for cell in experiment.cells
    ]


def _check_disk(cell: Cell, each: Loaded) -> None:
    if isinstance(each.stream, GameFile) and (what := needs_all(cell.system, cell.calendar)):
        expected = "forecasts = 'all' in [score], where memory has room for the games"
        raise InputError(f"{what} has to see all games at once", expected=expected)


def _planned(cell: Cell, of: Loaded, *, many: bool) -> Planned:
    made_of = {
        "system": cell.system.canonical(),
        "policy": cell.policy.canonical() if cell.policy else None,
        "calendar": cell.calendar.canonical(),
        "sources": sources(cell.system, cell.policy, cell.calendar),
        "depends": dependencies(cell.system),
        **({"tuning": cell.tuning} if cell.tuning else {}),  # beside a run that has the same values unasked
        **of.made_of,
    }
    label = f"{cell.label}, {of.source.name}" if many else cell.label
    return Planned(address(made_of), label, cell, of, made_of)


def _load(source: Source, experiment: Experiment) -> Loaded:
    stream = _stream(source, experiment)
    start = _start(source, stream, experiment.header.seed)
    if isinstance(stream, GameFile):
        return _on_disk(source, stream, start, experiment)
    first, last = float(stream.time[0]), float(stream.time[-1])
    times = np.linspace(first, last + 1, experiment.figures.points)
    busiest = _busiest(stream)
    drawn = Reading.of(times, _drawn(stream, experiment.figures, busiest))
    figures = experiment.figures
    moving = Reading.of(times, stream.players["player"]) if figures.pause or figures.upsets else None
    lists = figures.monthly or figures.initial or figures.inflation
    monthly = Reading.of(_months(first, last), stream.players["player"]) if lists else None
    careers = Reading.of(_before_games(stream, figures.points), None) if figures.careers else None
    looked_up = _looked_up(first, last, figures, busiest)
    return Loaded(source, stream, start, drawn, moving, monthly, careers, looked_up)


def _on_disk(source: Source, games: GameFile, start: pl.DataFrame | None, experiment: Experiment) -> Loaded:
    """Prepare games on disk: those who are drawn are read, and of forecasts what is asked for is kept."""
    figures, score = experiment.figures, experiment.score
    for key in ("pause", "upsets", "monthly", "initial", "inflation", "careers"):
        if getattr(figures, key):
            expected = "it left out, or forecasts = 'all' in [score]"
            raise InputError("all players at many moments", where=f"{source.where}, figures.{key}", expected=expected)
    if figures.cold_start:
        expected = "it left out, or forecasts = 'all' in [score]"
        raise InputError("losses by games played", where=f"{source.where}, figures.cold_start", expected=expected)
    for by in (each for each in score.strata if each in IN_MEMORY):
        expected = "it left out, or forecasts = 'all'"
        raise InputError(f"strata by {by}", where=f"{experiment.file}, score.strata", expected=expected)
    times = np.linspace(games.begins, games.ends + 1, figures.points)
    busiest = _busiest(games)
    drawn = Reading.of(times, _drawn(games, figures, busiest))
    forecasts = score.forecasts or "losses"
    keep = Keep(forecasts, score.build(), score.sample, score.strata, seed=experiment.header.seed)
    looked_up = _looked_up(games.begins, games.ends, figures, busiest)
    return Loaded(source, games, start, drawn, looked_up=looked_up, keep=keep)


def _before_games(stream: GameStream, points: int) -> Floats:
    """Return the times of games, or of as many as are read in a while: at least so many points."""
    times = np.unique(stream.time)
    most = max(points, min(MOST_READ, MANY_READ // stream.n_players))
    return times[np.unique(np.linspace(0, len(times) - 1, min(most, len(times))).astype(np.int64))]


def _months(first: float, last: float) -> Floats:
    """Return the first days of months, from that of the first game to that after the last."""
    begin, end = np.floor([first, last]).astype("datetime64[D]").astype("datetime64[M]")
    return np.arange(begin, end + 2).astype("datetime64[D]").astype(np.float64)


def _start(source: Source, stream: GameStream | GameFile, seed: int) -> pl.DataFrame | None:
    if not source.start:
        return None
    try:
        table = together([starts_of(each, stream, source.start_list) for each in source.start])
    except InputError as error:
        raise error.inside(source.where) from None
    if "replicate" not in stream.players.columns:
        players = table["player"].unique(maintain_order=True)  # who may have several rows, of several days
        known = players[_known(len(players), source.newcomers, seed, 0)]
        return table.filter(pl.col("player").is_in(known.implode()))
    replicate = table.select("player").join(stream.players, on="player", how="left", maintain_order="left")["replicate"]
    rows = {int(r): replicate.eq(r).arg_true().to_numpy() for r in replicate.unique(maintain_order=True)}
    kept = [some[_known(len(some), source.newcomers, seed, r)] for r, some in rows.items()]
    return table[np.sort(np.concatenate(kept))]


def _known(players: int, newcomers: float, seed: int, replicate: int) -> NDArray[np.int64]:
    """Return the rows of those who begin with what is known of them: all but a share, drawn at random."""
    some = generator(seed, replicate, "newcomers").permutation(players)
    return np.sort(some[int(newcomers * players) :])


def _stream(source: Source, experiment: Experiment) -> GameStream | GameFile:
    wanted = experiment.score.forecasts
    if source.world is not None:
        _check_kept(wanted, source)
        _check_room(source.world, source)
        try:
            return source.world.simulate(experiment.header.seed, source.replicates)
        except InputError as error:
            raise error.inside(source.where) from None
        except MemoryError:
            said = f"{source.world.label} does not fit in memory"
            raise InputError(said, where=source.where, expected="fewer games, players or replicates") from None
    if source.path is None or not source.path.exists():
        advice = f"{source.advice.rstrip('.')}; --stream PATH names a copy" if source.advice else "a file of games"
        raise InputError(f"no file {source.path}", where=source.where, expected=advice)
    named = source.columns.changed or source.aliases
    if source.path.is_file() and not named and is_canonical(source.path):
        playing = [(cell.system, cell.calendar) for cell in experiment.cells]
        whole = "tuning" if experiment.tunes else None
        return games_of(source.path, playing, partial(read, source.path, source.columns), wanted, whole)
    _check_kept(wanted, source)
    try:
        return read(source.path, source.columns, aliases=source.aliases)
    except InputError as error:
        if source.columns.changed or not error.what.startswith("missing column"):
            raise
        hint = f"columns = {{ first = ... }} under [[stream]], which `ratesim inspect {source.path}` guesses"
        raise InputError(error.what, where=error.where, expected=hint, near=error.near) from None


def _check_room(world: World, source: Source) -> None:
    """Refuse more games than a stream in memory should have."""
    games = world.most * source.replicates
    if games > MOST_SIMULATED:
        said = f"{source.replicates:,} x {world.most:,} games" if source.replicates > 1 else f"{games:,} games"
        expected = f"at most {MOST_SIMULATED:,} in all; `ratesim.monte_carlo` keeps none of them"
        raise InputError(said, where=source.where, expected=expected)


def _check_kept(wanted: Forecasts | None, source: Source) -> None:
    """Refuse to keep less than all forecasts of games that are in memory anyway."""
    if wanted not in {None, "all"}:
        expected = "'all', or a file that `ratesim import` wrote"
        raise InputError(f"forecasts = '{wanted}' of games in memory", where=source.where, expected=expected)


def _drawn(stream: GameStream | GameFile, figures: Figures, busiest: pl.Series) -> pl.Series:
    """The players named that are in the stream, or those with most games."""
    if figures.players:
        asked = pl.Series(figures.players, dtype=pl.String)
        return asked.filter(asked.is_in(stream.players["player"].implode()))
    return busiest.head(figures.top)


def _looked_up(first: float, last: float, figures: Figures, busiest: pl.Series) -> Reading | None:
    """Return what is read of the players whom the report can look up."""
    times = np.linspace(first, last + 1, LOOKED_UP)
    return Reading.of(times, busiest.head(figures.lookup)) if figures.lookup else None


def _busiest(stream: GameStream | GameFile) -> pl.Series:
    """Return the players, those with most games first, the earlier seen first among equals.

    Of several replicates, those of the first are meant: in each, players have lives of their own.
    """
    names = stream.players["player"]
    games = np.zeros(len(names))
    for piece in stream.pieces():
        for side in (piece.first, piece.second):
            games += np.bincount(side, piece.weight, len(names))
    if "replicate" in stream.players.columns:
        replicate = stream.players["replicate"]
        games = games[replicate.eq(replicate[0]).to_numpy()]  # whose players stand first
    return names.gather(np.argsort(-games, kind="stable"))
