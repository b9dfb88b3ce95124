"""What moved between two run folders: settings, versions, games, forecasts, ratings."""

from pathlib import Path
from typing import Any

import polars as pl

from ..errors import InputError
from ..report import found_in
from ..store import Store
from .losses import Judging, judged, moved
from .matching import SPECS, Match, Summary, changed, matches, only

MOST = 5  # players whose ratings moved most
SETTINGS = ("seed", "score", "file", "title")


def compare_folders(old: str | Path, new: str | Path) -> dict[str, Any]:
    """Hold two run folders against each other: two runs, or two versions of one experiment.

    Runs are one where they have one label, or else one specification, or else alone are of their kinds, over the same
    stream, which is known by its digest, or else its name. Losses are paired game by game, on the games that both
    judge, in the blocks and by the metrics of the new, where both folders keep the forecasts; where both keep sums by
    month, month by month.

    Returns
    -------
    A table of plain values: `old` and `new` (folder, file, title); `settings` and `versions` that differ (key, old,
    new); `streams` (name, old and new digest and games, same); `runs` in both, each with `label`, `by` what it was
    found, `changed` settings, `sources` whether the code that plays it changed, `same` whether all forecasts are the
    same to the last bit, `lost` and `gained` (games with a forecast in the old alone, and in the new alone; None where
    forecasts are not kept or games are others), `metrics` (old, new, difference new less old with low and high, p, holm
    over all runs, verdict of the new: better, worse or tie), `why` none are told, and `ratings` (players, moved, mean
    and median of the absolute change, most); `only_old` and `only_new`, labels; `level` of intervals.

    Raises
    ------
    InputError : a folder has no summary, or is of another version.
    """
    folders = Path(old), Path(new)
    before, after = map(found_in, folders)
    stores = Store(folders[0]), Store(folders[1])
    try:
        return _compared(before, after, *stores)
    except (KeyError, FileNotFoundError) as error:
        said = f"no {error.filename}" if isinstance(error, FileNotFoundError) else f"summary.json without {error}"
        expected = "folders that this version of `ratesim run` wrote: run the experiment again"
        raise InputError(said, where=f"{old} or {new}", expected=expected) from error


def _compared(before: Summary, after: Summary, old: Store, new: Store) -> dict[str, Any]:
    found, judging = matches(before, after), Judging.of(old, new, after["experiment"])
    runs = [_run(match, judging) for match in found]
    judged(runs, judging.asked.level)
    settings = [{key: each["experiment"][key] for key in SETTINGS} for each in (before, after)]
    return {
        "old": _about(old, before),
        "new": _about(new, after),
        "settings": list(changed(*settings)),
        "versions": list(changed(before["versions"], after["versions"])),
        "streams": _streams(before, after),
        "runs": runs,
        "only_old": only(before["runs"], [match.old for match in found]),
        "only_new": only(after["runs"], [match.new for match in found]),
        "level": judging.asked.level,
    }


def _about(store: Store, summary: Summary) -> dict[str, Any]:
    about = summary["experiment"]
    return {"folder": str(store.folder), "file": about["file"], "title": about["title"]}


def _streams(before: Summary, after: Summary) -> list[dict[str, Any]]:
    """Return all streams by name, with what each folder has of them."""
    old, new = ({each["name"]: each for each in summary["streams"]} for summary in (before, after))
    digests = {each["digest"] for each in before["streams"]} & {each["digest"] for each in after["streams"]}
    return [
        {
            "name": name,
            **{f"{side}_{key}": each[name][key] if name in each else None
               for side, each in (("old", old), ("new", new)) for key in ("digest", "games")},
            "same": any(each[name]["digest"] in digests for each in (old, new) if name in each),
        }
        for name in [*old, *(name for name in new if name not in old)]
    ]  # fmt: skip


def _run(match: Match, judging: Judging) -> dict[str, Any]:
    records = judging.old.record(match.old["id"]), judging.new.record(match.new["id"])
    specs = [{part: run[part] or {} for part in SPECS} for run in (match.old, match.new)]
    return {
        "label": match.new["label"],
        "old_label": match.old["label"],
        "by": match.by,
        "changed": list(changed(*specs)),
        "sources": records[0]["sources"] != records[1]["sources"],
        **moved(match, judging),
        "ratings": _ratings(judging.old.ratings(match.old["id"]), judging.new.ratings(match.new["id"])),
    }


def _ratings(old: pl.DataFrame, new: pl.DataFrame) -> dict[str, Any] | None:
    """Return how far ratings at the end moved, over the players in both; None where a run keeps none."""
    if not {"rating"} <= set(old.columns) & set(new.columns):
        return None
    keys = [key for key in ("player", "pool") if key in old.columns and key in new.columns]
    both = (
        old.select(*keys, old="rating")
        .join(new.select(*keys, new="rating"), on=keys, how="inner", maintain_order="left")
        .with_columns(change=pl.col("new") - pl.col("old"))
        .filter(pl.col("change").is_not_nan())
    )
    size = both["change"].abs()
    most = both.filter(size > 0).sort(pl.col("change").abs(), descending=True, maintain_order=True).head(MOST)
    return {
        "players": len(both), "moved": int((size > 0).sum()), "mean": size.mean(), "median": size.median(),
        "most": most.to_dicts(),
    }  # fmt: skip
