"""The experiments that rank K policies: what their headers say comes out when they are run."""

import json
import math
import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import ranking
from polars.testing import assert_frame_equal

import ratesim as rs
from ratesim.cli import main
from ratesim.experiment import read
from ratesim.plan import load
from ratesim.policies import GlickoEffective, Tracking

EXPERIMENTS = Path(__file__).resolve().parents[1] / "experiments"
DATA = EXPERIMENTS.parents[1] / "shared" / "data"
STREAMS = {"football": DATA / "football" / "results.csv", "nfl": DATA / "nfl" / "nfl_games.csv", "world": None}
KINDS = {
    "constant", "tracking", "fide", "steps", "five-thirty-eight", "uscf", "harmonic", "glicko-effective",
}  # fmt: skip


def header(name: str) -> str:
    """The comment on top of an experiment, as one line."""
    lines = (EXPERIMENTS / f"k-policies-{name}.toml").read_text(encoding="utf-8").split("\n\ntitle", 1)[0].splitlines()
    return re.sub(r"\s+", " ", " ".join(line.removeprefix("#") for line in lines))


def asked(name: str):
    return read(EXPERIMENTS / f"k-policies-{name}.toml", STREAMS[name])


def called(label: str) -> str:
    """What is the same whatever K the tuner finds."""
    return "tuned" if label.startswith("Elo, tuned k=") else label.removeprefix("Elo, ")


