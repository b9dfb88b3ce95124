"""What a run lost in two folders, game by game where both keep the forecasts."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..comparing import Asked, Comparison, common, compare, compare_sums, holm, verdict
from ..errors import InputError
from ..inference import Floats, Interval, mean
from ..judged import Scored
from ..keys import Score
from ..metrics import Metric
from ..replaying.losses import sums_of
from ..store import Store
from .matching import Match

OLD, NEW = "old", "new"


class Judging(NamedTuple):
    """Two stores, and how runs in them are held against each other."""

    old: Store
    new: Store
    metrics: Mapping[str, Metric]
    asked: Asked

    @classmethod
    def of(cls, old: Store, new: Store, experiment: Mapping[str, Any]) -> "Judging":
        """Judge as the new experiment does."""
        score = Score(**experiment["score"])
        return cls(old, new, score.build(), Asked(experiment["seed"], score.level, score.draws))


def moved(match: Match, judging: Judging) -> dict[str, Any]:
    """Return whether the forecasts of a run are the same, how each metric moved, and why it is not known where not.

    `lost` and `gained` are the games with a forecast in the old alone and in the new alone, None where unknown.
    """
    return {"lost": None, "gained": None, **_moved(match, judging)}


def _moved(match: Match, judging: Judging) -> dict[str, Any]:
    old, new = match.old["id"], match.new["id"]
    if not match.same_games:
        return {"same": None, "metrics": [], "why": "the games are others"}
    if judging.old.has_forecast(old) and judging.new.has_forecast(new):
        forecasts = Told.of(judging.old, old), Told.of(judging.new, new)
        before, now = (~np.isnan(each.forecast) for each in forecasts)
        changed = {"lost": int((before & ~now).sum()), "gained": int((now & ~before).sum())}
        return changed | _by_game(match, judging, *forecasts)
    shared = judging.old.kept_losses(old) & judging.new.kept_losses(new)
    if not shared:
        return {"same": None, "metrics": [], "why": "no forecasts of the same games are kept in both"}
    return _by_month(match, judging, min(shared))


class Told(NamedTuple):
    """What a run forecast; both (G,)."""

    forecast: Floats
    draw: Floats | None  # chances of a draw, of a system with a model of its own

    @classmethod
    def of(cls, store: Store, run: str) -> "Told":
        """Read it."""
        return cls(store.forecast(run), store.draw(run))

    def alike(self, other: "Told") -> bool:
        """Whether the other is the same to the last bit."""
        if self.draw is None or other.draw is None:
            drawn = self.draw is other.draw
        else:
            drawn = np.array_equal(self.draw, other.draw, equal_nan=True)
        return drawn and np.array_equal(self.forecast, other.forecast, equal_nan=True)


def _by_game(match: Match, judging: Judging, old: Told, new: Told) -> dict[str, Any]:
    same = old.alike(new)
    digest = judging.new.record(match.new["id"])["stream"]
    frames = [store.games(digest) for store in (judging.old, judging.new)]
    if frames[0] is None or frames[1] is None:
        return {"same": same, "metrics": [], "why": "the games are not kept in both"}
    before, games = (Scored.of(frame) for frame in frames if frame is not None)
    here = games._replace(mask=before.mask & games.mask)
    if not here.mask.any():
        return {"same": same, "metrics": [], "why": "no game is judged in both"}
    rows = []
    for metric in judging.metrics.values():
        if same:
            rows.append(_unmoved(metric, here, old))
            continue
        losses = {OLD: here.losses(metric, *old), NEW: here.losses(metric, *new)}
        if not common(losses.values()).any():
            return {"same": same, "metrics": [], "why": "no game is forecast in both"}
        first, second = here.first[here.mask], here.second[here.mask]
        weight = None if here.weight is None else here.weight[here.mask]
        asked = judging.asked._replace(lower_is_better=metric.lower_is_better, interval=_interval(match))
        rows.append(_row(metric, compare(losses, here.block[here.mask], weight=weight, first=first, second=second,
                                         **asked._asdict())))  # fmt: skip
    return {"same": same, "metrics": rows, "why": ""}


def _by_month(match: Match, judging: Judging, kept: str) -> dict[str, Any]:
    tables = {OLD: judging.old.losses(match.old["id"], kept), NEW: judging.new.losses(match.new["id"], kept)}
    rows = []
    for name, metric in judging.metrics.items():
        try:
            sums = {key: sums_of(table, name) for key, table in tables.items()}
            rows.append(
                _row(metric, compare_sums(sums, judging.asked._replace(lower_is_better=metric.lower_is_better)))
            )
        except InputError as error:
            return {"same": None, "metrics": [], "why": f"sums of losses cannot be paired ({error})"}
    return {"same": None, "metrics": rows, "why": ""}


def _unmoved(metric: Metric, games: Scored, told: Told) -> dict[str, Any]:
    """Return one metric of a run whose forecasts are the same."""
    losses = games.losses(metric, *told)
    found = mean(losses, games.block[games.mask], None if games.weight is None else games.weight[games.mask])
    nothing = dict.fromkeys(("difference", "low", "high"), 0.0)
    games_of = {"n": found.n, "left_out": found.left_out, "lower_is_better": metric.lower_is_better}
    return {"metric": metric.kind, "old": found.mean, "new": found.mean, **nothing, "p": None, **games_of}


def _interval(match: Match) -> Interval:
    return "student" if match.new["rests_on"]["block"] == "replicate" else "bootstrap"


def _row(metric: Metric, found: Comparison) -> dict[str, Any]:
    """Return one metric of a run before and after, as the new less the old."""
    means = dict(found.table.select("system", "mean").iter_rows())
    (pair,) = found.pairs.to_dicts()
    sign = 1 if pair["system"] == NEW else -1
    ends = [sign * pair[key] if pair[key] is not None else math.nan for key in ("low", "high")]
    return {
        "metric": metric.kind, "old": means[OLD], "new": means[NEW], "difference": sign * pair["difference"],
        "low": min(ends), "high": max(ends), "p": pair["p"], "n": pair["n"], "left_out": pair["left_out"],
        "lower_is_better": metric.lower_is_better,
    }  # fmt: skip


def judged(runs: Sequence[dict[str, Any]], level: float) -> None:
    """Add to each row of a metric `holm`, p corrected for all runs, and the `verdict` of new over old that follows."""
    for name in dict.fromkeys(row["metric"] for run in runs for row in run["metrics"]):
        rows = [row for run in runs for row in run["metrics"] if row["metric"] == name]
        corrected = holm([math.nan if row["p"] is None else row["p"] for row in rows]).tolist()
        for row, p in zip(rows, corrected, strict=True):
            sign = 1 if row["lower_is_better"] else -1
            row |= {"holm": p, "verdict": verdict(sign * row["difference"], p, level)}
