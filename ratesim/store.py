"""The folder of an experiment: what each run made, under its own address, whole or not there."""

import json
import math
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from .errors import InputError
from .files import LOCK, held, sweep, whole

FORECASTS, LOSSES, SAMPLES = "forecasts", "losses", "samples"
RATINGS, HISTORIES, TRUTH, RECORDS = "ratings", "histories", "truth", "provenance"
BELIEFS, GAMES = "beliefs", "games"
TUNINGS, SWEPT = "tuning", "swept"


class Store:
    """Runs by id: `forecasts/ID.parquet`, `ratings/ID.parquet`, `histories/ID-KEY.parquet`, `provenance/ID.json`.

    Of games on disk, `losses/ID-KEY.parquet` and `samples/ID-KEY.parquet` stand for forecasts that are not kept; the
    key tells over which games, and by which metrics and strata, losses are summed. Over a world,
    `truth/ID-KEY/NAME.parquet` tell how ratings stand to skills; the record tells which there are.

    `games/DIGEST.parquet` has the scores of a stream's games and which are judged, see `ratesim.judged`.

    `beliefs/ID.parquet` has what a run believed of both players before each game, where strata go by it.

    `tuning/KEY.json` and `tuning/KEY.parquet` have what tuning found, and the settings that it tried;
    `swept/KEY-PART.parquet` what settings lost over the games that the key is of, as they were played.

    The record in `provenance` is written last, so a run that has all of them is finished. Runs of other sources or
    other games have other ids: they stay as they are, and are never read.

    Parameters
    ----------
    folder : made where it is not there.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def foreign(self) -> bool:
        """Whether the folder holds something, and none of it is ours."""
        if not self.folder.is_dir() or any((self.folder / ours).is_dir() for ours in (RECORDS, TUNINGS, SWEPT)):
            return False
        return any(each.name != LOCK for each in self.folder.iterdir())

    @property
    def experiment(self) -> str | None:
        """The file whose results stand here, None where none do."""
        for said in ("summary.json", "tuning.json"):
            with suppress(OSError, ValueError, KeyError, TypeError):
                return str(json.loads((self.folder / said).read_text(encoding="utf-8"))["experiment"]["file"])
        return None

    def taken(self, file: str) -> str | None:
        """Return what forbids to put the results of an experiment's file here unasked, None where nothing does."""
        if self.foreign:
            return "holds other things"
        other = self.experiment
        return f"holds the results of {other}" if other not in {None, file} else None

    @contextmanager
    def held(self) -> Iterator[None]:
        """Make the folder, hold it against other runs until the block ends, and clear what a killed one left half-done.

        A block that makes nothing leaves nothing, the folder neither where there was none.

        Raises
        ------
        InputError : it cannot be written, or another run holds it.
        """
        new = [each for each in (self.folder, *self.folder.parents) if not each.exists()]
        with ExitStack() as stack:
            stack.callback(_without, new)
            try:
                (self.folder / RECORDS).mkdir(parents=True, exist_ok=True)
                for folder in (self.folder, self.folder / RECORDS):
                    with tempfile.TemporaryFile(dir=folder):
                        pass
                stack.enter_context(held(self.folder))
                stack.callback(_without, [self.folder / RECORDS])  # where no run was finished
                sweep(self.folder)
            except OSError as error:
                raise InputError(f"cannot be written ({error.strerror})", where=str(self.folder)) from error
            yield

    def has(self, run: str, histories: Iterable[str], kept: str | None = None, truth: str | None = None) -> bool:
        """Whether a run is finished and all that it made is there, its histories of those keys included.

        Parameters
        ----------
        kept : the key of losses that stand for forecasts.
        truth : the key of tables about the truth.
        """
        made = [self._record(run), self._losses(run, kept) if kept else self._forecast(run), self._ratings(run)]
        made += [self._history(run, key) for key in histories]
        if not all(path.is_file() for path in made):
            return False
        names = self._told(run, truth) if truth else []
        return names is not None and all(self._truth(run, truth or "", name).is_file() for name in names)

    def keep(
        self,
        run: str,
        *,
        forecast: NDArray[np.float64] | None,
        ratings: pl.DataFrame,
        histories: Mapping[str, pl.DataFrame],
        record: Mapping[str, Any],
        draw: NDArray[np.float64] | None = None,
        kept: str | None = None,
        losses: pl.DataFrame | None = None,
        sample: pl.DataFrame | None = None,
        truth: tuple[str, Mapping[str, pl.DataFrame]] | None = None,
    ) -> None:
        """Write all that a run made, its record last; losses and a sample under the key of what is `kept`.

        Parameters
        ----------
        draw : chances of a draw, beside forecasts, where the system has a model of its own.
        truth : the key of tables about the truth, and they by name.
        """
        if forecast is not None:
            games = pl.int_range(len(forecast), dtype=pl.UInt32, eager=True)
            own = {} if draw is None else {"draw": draw}
            write_table(self._forecast(run), pl.DataFrame({"game": games, "forecast": forecast, **own}))
        for table, path in ((sample, self._sample), (losses, self._losses)):
            if table is not None and kept is not None:
                write_table(path(run, kept), table)
        write_table(self._ratings(run), ratings)
        for key, history in histories.items():
            write_table(self._history(run, key), history)
        key, tables = truth or ("", {})
        for name, table in tables.items():
            write_table(self._truth(run, key, name), table)
        told = {"truth": {"key": key, "tables": list(tables)}} if truth else {}
        write_json(self._record(run), {**record, **told})

    def forecast(self, run: str) -> NDArray[np.float64]:
        """Return the forecast of each game (G,), NaN where there is none."""
        return pl.read_parquet(self._forecast(run), columns=["forecast"])["forecast"].to_numpy()

    def draw(self, run: str) -> NDArray[np.float64] | None:
        """Return the chance of a draw of each game (G,) by the system's own model, None where it has none."""
        path = self._forecast(run)
        if "draw" not in pl.read_parquet_schema(path):
            return None
        return pl.read_parquet(path, columns=["draw"])["draw"].to_numpy()

    def games(self, digest: str) -> pl.DataFrame | None:
        """Return the games of a stream, or None where they are not kept."""
        path = self._games(digest)
        return pl.read_parquet(path) if path.is_file() else None

    def keep_games(self, digest: str, games: pl.DataFrame) -> None:
        """Write the games of a stream."""
        write_table(self._games(digest), games)

    def has_forecast(self, run: str) -> bool:
        """Whether the forecasts of a run are kept."""
        return self._forecast(run).is_file()

    def kept_losses(self, run: str) -> set[str]:
        """Return the keys under which sums of losses are kept."""
        return {path.stem.removeprefix(f"{run}-") for path in (self.folder / LOSSES).glob(f"{run}-*.parquet")}

    def losses(self, run: str, kept: str) -> pl.DataFrame:
        """Return sums of losses by month, see `ratesim.replaying.losses`."""
        return pl.read_parquet(self._losses(run, kept))

    def sample(self, run: str, kept: str) -> pl.DataFrame | None:
        """Return the games drawn with their forecasts, or None where none are kept."""
        path = self._sample(run, kept)
        return pl.read_parquet(path) if path.is_file() else None

    def ratings(self, run: str) -> pl.DataFrame:
        """Return the ratings after the last game."""
        return pl.read_parquet(self._ratings(run))

    def history(self, run: str, key: str) -> pl.DataFrame:
        """Return the ratings of some players over time."""
        return pl.read_parquet(self._history(run, key))

    def beliefs(self, run: str) -> pl.DataFrame | None:
        """Return what was believed of first before each game, then of second, or None where it is not kept."""
        path = self.folder / BELIEFS / f"{run}.parquet"
        return pl.read_parquet(path) if path.is_file() else None

    def keep_beliefs(self, run: str, beliefs: pl.DataFrame) -> None:
        """Write what was believed before each game."""
        write_table(self.folder / BELIEFS / f"{run}.parquet", beliefs)

    def truth(self, run: str, key: str) -> dict[str, pl.DataFrame]:
        """Return the tables about the truth by name, in the order in which they were made."""
        return {name: pl.read_parquet(self._truth(run, key, name)) for name in self._told(run, key) or []}

    def record(self, run: str) -> dict[str, Any]:
        """Return what a run was made of."""
        return dict(json.loads(self._record(run).read_text(encoding="utf-8")))

    def tuning(self, key: str) -> tuple[dict[str, Any], pl.DataFrame] | None:
        """Return what tuning found and the settings that it tried, None where it was not done."""
        said, settings = self._tuning(key, "json"), self._tuning(key, "parquet")
        if not (said.is_file() and settings.is_file()):
            return None
        return dict(json.loads(said.read_text(encoding="utf-8"))), pl.read_parquet(settings)

    def keep_tuning(self, key: str, said: Mapping[str, Any], settings: pl.DataFrame) -> None:
        """Write what tuning found, the settings first."""
        write_table(self._tuning(key, "parquet"), settings)
        write_json(self._tuning(key, "json"), said)

    def swept(self, key: str) -> list[pl.DataFrame]:
        """Return what settings lost over the games of a key, in the parts in which it was kept."""
        return [pl.read_parquet(path) for path in sorted((self.folder / SWEPT).glob(f"{key}-*.parquet"))]

    def keep_swept(self, key: str, part: str, sums: pl.DataFrame) -> None:
        """Write what some settings lost; `part` is their address."""
        write_table(self.folder / SWEPT / f"{key}-{part}.parquet", sums)

    def _tuning(self, key: str, suffix: str) -> Path:
        return self.folder / TUNINGS / f"{key}.{suffix}"

    def _forecast(self, run: str) -> Path:
        return self.folder / FORECASTS / f"{run}.parquet"

    def _games(self, digest: str) -> Path:
        return self.folder / GAMES / f"{digest[:16]}.parquet"

    def _losses(self, run: str, kept: str) -> Path:
        return self.folder / LOSSES / f"{run}-{kept}.parquet"

    def _sample(self, run: str, kept: str) -> Path:
        return self.folder / SAMPLES / f"{run}-{kept}.parquet"

    def _ratings(self, run: str) -> Path:
        return self.folder / RATINGS / f"{run}.parquet"

    def _history(self, run: str, key: str) -> Path:
        return self.folder / HISTORIES / f"{run}-{key}.parquet"

    def _truth(self, run: str, key: str, name: str) -> Path:
        return self.folder / TRUTH / f"{run}-{key}" / f"{name}.parquet"

    def _told(self, run: str, key: str | None) -> list[str] | None:
        """Return the names of a run's tables about the truth, None where those of that key were not made."""
        told = self.record(run).get("truth", {})
        return list(told["tables"]) if told.get("key") == key else None

    def _record(self, run: str) -> Path:
        return self.folder / RECORDS / f"{run}.json"


def _without(folders: Iterable[Path]) -> None:
    """Take folders away, innermost first, up to the first that holds something."""
    with suppress(OSError):
        for each in folders:
            each.rmdir()


def write_table(path: Path, frame: pl.DataFrame) -> None:
    """Write a table as Parquet: the same bytes for the same table."""
    # Opened here: interrupted, polars goes on in its threads, and would make a file anew that was taken away.
    with whole(path) as place, place.open("wb") as file:
        frame.rechunk().write_parquet(file, compression="zstd", statistics=True)


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    """Write a JSON document: the same bytes for the same value."""
    with whole(path) as place:
        place.write_text(json_text(value), encoding="utf-8")


def json_text(value: object) -> str:
    """Return a JSON document with sorted keys; NaN and infinities, which JSON has not, are null.

    >>> json_text({"b": float("nan"), "a": 0.1}).split()
    ['{', '"a":', '0.1,', '"b":', 'null', '}']
    """
    return json.dumps(_plain(value), sort_keys=True, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