class Ranked:
    """What an experiment found: losses by label, the order of them, each against the one above."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
        runs = {run["id"]: called(run["label"]) for run in summary["runs"]}
        self.loss = {runs[run["id"]]: run["metrics"]["log_loss"]["mean"] for run in summary["runs"]}
        self.order = [runs[run] for run in summary["standings"][0]["runs"]]
        pairs = [pair for pair in summary["paired"] if pair["metric"] == "log_loss"]
        self.worse = {(runs[pair["run"]], runs[pair["against"]]): pair for pair in pairs}
        (self.tuning,) = summary["tuning"]

    def losses(self, *labels: str) -> list[str]:
        return [f"{self.loss[label]:.4f}"[1:] for label in labels]

    @property
    def k(self) -> tuple[float, float, float]:
        """The tuned K and its interval."""
        (found,) = self.tuning["parameters"]
        return found["best"], *found["interval"]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    def run(name: str) -> Ranked:
        folder = tmp_path_factory.mktemp("runs") / name
        stream = [] if STREAMS[name] is None else ["--stream", str(STREAMS[name])]
        assert main(["run", str(EXPERIMENTS / f"k-policies-{name}.toml"), *stream, "--out", str(folder)]) == 0
        return Ranked(folder)

    return run


@pytest.mark.parametrize("name", STREAMS)
def test_each_ranks_all_kinds_of_policies_beside_glicko(name):
    experiment = read(EXPERIMENTS / f"k-policies-{name}.toml")
    assert {cell.policy.kind for cell in experiment.cells if cell.policy is not None} == KINDS - (
        {"fide"} if name == "nfl" else set()
    )
    assert [cell.system.kind for cell in experiment.cells if cell.policy is None] == ["glicko"]
    assert sum(cell.space is not None for cell in experiment.cells) == 1
    assert f"ratesim run experiments/k-policies-{name}.toml" in header(name)


@pytest.mark.parametrize(("name", "games"), [("football", 10), ("nfl", 16), ("world", 1)])
def test_the_drift_is_that_of_the_glicko_beside_it_and_so_is_the_least_deviation(name, games):
    cells = read(EXPERIMENTS / f"k-policies-{name}.toml").cells
    glicko = next(cell.system for cell in cells if cell.system.kind == "glicko")
    policies = {type(cell.policy): cell.policy for cell in cells}
    assert policies[Tracking].drift == pytest.approx(glicko.c / math.sqrt(games), rel=0.002)
    effective = policies[GlickoEffective]
    assert (effective.per, effective.c) == (glicko.per, pytest.approx(glicko.c, rel=0.001))
    assert effective.floor == pytest.approx(rs.theory.steady_deviation(glicko.c, games), abs=0.06)


@pytest.fixture(scope="module")
def walking():
    """The games of the world, all of its replicates."""
    (loaded,) = load(asked("world"))
    return loaded.stream


def optimum(games) -> float:
    """T11's K for a walk of 6 points a game, by the mean p (1 - p) of the first half of the games."""
    p = games.truth[: len(games) // 2]
    return 6 / math.sqrt(float(np.mean(p * (1 - p))))


def test_the_tuner_finds_the_optimum_of_theory_where_skills_walk(walking):
    experiment = asked("world")
    (space,) = (cell.space for cell in experiment.cells if cell.space is not None)
    how = {key: getattr(experiment.tune, key) for key in ("train", "folds", "burn_in")}
    span = dict(zip(space.names, space.ranges, strict=True))
    found = rs.tune(space.system, walking, span, policy=space.policy, seed=experiment.header.seed, **how)
    (k,) = found.parameters
    low, high = k.interval
    for best in (rs.theory.best_k_walking(6), optimum(walking)):
        assert low < best < high
    assert 0.75 * k.best < low < high < 1.25 * k.best
    assert found.period == "replicate"


@pytest.mark.slow
def test_where_skills_walk_the_tuned_k_is_that_of_theory(run, walking):
    found, said = run("world"), header("world")
    h = (6 / optimum(walking)) ** 2
    best, low, high = found.k
    assert (
        f"T11 asks for K {rs.theory.best_k_walking(6):g} among equals (`rs.theory.best_k_walking(6)`) and "
        f"{optimum(walking):.1f} in this pool, where the mean p (1 - p) is {h:.3f} and not .25, and K tuned on the "
        f"first half of the games is {best:.1f}, with an interval of {low:.1f} to {high:.1f}; on the other half it "
        "loses {}, K 12 {}, and Glicko, which cannot be told from them, {}."
    ).format(*found.losses("tuned", "T11", "Glicko")).replace("0.208", ".208") in said
    assert (
        "K 10 and 20 lose {} and {}, FIDE's steps {}, 32/26 {}, 538's falling K {}, K 40 {}.".format(
            *found.losses("K k=10", "K k=20", "FIDE", "32/26", "538", "K k=40")
        )
        in said
    )
    assert (
        "cannot follow ({}), and USCF's, made for events, is too large game by game ({}).".format(
            *found.losses("harmonic", "USCF")
        )
        in said
    )
    glicko = found.worse["Glicko", "T11"]
    assert glicko["low"] < 0 < glicko["high"]
    assert ranking.table(found.folder) in (EXPERIMENTS.parent / "README.md").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.data
def test_football_asks_for_k_that_falls_but_not_to_nothing(run):
    found, said = run("football"), header("football")
    best, low, high = found.k
    behind = found.worse["538", "Glicko"]
    shares = [f"{behind[key]:.4f}"[1:] for key in ("difference", "low", "high")]
    assert (
        "538's loses {} and Glicko's own K, of games and idle time, {}, behind Glicko's {} (by {}, {} to {}) and ahead "
        f"of every constant; K {best:.1f}, tuned on the first 30 % of the games ({low:.1f} to {high:.1f}), loses {{}}."
    ).format(*found.losses("538", "Glicko's K", "Glicko"), *shares, *found.losses("tuned")) in said
    assert (
        "T11's K 40 loses {}, 32/26 {}, USCF {}, FIDE's steps {}, K 60, 20 and 10 {}, {} and {}, and harmonic K, which "
        "falls to 0, {}."
    ).format(*found.losses("T11", "32/26", "USCF", "FIDE", "K k=60", "K k=20", "K k=10", "harmonic")) in said
    assert found.order[:3] == ["Glicko", "538", "Glicko's K"]
    assert min(found.worse[pair]["low"] for pair in zip(found.order[1:4], found.order, strict=False)) > 0


@pytest.mark.slow
@pytest.mark.data
def test_american_football_asks_for_a_constant_of_about_20(run):
    found, said = run("nfl"), header("nfl")
    best, low, high = found.k
    cost = found.tuning["cost"]
    shares = [f"{-cost[key]:.4f}"[1:] for key in ("difference", "high", "low")]
    assert found.losses("FIDE") == found.losses("K k=20")
    assert (
        "FIDE's steps (20 but for a team's first 30 games) and 538's own K 20 lose {}, Glicko's K {}, and "
        f"K {best:g}, tuned on the first 30 % of the games ({low:.1f} to {high:.1f}), {{}}, which is {{}} more than "
        "K 20 in the games after ({} to {})"
    ).format(*found.losses("FIDE", "Glicko's K", "tuned"), *shares) in said
    assert (
        "538's K of tennis loses {}, 32/26 {}, K 10 {}, T11's {}, K 40 {}, Glicko {}, USCF {} and harmonic K, which "
        "falls to 0, {}."
    ).format(*found.losses("538", "32/26", "K k=10", "T11", "K k=40", "Glicko", "USCF", "harmonic")) in said
    assert cost["high"] < 0


@pytest.mark.slow
def test_what_policies_pay_for_following_is_what_theory_says(tmp_path):
    assert main(["run", str(EXPERIMENTS / "k-policies-frontier.toml"), "--out", str(tmp_path)]) == 0
    assert not (tmp_path / "tables" / "frontier-at-rest.parquet").exists()
    frame, said = pl.read_parquet(tmp_path / "tables" / "frontier-walking.parquet"), header("frontier")
    runs = {label.removeprefix("Elo, "): row for label, *row in frame.select("label", "error", "noise", "lag").rows()}
    error = {label: row[0] for label, row in runs.items()}
    constants = {6: "K k=6", 12: "K k=12", 20: "K k=20"}
    assert (
        "K 6, 12 and 20 are wrong by {:.0f}, {:.0f} and {:.0f} points, and Glicko".format(
            *(error[label] for label in constants.values())
        )
        in said
    )
    assert f"which knows the walk, by {error['Glicko']:.0f}; " in said
    assert f"a constant too large ({error['538']:.0f}), USCF's to one larger still ({error['USCF']:.0f})" in said
    assert f"until it follows nobody ({error['harmonic']:.0f})." in said
    theory = frame.filter(kind="theory")
    for k, label in constants.items():
        for found, column in zip(runs[label][1:], ("noise", "lag"), strict=True):
            assert found == pytest.approx(np.interp(k, theory["k"], theory[column]), rel=0.08)
    drawn = pl.read_csv(EXPERIMENTS.parent / "docs" / "frontier.csv")
    assert_frame_equal(drawn.cast({"label": pl.String}), frame.select(drawn.columns), rel_tol=1e-9)
