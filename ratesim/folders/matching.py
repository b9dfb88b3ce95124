"""Which runs of two folders are one: over the same games, of one label or one specification."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..report import short

Summary = Mapping[str, Any]
Record = Mapping[str, Any]
SPECS = ("system", "policy", "calendar")


class Match(NamedTuple):
    """A run of the old folder and one of the new."""

    old: Record
    new: Record
    by: str  # "label", "specification" or "kind"
    same_games: bool


def matches(old: Summary, new: Summary) -> list[Match]:
    """Return the runs in both, in the order of the new.

    Streams are one by digest or else name; runs by label, or else specification, or else where they alone of those
    left are of their kinds of system, policy and calendar.
    """
    found = []
    for before, after in _streams(old, new):
        left = [run for run in old["runs"] if run["stream"] == before["name"]]
        waiting = [run for run in new["runs"] if run["stream"] == after["name"]]
        for by, key in KEYS.items():
            for run in list(waiting):
                twins = [each for each in left if key(each) == key(run)]
                alone = sum(key(each) == key(run) for each in waiting) == 1
                if len(twins) == 1 and alone:
                    left.remove(twins[0])
                    waiting.remove(run)
                    found.append(Match(twins[0], run, by, same_games=before["digest"] == after["digest"]))
    order = [run["id"] for run in new["runs"]]
    return sorted(found, key=lambda match: order.index(match.new["id"]))


def _streams(old: Summary, new: Summary) -> Iterator[tuple[Record, Record]]:
    """Yield streams of the same games, then those of the rest that have one name."""
    left = list(old["streams"])
    rest = []
    for stream in new["streams"]:
        twin = next((each for each in left if each["digest"] == stream["digest"]), None)
        if twin is None:
            rest.append(stream)
        else:
            left.remove(twin)
            yield twin, stream
    for stream in rest:
        twin = next((each for each in left if each["name"] == stream["name"]), None)
        if twin is not None:
            left.remove(twin)
            yield twin, stream


def _label(run: Record) -> tuple[str, str]:
    return short(run), run["rests_on"]["calendar"]


def _spec(run: Record) -> list[Any]:
    return [run[part] for part in SPECS]


def _kinds(run: Record) -> list[Any]:
    return [run[part] and run[part]["kind"] for part in SPECS]


KEYS = {"label": _label, "specification": _spec, "kind": _kinds}


def changed(old: Record, new: Record) -> Iterator[dict[str, Any]]:
    """Yield what two tables of settings say differently, dotted keys with the value of each; None: not there."""
    before, after = _flat(old), _flat(new)
    for key in [*before, *(key for key in after if key not in before)]:
        if before.get(key) != after.get(key):
            yield {"key": key, "old": before.get(key), "new": after.get(key)}


def _flat(table: Record, front: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in table.items():
        flat.update(_flat(value, f"{front}{key}.") if isinstance(value, Mapping) else {f"{front}{key}": value})
    return flat


def only(runs: Sequence[Record], matched: Sequence[Record]) -> list[str]:
    """Return the labels of runs that have no match."""
    ids = {run["id"] for run in matched}
    return [run["label"] for run in runs if run["id"] not in ids]
