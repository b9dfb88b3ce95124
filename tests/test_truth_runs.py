"""Runs over worlds: errors by replicates, the oracle, and what is kept of how ratings stand to skills."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import stats

import ratesim as rs
from ratesim import plan, store
from ratesim.analysis.truth import truth_tables
from ratesim.benches import ForecastJudge, benches
from ratesim.cli import main
from ratesim.experiment import read
from ratesim.paper import on_paper
from ratesim.replaying.snapshots import snapshots
from ratesim.worlds.league import League

WORLD = """title = "a small world"
seed = 3
[world]
players = 12
rounds = 40
days = 200
replicates = 5
outcomes = { kind = "logistic", draw = 0.3 }
[[system]]
kind = "elo"
[[system]]
kind = "even"
[[calendar]]
kind = "months"
"""
GAMES = """first,second,score,time,season
A,B,1,2019-12-30,2019
B,A,0.5,2020-01-01,2019
A,B,0,2020-01-12,2019
A,B,0,2020-09-14,2020
B,A,1,2020-09-21,2020
A,B,1,2021-01-02,2020
"""
OF_FILE = '[stream]\ngames = "games.csv"\n[[system]]\nkind = "even"\n[score]\nblock = "{}"\n'
SEED, REPLICATES = 3, 5
AT_MOST = "expected at most 20,000,000 in all; `ratesim.monte_carlo` keeps none of them"


def run(folder: Path, text: str = WORLD, *words: str) -> dict:
    (folder / "world.toml").write_text(text, encoding="utf-8")
    assert main(["run", str(folder / "world.toml"), "--out", str(folder / "out"), "--yes", *words]) == 0
    return json.loads((folder / "out" / "summary.json").read_text())


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """The folder of a run over five replicates, its summary and its games."""
    folder = tmp_path_factory.mktemp("world")
    summary = run(folder)
    world = League(**summary["streams"][0]["world"])
    return folder / "out", summary, world.simulate(SEED, REPLICATES)


def losses(folder: Path, summary: dict, games: rs.GameStream) -> dict[str, np.ndarray]:
    """Log loss of each game by system, and of forecasts by the truth."""
    forecasts = {run["system"]["kind"]: f"{run['id']}.parquet" for run in summary["runs"]}
    told = {kind: pl.read_parquet(folder / "forecasts" / name)["forecast"] for kind, name in forecasts.items()}
    return {kind: rs.log_loss(each, games.score) for kind, each in {**told, "oracle": games.truth}.items()}


def by_replicate(loss: np.ndarray, games: rs.GameStream) -> np.ndarray:
    """Means of a loss, a replicate each; all have as many games."""
    return np.array([loss[games.replicate == r].mean() for r in range(REPLICATES)])


def test_one_stream_holds_all_replicates(done):
    _, summary, games = done
    (stream,) = summary["streams"]
    assert (stream["digest"], stream["replicates"]) == (games.digest, REPLICATES)
    assert (stream["games"], stream["players"]) == (40 * 6 * REPLICATES, 12 * REPLICATES)


def test_errors_are_those_of_means_over_replicates(done):
    folder, summary, games = done
    elo = next(run for run in summary["runs"] if run["system"]["kind"] == "elo")
    means = by_replicate(losses(folder, summary, games)["elo"], games)
    found = elo["metrics"]["log_loss"]
    assert (found["mean"], found["se"]) == (pytest.approx(means.mean()), pytest.approx(stats.sem(means)))
    assert (found["blocks"], elo["rests_on"]["block"]) == (REPLICATES, "replicate")
    assert "errors are made from blocks of one replicate" in summary["notes"][0]


def test_paired_differences_have_students_interval_over_replicates(done):
    folder, summary, games = done
    of = losses(folder, summary, games)
    (pair,) = summary["paired"]
    kinds = {run["id"]: run["system"]["kind"] for run in summary["runs"]}
    difference = by_replicate(of[kinds[pair["run"]]] - of[kinds[pair["against"]]], games)
    expected = stats.ttest_1samp(difference, 0).confidence_interval(0.95)
    assert (pair["low"], pair["high"]) == (pytest.approx(expected.low), pytest.approx(expected.high))


def test_the_oracle_and_what_each_system_loses_beyond_it(done):
    folder, summary, games = done
    of = losses(folder, summary, games)
    oracle = summary["streams"][0]["oracle"]
    assert oracle["log_loss"]["mean"] == pytest.approx(of["oracle"].mean())
    assert oracle.keys() == {"log_loss", "brier", "accuracy"}
    for each in summary["runs"]:
        excess = by_replicate(of[each["system"]["kind"]] - of["oracle"], games)
        expected = stats.ttest_1samp(excess, 0).confidence_interval(0.95)
        found = each["excess"]["log_loss"]
        assert found["difference"] == pytest.approx(excess.mean())
        assert (found["low"], found["high"]) == (pytest.approx(expected.low), pytest.approx(expected.high))
        assert found["low"] > 0  # nobody knows what the oracle knows


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    "text",
    [WORLD.replace("replicates = 5\n", ""), f'{WORLD}[score]\nblock = "month"\n'],
    ids=["one world", "asked for"],
)
def test_errors_go_by_months_with_one_replicate_or_where_asked(tmp_path, text):
    for each in run(tmp_path, text)["runs"]:
        assert (each["rests_on"]["block"], each["metrics"]["log_loss"]["blocks"]) == ("month", 7)


@pytest.mark.usefixtures("undrawn")
def test_only_worlds_have_replicates_and_an_oracle(tmp_path):
    (tmp_path / "games.csv").write_text("first,second,score,time\nA,B,1,2020-01-01\nB,A,0.5,2020-02-03\n")
    table = '[stream]\ngames = "games.csv"\n[[system]]\nkind = "even"\n'
    summary = run(tmp_path, table)
    assert (summary["stream"]["replicates"], summary["stream"]["oracle"]) == (0, {})
    assert (summary["runs"][0]["excess"], summary["runs"][0]["rests_on"]["block"]) == ({}, "month")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            ("rounds = 40", "rounds = 1_000_000"),
            f"world.toml, world: 5 x 6,000,000 games; {AT_MOST}",
        ),
        (
            ("[[calendar]]", '[score]\nblock = "decade"\n[[calendar]]'),
            "world.toml, score: block = 'decade'; expected one of week, month, year, season, replicate",
        ),
    ],
)
def test_what_cannot_be_run_is_refused_in_one_line(tmp_path, capsys, change, said):
    (tmp_path / "world.toml").write_text(WORLD.replace(*change), encoding="utf-8")
    assert main(["run", str(tmp_path / "world.toml"), "--out", str(tmp_path / "out")]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == said
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("block", "wanted"), [("replicate", "a world"), ("season", "a column season")])
def test_blocks_that_a_file_has_not_are_refused(tmp_path, capsys, block, wanted):
    (tmp_path / "games.csv").write_text(GAMES.replace("season", "other"), encoding="utf-8")
    (tmp_path / "world.toml").write_text(OF_FILE.format(block), encoding="utf-8")
    assert main(["run", str(tmp_path / "world.toml"), "--out", str(tmp_path / "out")]) == 2
    said = f"block = '{block}' of stream games, which has no {block}s; expected {wanted}, or block = 'month'"
    assert capsys.readouterr().err.splitlines()[-1] == f"world.toml, score: {said}"


@pytest.mark.parametrize(("block", "count"), [("week", 5), ("month", 4), ("year", 3), ("season", 2)])
def test_errors_are_of_the_blocks_asked_for(tmp_path, block, count):
    (tmp_path / "games.csv").write_text(GAMES, encoding="utf-8")
    (tmp_path / "world.toml").write_text(OF_FILE.format(block), encoding="utf-8")
    experiment = read(tmp_path / "world.toml")
    judge = benches(plan.load(experiment), experiment)["games"]
    assert isinstance(judge, ForecastJudge)
    assert (judge.block, judge.blocks.interval) == (block, "bootstrap")
    assert len(np.unique(judge.blocks.of)) == count


def contents(folder: Path) -> dict[str, bytes]:
    paths = [path for path in folder.rglob("*") if path.is_file() and path.name != "timings.json"]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def elo_of(summary: dict) -> dict:
    return next(each for each in summary["runs"] if each["system"]["kind"] == "elo")


def told(folder: Path, summary: dict) -> dict:
    """What is kept of the run by Elo: the key and the names of tables."""
    return json.loads((folder / "provenance" / f"{elo_of(summary)['id']}.json").read_text())["truth"]


def test_tables_about_the_truth_are_kept_a_row_a_replicate(done):
    folder, summary, games = done
    tables = truth_tables(snapshots(rs.replay(rs.Elo(), games, calendar=rs.Months())))
    kept = told(folder, summary)
    assert kept["tables"] == [*tables] != []
    for name, table in tables.items():
        path = folder / "truth" / f"{elo_of(summary)['id']}-{kept['key']}" / f"{name}.parquet"
        assert pl.read_parquet(path).equals(table), name
    assert tables["errors"]["replicate"].unique().to_list() == [0, 1, 2, 3, 4]


def test_the_summary_has_their_end_with_intervals(done):
    folder, summary, _ = done
    last = pl.read_parquet(next((folder / "truth").glob(f"{elo_of(summary)['id']}-*/errors.parquet")))
    last = last.filter(pl.col("day") == last["day"].max())
    (found,) = elo_of(summary)["truth"]["errors"]
    for name, power in (("slope", 1), ("shifted", 2)):  # errors are root mean squares over replicates too
        ends = stats.ttest_1samp(last[name] ** power, 0).confidence_interval(0.95)
        expected = [(last[name] ** power).mean(), ends.low, ends.high]
        assert [found[f"{name}{end}"] ** power for end in ("", "_low", "_high")] == pytest.approx(expected)
    assert (found["day"], found["replicates"]) == (200.0, REPLICATES)
    even = next(each for each in summary["runs"] if each["system"]["kind"] == "even")
    assert even["truth"] == {}  # it has no ratings


def test_the_report_shows_the_oracle_and_the_end(done):
    folder, summary, _ = done
    page = (folder / "report.html").read_text(encoding="utf-8")
    (end,) = elo_of(summary)["truth"]["errors"]
    for text in (
        '<th scope="row">oracle</th>',
        f"{summary['streams'][0]['oracle']['log_loss']['mean']:.4f}",
        f"{elo_of(summary)['excess']['log_loss']['difference']:.4f}",
        f'{end["shifted"]:.1f} <small class="under">{end["shifted_low"]:.1f} to {end["shifted_high"]:.1f}</small>',
        "league, rating periods: months, day 200, 5 replicates",
        "simulated (league, 5 replicates)",
        "an interval from Student&#39;s t of the same replicates",
    ):
        assert text in page, text


@pytest.mark.usefixtures("undrawn")
def test_what_was_lost_of_the_truth_is_made_again(tmp_path):
    run(tmp_path)
    before = contents(tmp_path / "out")
    next((tmp_path / "out" / "truth").glob("*/games.parquet")).unlink()
    run(tmp_path)
    assert contents(tmp_path / "out") == before


@pytest.mark.usefixtures("undrawn")
def test_an_interrupted_run_goes_on_with_the_same_bytes(tmp_path, monkeypatch):
    whole = tmp_path / "whole"
    whole.mkdir()
    run(whole)
    keep = store.Store.keep

    def killed(self, name, **made):
        """Die with half of the tables written and no record."""
        if made["truth"][1]:
            key, tables = made["truth"]
            made["truth"] = key, dict(list(tables.items())[:3])
            keep(self, name, **made)
            (self.folder / "provenance" / f"{name}.json").unlink()
            raise RuntimeError("killed")
        keep(self, name, **made)

    monkeypatch.setattr(store.Store, "keep", killed)
    (tmp_path / "world.toml").write_text(WORLD, encoding="utf-8")
    words = ["run", str(tmp_path / "world.toml"), "--out", str(tmp_path / "out"), "--yes"]
    assert main(words) == 1
    assert not (tmp_path / "out" / "summary.json").exists()
    monkeypatch.setattr(store.Store, "keep", keep)
    assert main(words) == 0
    assert contents(tmp_path / "out") == contents(whole / "out")


@pytest.mark.usefixtures("undrawn")
@pytest.mark.slow
def test_tables_of_other_sources_are_made_anew_beside_the_old_ones(tmp_path, monkeypatch):
    first = run(tmp_path)
    before = contents(tmp_path / "out")
    with monkeypatch.context() as edited:
        edited.setattr(plan, "sources_of", "{}, edited".format)
        again = run(tmp_path)
    assert [each["id"] for each in again["runs"]] == [each["id"] for each in first["runs"]]
    after = contents(tmp_path / "out")
    old = {name for name in before if name.startswith("truth/")}
    new = {name for name in after if name.startswith("truth/")} - old
    assert len(new) == len(old) > 0
    assert all(after[name] == before[name] for name in old)
    run(tmp_path)
    assert {name: text for name, text in contents(tmp_path / "out").items() if name in before} == before


def test_a_run_over_skills_read_at_other_times_is_another(tmp_path):
    (tmp_path / "world.toml").write_text(WORLD, encoding="utf-8")
    (loaded,) = plan.load(read(tmp_path / "world.toml"))
    fewer = loaded.stream.paths._replace(days=loaded.stream.paths.days[:9], skill=loaded.stream.paths.skill[:9])
    other = replace(loaded, stream=replace(loaded.stream, paths=fewer))
    assert other.made_of == loaded.made_of
    assert None not in {other.truth, loaded.truth}
    assert other.truth != loaded.truth


@pytest.mark.parametrize("how", ["threads", pytest.param("processes", marks=pytest.mark.slow)])
def test_workers_change_no_byte(tmp_path, done, how):
    run(tmp_path, WORLD, "--workers", "2", "--executor", how)
    assert contents(tmp_path / "out") == contents(done[0])


def test_newcomers_and_those_drawn_of_a_replicate_depend_on_no_other(tmp_path):
    starts = []
    for replicates in (2, 5):
        text = WORLD.replace("replicates = 5", f'replicates = {replicates}\nstart = "skills"\nnewcomers = 0.25')
        (tmp_path / "world.toml").write_text(text, encoding="utf-8")
        (loaded,) = plan.load(read(tmp_path / "world.toml"))
        starts.append(loaded.start)
        assert all(player.endswith("#0") for player in loaded.drawn.players)
    assert len(starts[1]) == 9 * 5
    assert starts[1][:18].equals(starts[0])


SINGLY = WORLD.replace('kind = "months"', 'kind = "per-game"')


def planned(folder: Path, text: str) -> list[plan.Planned]:
    (folder / "world.toml").write_text(text, encoding="utf-8")
    experiment = read(folder / "world.toml")
    return plan.plan(experiment, plan.load(experiment))


def test_theory_is_told_of_what_it_covers(tmp_path):
    """One K, a list after each game, skills that stand still, pairs at random: see T6 and T9."""
    runs = planned(tmp_path, SINGLY.replace('kind = "elo"', 'kind = "elo"\n[[policy]]\nkind = ["constant", "fide"]'))
    (label,), (curve,) = zip(*on_paper(runs).items(), strict=True)
    assert label == "elo, constant"
    assert curve["rmse"][0] == pytest.approx(runs[0].of.stream.players["skill"].std(), rel=0.1)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("per-game", "months"),
        ('kind = "elo"', 'kind = "elo"\nscale = 300'),
        ("rounds = 40", 'rounds = 40\nchanges = [{ kind = "walk" }]'),
        ("draw = 0.3", "edge = 30"),
        ('kind = "elo"', 'kind = "elo"\n[[policy]]\nkind = "constant"\nk = 60'),
        ("replicates = 5", 'replicates = 5\nstart = "skills"'),
    ],
)
def test_theory_is_silent_on_what_it_does_not_cover(tmp_path, old, new):
    assert on_paper(planned(tmp_path, SINGLY.replace(old, new))) == {}


def test_figures_hold_ratings_against_the_truth(done):
    folder, summary, _ = done
    names = {each["name"] for each in summary["figures"]}
    assert names >= {"calibration", "history", "convergence", "errors", "settling", "spread", "percentiles", "ledger"}
    errors = pl.read_parquet(folder / "tables" / "errors.parquet").filter(panel="error after the best shift, RMS")
    (end,) = elo_of(summary)["truth"]["errors"]
    assert errors["line"].unique().to_list() == ["elo"]
    assert errors["y"][-1] == pytest.approx(end["shifted"])
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert all(f'<figure id="{name}">' in page for name in names)


@pytest.mark.usefixtures("undrawn")
def test_figures_and_tables_of_one_world_say_its_axis_once_and_which_runs_they_show(tmp_path, capsys):
    text = WORLD.replace("draw = 0.3", "draw = [0, 0.3]").replace('"elo"\n', '"elo"\nadvantage = [0, 65]\n')
    summary = run(tmp_path, text)
    runs, name = {each["label"] for each in summary["runs"]}, "league outcomes.draw=0.3"
    assert f"elo advantage=65, {name}" in runs, "across worlds a label is one run's"
    said = json.loads((tmp_path / "out" / "tables" / "errors-league-outcomes.draw-0.3.json").read_text())
    assert said["meta"]["lines"] == ["elo advantage=0"]
    assert said["caption"].startswith(f"{name}: ")
    assert said["caption"].count(name) == 1
    shown = "Of 3 runs, the first of each kind of system; `runs` of [figures] chooses others."
    assert said["caption"].endswith(shown)
    assert (tmp_path / "out" / "report.html").read_text().count(f"{name}: {name}") == 0
    printed = capsys.readouterr().out
    assert printed.count(name) == 1, "over its table"
    assert "elo advantage=65  " in printed
    named = run(tmp_path, f'{WORLD}[figures]\nruns = ["elo"]\n')
    assert len(named["streams"]) == 1
    caption = json.loads((tmp_path / "out" / "tables" / "errors.json").read_text())["caption"]
    assert "of [figures]" not in caption
    assert caption.startswith("How far")
