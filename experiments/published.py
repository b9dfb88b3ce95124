"""What others have published of games that anybody can get: theirs, ours beside it, and why they differ where they do.

    python experiments/published.py [FOLDER] [FILE]

FOLDER has `nfl_games.csv` of https://github.com/fivethirtyeight/nfl-elo-game, `../shared/data/nfl` if left out; the
table goes to FILE, `docs/published.md` if left out. Experiments on games that cannot be shipped stand in
`experiments/published`: their heads say where the games are from, how they are laid out, and what was published.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

import ratesim as rs
from ratesim.analysis import calibration_error, player_months, recalibration, scaled_metrics, season_points
from ratesim.experiment import read
from ratesim.plan import Loaded, load

ROOT = Path(__file__).resolve().parents[1]
NFL, HOME = ROOT.parent / "shared" / "data" / "nfl", ROOT / "docs" / "published.md"
LOSSES = {10: 0.621875, 15: 0.615858, 25: 0.614668, 30: 0.617035}  # log loss by K, of an independent replay
EXAMPLE = (  # month, first, second, forecast, score: the example of "Elo versus the rest of the world" (Kaggle, 2010)
    (101, 1, 2, 0.18, 1.0), (101, 1, 3, 0.35, 1.0), (102, 2, 1, 0.48, 0.0),
    (103, 1, 2, 0.29, 0.5), (104, 2, 1, 0.23, 0.5), (105, 1, 2, 0.27, 1.0),
)  # fmt: skip
HEAD = """\
# Published numbers, ours beside theirs

