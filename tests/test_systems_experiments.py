"""The experiments that hold every system beside one another on real games: what they say is what comes out."""

import json
import re
from pathlib import Path

import pytest
import ranking

from ratesim.cli import main
from ratesim.experiment import read
from ratesim.systems.base import SYSTEMS

ROOT = Path(__file__).resolve().parents[1]
EXPERIMENTS = ROOT / "experiments"
DATA = ROOT.parent / "shared" / "data"
GAMES = {
    "systems-football": DATA / "football" / "results.csv",
    "systems-nfl": DATA / "nfl" / "nfl_games.csv",
    "systems-lichess": DATA / "chess_lichess" / "chess_games.csv",
}
LEFT_OUT = {  # what has no place in an experiment, and why
    "readings": "no file of games has readings",
    "glicko2-pypi": "somebody else's glicko2",
    "fide": "its newcomers are unrated, and it is in football.toml and lichess.toml",
}
ELSEWHERE = {"uscf", "dwz", "published"}  # without an edge, or without published ratings: in chess alone

pytestmark = pytest.mark.data


def kinds(name: str) -> set[str]:
    return {cell.system.kind for cell in read(EXPERIMENTS / f"{name}.toml", GAMES[name]).cells}


@pytest.mark.parametrize("name", GAMES)
def test_every_system_is_there_or_left_out_for_a_reason(name):
    ours = {kind for kind, cls in SYSTEMS.kinds().items() if cls.__module__.startswith("ratesim.")}
    missing = ours - LEFT_OUT.keys() - kinds(name)
    assert missing == (set() if name == "systems-lichess" else ELSEWHERE)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_what_comes_out_is_what_is_said(name, tmp_path):
    assert main(["run", str(EXPERIMENTS / f"{name}.toml"), "--stream", str(GAMES[name]), "--out", str(tmp_path)]) == 0
    summary = json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))
    said = read(EXPERIMENTS / f"{name}.toml", GAMES[name]).header.answer
    losses = {f"{run['metrics']['log_loss']['mean']:.4f}"[1:] for run in summary["runs"]}
    found = re.findall(r"(?<!\d)\.\d{4}", said)
    assert len(found) > 5
    assert set(found) - losses <= {".0089", ".0074", ".0105", ".0512"}  # differences
    ranks = ranking.table(tmp_path)
    assert name != "systems-football" or ranks in (ROOT / "README.md").read_text(encoding="utf-8")
