"""Systems that are fitted anew: what a replay asks of them, in which order, and what they cannot be asked."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

import ratesim as rs
from ratesim.cli import main
from ratesim.systems.base import Fit, Fitter, Floats, Games, Ints, Refit
from ratesim.testing import checks_for
from ratesim.testing.trial import league, stream

DEAR = {"one kernel", "truth"}  # by months tests/test_contract.py tries them


class Share(Refit):
    """A toy: everybody's share of the points so far, forecasts by the difference of shares."""

    kind: Literal["share"] = "share"

    def fitter(self, games: Games) -> "Shares":
        return Shares(games)


class Told(Fit):
    def __init__(self, share: Floats) -> None:
        self.share = share

    def predict(self, first: Ints, second: Ints, edge: Floats | None, day: Floats | float) -> Floats:
        return 0.5 + 0.5 * (self.share[first] - self.share[second])

    def columns(self, day: float) -> dict[str, Floats]:
        return {"rating": self.share}


class Shares(Fitter):
    def __init__(self, games: Games) -> None:
        self.games, self.asked = games, []

    def refit(self, upto: int, day: float) -> Told:
        self.asked.append((upto, day))
        g = self.games
        sides = np.concatenate([g.first[:upto], g.second[:upto]])
        points = np.bincount(sides, np.concatenate([g.score[:upto], 1 - g.score[:upto]]), g.players)
        return Told((points + 0.5) / (np.bincount(sides, minlength=g.players) + 1))


GAMES = rs.GameStream.of(
    first=["A", "B", "A", "C"], second=["B", "C", "C", "B"], score=[1, 1, 0.5, 0], time=[0, 1, 40, 70],
    weight=[1, 1, 2, 1],
)  # fmt: skip


def trials() -> Iterator[object]:
    for system in (rs.BradleyTerry(), rs.Whr()):
        yield from (pytest.param(c, id=str(c)) for c in checks_for(system, rs.PerGame()) if c.law not in DEAR)


@pytest.mark.parametrize("check", list(trials()))
def test_law_game_by_game(check):
    check()


def test_each_period_is_forecast_by_the_fit_to_all_before_it():
    run = rs.replay(Share(), GAMES)
    a, b, c = (1 + 0.5) / 2, (1 + 0.5) / 3, 0.5 / 2  # after January: a win each of A and B, two games of B
    assert run.forecast[:3].tolist() == [0.5, 0.5, 0.5 + 0.5 * (a - c)]
    assert run.forecast[3] == 0.5 + 0.5 * ((0.5 + 0.5) / 3 - b)
    assert run.ratings().rows() == [("A", 2 / 3, 3.0), ("B", 2.5 / 4, 3.0), ("C", 1 / 4, 4.0)]


def test_fits_are_asked_for_in_order_of_time(monkeypatch):
    made = []
    monkeypatch.setattr(Share, "fitter", lambda _, games: made.append(Shares(games)) or made[-1])
    rs.replay(Share(), GAMES)
    assert made[0].asked == [(0, 0.0), (2, 31.0), (3, 59.0), (4, 90.0)]


def test_history_knows_who_has_played_and_the_periods_that_have_closed():
    run = rs.replay(Share(), GAMES)
    assert run.history([30.0, 45.0]).rows() == [
        (45.0, "A", 0.75, 1.0), (45.0, "B", 0.5, 2.0), (45.0, "C", 0.25, 1.0),
    ]  # fmt: skip
    assert run.history([45.0, 90.0], ["A"])["rating"].to_list() == [0.75, 2 / 3]
    assert run.history([]).is_empty()
    with pytest.raises(rs.InputError, match=r"no player 'a' in the stream"):
        run.history([90.0], ["a"])


def test_hindsight_is_one_fit_for_all_and_its_label_says_so():
    run = rs.replay(Share(hindsight=True), GAMES)
    last = rs.replay(Share(), GAMES).fit()
    assert run.forecast.tolist() == last.predict(GAMES.first, GAMES.second, None, 0.0).tolist()
    assert run.system.label == "share hindsight=True"
    assert run.ratings().equals(rs.replay(Share(), GAMES).ratings())
    assert run.history([45.0])["rating"].to_list() == run.ratings()["rating"].to_list()