Made by `python experiments/published.py`; `pytest tests/test_published.py` makes it again and compares. Theirs are
printed, or came out of independent replays of the same games; the tolerance is what rounding on their side allows,
unless the reason says more. American football is `experiments/published/nfl-538.toml`; Stephenson's, KickScore's and
EsportsBench's comparisons stand beside it, on games that are not ours to ship.
"""
COLUMNS = ("of", "what", "theirs", "ours", "tolerance", "agrees", "why they differ")


class Row(NamedTuple):
    """A published number and ours."""

    of: str
    what: str
    theirs: float
    ours: float
    tolerance: float  # 0: to the last digit
    why: str = "printed digits"

    @property
    def agrees(self) -> bool:
        """Whether ours lies within the tolerance of theirs."""
        return abs(self.ours - self.theirs) <= self.tolerance


def before_each_game(system: rs.Elo, loaded: Loaded, start: pl.DataFrame) -> np.ndarray:
    """Return the ratings (G, 2) of both teams before each game, read off games of no weight against a team at 1505."""
    games = loaded.stream.to_frame().select("first", "second", "score", "time", "edge", "margin", "season")
    asked = [
        games.with_columns(pl.col(side).alias("first"), second=pl.lit("nobody"), edge=0.0) for side in games.columns[:2]
    ]
    both = pl.concat(
        [games.with_columns(weight=pl.lit(1.0)), *(each.with_columns(weight=pl.lit(0.0)) for each in asked)]
    )
    place = np.argsort(np.argsort(both["time"].to_numpy(), kind="stable"), kind="stable")
    table = pl.concat([start, pl.DataFrame({"player": ["nobody"], "rating": [1505.0]})], how="diagonal")
    run = rs.replay(system, rs.GameStream.of(**both.to_dict()), policy=rs.Constant(20), start=table)
    p = run.forecast[place][len(games) :]
    return 1505 + 400 * np.log10(p / (1 - p)).reshape(2, -1).T


def football(folder: Path) -> Iterator[Row]:
    """Yield what FiveThirtyEight published of American football, and what independent replays found."""
    file, name = folder / "nfl_games.csv", "538, NFL 1920 to 2021"
    experiment, told = read(ROOT / "experiments" / "published" / "nfl-538.toml", file), pl.read_csv(file)
    (loaded,) = load(experiment)
    cells = {cell.label: cell for cell in experiment.cells}
    made = rs.replay_many([(cell.system, cell.policy) for cell in cells.values()], loaded.stream, start=loaded.start)
    forecast = {label: run.forecast for label, run in zip(cells, made, strict=True)}
    usual = "538 advantage=65, K k=20"
    p, score = forecast[usual], loaded.stream.score
    off = np.abs(p - told["elo_prob1"].to_numpy())
    three = "starts have three decimals"
    yield Row(name, "forecasts within 2e-6 of the published", len(told), int((off < 2e-6).sum()), 0, "")
    yield Row(name, "furthest forecast from the published", 0, float(off.max()), 2e-6, three)
    yield from _ratings(name, cells[usual].system, loaded, told, three)
    decided, line = score != 0.5, recalibration(p, score)
    season, playoff = told["season"].to_numpy(), told["playoff"].to_numpy()
    yield Row(name, "log loss", 0.6140119, float(rs.log_loss(p, score).mean()), 5e-8)
    yield Row(name, "Brier score", 0.2083818, float(rs.brier(p, score).mean()), 5e-8)
    yield Row(name, "accuracy of decided games", 0.6654545, float(rs.accuracy(p, score)[decided].mean()), 5e-7,
              "10,976 of 16,494 are .6654541, 10,977 .6655147: nothing is nearer")  # fmt: skip
    yield Row(name, "log10 deviance, capped", 0.266662, float(rs.capped_deviance(p, score).mean()), 5e-7)
    yield Row(name, "calibration error, 10 bins", 0.0071598, calibration_error(p, score), 5e-8)
    yield Row(name, "slope of recalibration", 1.0011, line.slope, 5e-5)
    yield Row(name, "intercept of recalibration", -0.0305, line.intercept, 5e-5)
    for home, theirs in ((65, 648.2406), (100, 603.4248)):
        points = season_points(forecast[f"538 advantage={home}, K k=20"], score, season, playoff)["points"].mean()
        yield Row(name, f"points a season, home {home}", theirs, float(points), 5e-5)
    for k, theirs in LOSSES.items():
        yield Row(
            name,
            f"log loss with K {k}",
            theirs,
            float(rs.log_loss(forecast[f"538 advantage=65, K k={k}"], score).mean()),
            5e-7,
        )


def _ratings(name: str, system: rs.Elo, loaded: Loaded, told: pl.DataFrame, why: str) -> Iterator[Row]:
    published, start = told.select("elo1", "elo2").to_numpy(), loaded.start
    off = np.abs(before_each_game(system, loaded, start) - published).max()
    yield Row(name, "furthest rating from the published", 0, float(off), 0.001, why)
    without = start.filter(pl.col("since").is_nan()).drop("since")
    off = np.abs(before_each_game(system, loaded, without) - published).max(axis=1)
    yield Row(name, "games .01 or more off without the ratings set by hand", 6367, int((off > 0.01).sum()), 0, "")


def measures() -> Iterator[Row]:
    """Yield the measures of others on games that they print, or by their definition."""
    month, first, second, forecast, score = (np.array(each) for each in zip(*EXAMPLE, strict=True))
    kaggle = "Kaggle 2010, six games"
    yield Row(kaggle, "RMSE by player and month", 0.6753046, player_months(forecast, score, first, second, month), 5e-8)
    yield Row(kaggle, "log loss", 1.0639305, float(rs.log_loss(forecast, score).mean()), 5e-8)
    yield Row(kaggle, "Brier score", 0.3292, float(rs.brier(forecast, score).mean()), 5e-5)
    yield Row(kaggle, "log10 deviance", 0.4620592, float(rs.capped_deviance(forecast, score).mean()), 1e-7,
              "1.0639305066 / ln 10 is .4620591481: their last digit is one too high")  # fmt: skip
    half = np.full(6, 0.5)
    yield Row("Kaggle 2011", "log10 deviance of one half", 0.30103, float(rs.capped_deviance(half, score).mean()), 5e-6)
    scaled = scaled_metrics(half, score)
    for which in ("bdev", "mse", "mae"):
        yield Row("PlayerRatings", f"{which} of one half", 100, getattr(scaled, which), 1e-12, "rounding")


def table(rows: list[Row]) -> str:
    """Return the table in Markdown."""
    cells = [COLUMNS, ("---",) * 2 + ("---:",) * 3 + ("---",) * 2, *map(_shown, rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


def _shown(row: Row) -> tuple[str, ...]:
    numbers = (f"{row.theirs:.10g}", f"{row.ours:.8g}", f"{row.tolerance:.1g}")
    return (row.of, row.what, *numbers, "yes" if row.agrees else "**no**", row.why)


def document(folder: Path) -> str:
    """Return the page."""
    return f"{HEAD}\n{table([*football(folder), *measures()])}\n"


if __name__ == "__main__":
    folder, path = [Path(each) for each in sys.argv[1:3]] + [NFL, HOME][len(sys.argv[1:3]) :]
    path.write_text(document(folder), encoding="utf-8")
    sys.stdout.write(path.read_text(encoding="utf-8"))
