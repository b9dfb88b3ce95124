"""Two runs of an experiment against each other: which two, and what is drawn of them."""

import json

import numpy as np
import polars as pl
import pytest

EXPERIMENT = """
[stream]
games = "games.csv"
[[system]]
kind = "even"
[[system]]
kind = "elo"
[[policy]]
kind = "constant"
label = "K"
k = [400, 10, 40]
[[calendar]]
kind = "per-game"
[[calendar]]
kind = "months"
[figures]
top = 2
points = 10
lookup = 0
parting = 2
scales = true
ranks = 5
"""
PAIR = 'pair = ["elo, K k=40, months", "elo, K k=10, per-game"]\n'


@pytest.fixture
def drawn(file, call, tmp_path):
    """Run an experiment on 180 games of fourteen players, of whom the one with the higher number wins mostly."""
    random = np.random.default_rng(7)
    pairs = [random.choice(14, 2, replace=False) for _ in range(180)]
    rows = [
        f"p{a:02},p{b:02},{int(random.random() < 1 / (1 + 10 ** ((b - a) / 8)))},{n // 3}"
        for n, (a, b) in enumerate(pairs)
    ]
    file("\n".join(["first,second,score,time", *rows]))

    def run(text):
        code, said, err = call("run", str(file(text, "x.toml")), "--out", str(tmp_path / "out"), "--workers", "1")
        tables = tmp_path / "out" / "tables"
        return code, said + err, {each.stem: pl.read_parquet(each) for each in tables.glob("*.parquet")}, tables

    return run


def test_the_pair_named_is_drawn_and_else_the_first_two_of_the_standing(drawn):
    code, said, tables, folder = drawn(EXPERIMENT + PAIR)
    assert code == 0, said
    assert tables["parting"]["line"].unique(maintain_order=True).to_list() == [
        "elo, K k=40, months",
        "elo, K k=10, per-game",
    ]
    assert tables["parting"]["player"].n_unique() == 2
    assert tables["ranks"].height == 5
    assert json.loads((folder / "scales.json").read_text())["meta"]["runs"][0] == "elo, K k=40, months"
    code, said, tables, _ = drawn(EXPERIMENT)
    assert code == 0, said
    standing = json.loads((folder.parent / "summary.json").read_text())["standings"][0]
    assert standing["calendar"] == "per-game"
    lines = tables["parting"]["line"].unique(maintain_order=True).to_list()
    assert len(lines) == 2
    assert all("per-game" in line for line in lines)
    assert not any("400" in line for line in lines)


def test_a_pair_is_two_runs_that_there_are(drawn):
    for pair, said in (
        ('["even, per-game"]', "pair of 1; expected two labels of runs"),
        ('["even, per-game", "elo"]', "no run 'elo'"),
        ('["even, months", "even, months"]', "pair: 'even, months' stands twice"),
    ):
        code, text, *_ = drawn(f"{EXPERIMENT}pair = {pair}\n")
        assert code == 2
        assert said in text


def test_runs_without_ratings_are_left_out_in_words(drawn):
    code, said, tables, _ = drawn(EXPERIMENT + 'pair = ["even, months", "elo, K k=10, months"]\n')
    assert code == 0, said
    assert not {"parting", "scales", "ranks"} & set(tables)
    assert "figure scales is left out: 1 run with ratings" in said
    assert "figure parting is left out: a system keeps no ratings" in said