def test_games_to_come_are_forecast_by_the_fit_as_of_then():
    run = rs.replay(Share(), GAMES)
    assert run.predict([("A", "C")], 45.0)["forecast"].to_list() == [0.75]
    assert run.predict([("A", "C")], 365.0)["forecast"].to_list() == [0.5 + 0.5 * (2 / 3 - 1 / 4)]


def test_draws_are_told_by_models_that_have_them():
    games = stream(league())
    assert rs.replay(rs.BradleyTerry(), games).draws() is None
    run = rs.replay(rs.BradleyTerry(ties="davidson"), games)
    drawn = run.draws()
    assert drawn is not None
    assert drawn[:3] == pytest.approx(np.full(3, 1 / 3))  # before any game: a win, a draw and a loss beforehand
    assert (drawn <= 2 * np.minimum(run.forecast, 1 - run.forecast) + 1e-12).all()
    assert run.predict([("A", "B")], 400.0).columns == ["first", "second", "forecast", "win", "draw", "loss"]


@pytest.mark.parametrize("name", ["start", "by_pool"])
def test_what_a_fit_has_no_use_for_is_refused(name):
    asked = {"start": {"start": {"A": {"rating": 1600}}}, "by_pool": {"by_pool": True}}[name]
    with pytest.raises(rs.InputError, match=f"{name}.*system 'bradley-terry'.*expected none"):
        rs.replay(rs.BradleyTerry(), GAMES, **asked)


def test_games_that_wait_for_a_later_list_are_refused():
    with pytest.raises(rs.InputError, match="under 'lists' games wait for later periods"):
        rs.replay(rs.Whr(), GAMES, calendar=rs.Lists())


def test_there_is_no_state_and_no_policy(tmp_path):
    with pytest.raises(rs.InputError, match="no state of its own"):
        rs.replay(rs.Whr(), GAMES).save(tmp_path / "state")
    with pytest.raises(rs.InputError, match="learns without K"):
        rs.replay(rs.Whr(), GAMES, policy=rs.Constant(20))
    with pytest.raises(rs.InputError, match="is not fitted anew"):
        rs.replay(rs.Elo(), GAMES).fit()


def test_games_on_disk_are_refused_since_all_are_needed_at_once(tmp_path):
    rs.write_games(GAMES, tmp_path / "games.parquet")
    with pytest.raises(rs.InputError, match="has to see all games at once"):
        rs.replay(rs.Whr(), rs.scan(tmp_path / "games.parquet"))


def test_a_stream_without_a_game_that_counts_leaves_everybody_at_the_prior():
    games = rs.GameStream.of(first=["A"], second=["B"], score=[1], time=[0], weight=[0])
    for system in (rs.BradleyTerry(rating=1000), rs.Whr(rating=1000)):
        table = rs.replay(system, games).ratings()
        assert table["rating"].to_list() == [1000.0, 1000.0]
        assert table["games"].to_list() == [0.0, 0.0]


@pytest.mark.slow  # an experiment whole, its figures and its report
def test_an_experiment_keeps_their_draws_and_says_what_is_no_forecast(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    kinds = ['kind = "whr"\nhindsight = true', 'kind = "bradley-terry"\nties = "davidson"', 'kind = "even"']
    systems = "".join(f"[[system]]\n{kind}\n" for kind in kinds)
    world = "[world]\nplayers = 6\nrounds = 10\ndays = 10\n"
    Path("a.toml").write_text(f'{world}{systems}[[calendar]]\nkind = "months"\n')
    assert main(["run", "a.toml", "--json"]) == 0, capsys.readouterr().err
    summary = json.loads(capsys.readouterr().out)
    said = "in hindsight, by a fit to the very games that are judged, which is no forecast and is not ranked"
    assert f"{said}: whr hindsight=True" in summary["notes"]
    (standing,), (found,) = summary["standings"], summary["comparison"]
    (last,) = standing["in_hindsight"]
    assert last == standing["runs"][-1] == summary["runs"][0]["id"]
    honest = set(standing["runs"][:-1])
    assert {row["run"] for row in found["table"]} == honest
    assert {run for pair in [*found["pairs"], *summary["paired"]] for run in (pair["run"], pair["against"])} == honest
