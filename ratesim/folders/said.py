"""What moved between two folders, in words."""

from collections.abc import Iterator, Mapping
from typing import Any

from ..analysis import counted, listed
from ..spec import brief

Found = Mapping[str, Any]
VERDICTS = {
    "better": "better than before", "worse": "worse than before",
    "tie": "moved by less than these games tell from nothing",
}  # fmt: skip


def said(found: Found) -> Iterator[str]:
    """Yield what moved and whether it matters, a sentence a line; `found` is what `compare_folders` returns."""
    shared = any(stream["same"] for stream in found["streams"])
    if not shared:
        yield "The games differ: no stream of the old has the games of one of the new, so no losses are compared."
    if shared or found["runs"]:
        yield _glance(found)
    for run in found["runs"]:
        yield from _run(run, found["level"])
    for which, labels in (("old", found["only_old"]), ("new", found["only_new"])):
        if labels:
            yield f"Only in the {which}: {listed(labels)}."
    for stream in found["streams"]:
        if not stream["same"]:
            yield f"{stream['name']}: {_games(stream)}."
    for name, key in (("Settings", "settings"), ("Versions", "versions")):
        if found[key]:
            yield f"{name} that differ: {'; '.join(map(_change, found[key]))}."


def _glance(found: Found) -> str:
    """Return how many runs moved, by the first metric."""
    runs = found["runs"]
    if not runs:
        return "The two have no run in common."
    same = sum(run["same"] is True for run in runs)
    verdicts = [run["metrics"][0]["verdict"] for run in runs if run["metrics"] and not run["same"]]
    counts = [(same, "forecast as before, to the last bit"), *((verdicts.count(v), t) for v, t in VERDICTS.items())]
    counts.append((len(runs) - same - len(verdicts), "cannot be paired"))
    told = "; ".join(f"{n:,} {text}" for n, text in counts if n)
    return f"Of {counted(len(runs), 'run')} in both: {told}."


def _run(run: Found, level: float) -> Iterator[str]:
    name = run["label"] if run["old_label"] == run["label"] else f"{run['label']} (before: {run['old_label']})"
    if run["changed"] or run["sources"]:
        what = [*map(_change, run["changed"]), *(["the code that plays it"] if run["sources"] else [])]
        yield f"{name}: changed are {'; '.join(what)}."
    if run["same"]:
        yield f"{name}: the same forecasts, to the last bit."
    elif not run["metrics"]:
        yield f"{name}: forecasts are not compared, since {run['why']}."
    else:
        yield _metric(name, run["metrics"][0], level)
    for key, told in (
        ("lost", "had a forecast before and {} none now"),
        ("gained", "{} a forecast now and had none before"),
    ):
        if run[key]:
            has = "has" if run[key] == 1 else "have"
            yield f"{name}: {counted(run[key], 'game')} {told.format(has)}."
    if run["ratings"] and run["ratings"]["moved"]:
        yield f"{name}: {_ratings(run['ratings'])}."


def _metric(name: str, row: Found, level: float) -> str:
    metric, verdict = row["metric"].replace("_", " "), row["verdict"]
    inside = f"{round(100 * level, 9):g}% interval {row['low']:+.5f} to {row['high']:+.5f}"
    moved = f"{metric} {row['old']:.5f} before, {row['new']:.5f} now, {row['difference']:+.5f} ({inside})"
    told = {
        "better": "better, and these games tell it from nothing",
        "worse": "worse, and these games tell it from nothing",
        "tie": "which these games do not tell from nothing",
    }[verdict]
    return f"{name}: {moved}: {told}."


def _ratings(found: Found) -> str:
    most = ", ".join(f"{each['player']} {each['change']:+.1f}" for each in found["most"])
    of = counted(found["players"], "player")
    return f"ratings of {found['moved']:,} of {of} moved, by {found['median']:.1f} in the median; most: {most}"


def _games(stream: Found) -> str:
    if stream["old_games"] is None or stream["new_games"] is None:
        return f"only in the {'new' if stream['old_games'] is None else 'old'}"
    return f"other games, {stream['old_games']:,} before, {stream['new_games']:,} now"


def _change(each: Found) -> str:
    return f"{each['key']} {brief(each['old'])} to {brief(each['new'])}"
