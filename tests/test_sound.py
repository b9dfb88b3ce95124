"""What is no K, and beliefs that are no finite numbers: refused in one line, with whose kernel it was, and of whom."""

import math
from typing import ClassVar, Literal

import numpy as np
import pytest

import ratesim as rs
from ratesim.jit import kernel
from ratesim.policies import Policy
from ratesim.systems.elo_evidence import LOGISTIC
from ratesim.systems.elo_kernels import Belief, absorb

pytestmark = pytest.mark.interpreted
A_K = "a finite number from 0 to 10,000"
PLAYERS = ["A", "B", "C"]
GAMES = rs.GameStream.of(
    first=["A", "A", "B", "A", "C"], second=["B", "C", "C", "B", "A"], score=[1, 1, 0, 0.5, 1], time=[0, 1, 2, 40, 41]
)


@kernel
def falling(q, rating, career):
    """K of the third game is q.third, of others 20."""
    return q.third if career.games == 2 else 20.0


class Falling(Policy):
    gain: ClassVar = falling
    kind: Literal["falling"] = "falling"
    third: float = -1.0


@kernel
def divided(q, rating, career):
    return math.inf if career.games == 2 else 20.0


class Divided(Policy):
    gain: ClassVar = divided
    kind: Literal["divided"] = "divided"


@kernel
def given(q, rating, career):
    return q.k


class Given(rs.Constant):
    """Inherits what is said of the bounds of K, but not its kernel."""

    gain: ClassVar = given
    kind: Literal["given"] = "given"
    k: float = 20.0


def refused(policy, system=None, calendar=None, start=None):
    with pytest.raises(rs.InputError) as error:
        rs.replay(system or rs.Elo(), GAMES, policy=policy, calendar=calendar, start=start).ratings()
    return str(error.value)


def test_a_negative_k_is_refused_with_the_game_and_the_player():
    said = f"policy 'falling', game 4 (A - B): K = -1 of A (rating 1519.71, games 2); expected {A_K}"
    assert refused(Falling()) == said
    assert refused(Given(-3.0)).startswith("policy 'given k=-3', game 1 (A - B): K = -3 of A (rating 1500); expected")


def test_of_periods_the_period_is_named():
    """January is played with K of newcomers; February closes after the last game, when ratings are asked for."""
    said = refused(Falling(), calendar=rs.Months())
    assert said.startswith("policy 'falling', the period of 1970-02-01: K = -1 of A (rating 1520, games 2); expected")


def test_k_that_is_infinite_or_no_number_is_refused_also_under_a_floor_and_by_fide():
    assert "game 4 (A - B): K = inf of A" in refused(Divided())
    assert "K = inf of A" in refused(Divided(), system=rs.Elo(floor=1400.0))
    start = {name: {"rating": 1500, "games": 2, "peak": 1500, "born": 1940} for name in PLAYERS}
    assert "K = inf of A (rating 1500, games 2)" in refused(Divided(), rs.FideElo(floor="by-rules"), start=start)
    assert "K = -2 of A" in refused(rs.Product(of=(Falling(third=-0.1), 20.0)))


def test_k_has_one_upper_bound_whoever_says_it():
    assert "K = 10001 of A (rating 1519.71, games 2); expected a finite number from 0" in refused(
        Falling(third=10_001.0)
    )
    assert "K = 20000 of A (rating 1500)" in refused(rs.Product(of=(200.0, 100.0)))
    assert np.isfinite(rs.replay(rs.Elo(), GAMES, policy=Falling(third=10_000.0)).forecast).all()


def test_a_k_of_glicko_is_looked_at_where_its_bounds_do_not_do():
    assert rs.GlickoEffective().kernels().sound
    assert not rs.GlickoEffective(deviation=10_000.0, foe=10_000.0).kernels().sound


def test_bounds_make_a_k_of_what_is_none():
    run = rs.replay(rs.Elo(), GAMES, policy=rs.Bounded(policy=Falling(third=-5.0), least=0.0))
    assert np.isfinite(run.forecast).all()


def test_a_systems_kernel_is_named_where_k_is_one(monkeypatch):
    def broken(p, me, total, gain, clock):
        return Belief(math.inf if me.rating > 1515.0 else absorb(p, me, total, gain, clock).rating)

    monkeypatch.setattr(rs.Elo, "kernels", lambda _: LOGISTIC._replace(absorb=broken))
    said = refused(rs.Constant(20.0))
    assert said == (
        "system 'elo', game 4 (A - B): no finite number is believed of A any more; expected finite numbers from all "
        "kernels"
    )


def test_so_it_is_beside_others():
    policies = [rs.Constant(20.0), Given(-3.0)]
    with pytest.raises(rs.InputError, match=r"policy 'given k=-3', game 1 \(A - B\): K = -3 of A"):
        rs.replay_many([(rs.Elo(), policy) for policy in policies], GAMES)


STARTS = {"A": {"rating": 1500, "games": 40}, "B": {"rating": 1600}, "C": {"games": 3}}
GOES_BY = {
    rs.Harmonic(): "games: 1 of 2 rated players, of whom the start table has no games, count as newcomers",
    rs.Bounded(policy=rs.Uscf(), least=16.0): "games: 1 of 2 rated players, of whom the start table has no games, "
    "count as newcomers",
    rs.Steps(by="age", k=(40.0, 20.0), at=(18.0,)): "age: 2 of 2 rated players, of whom the start table has no born, "
    "count as players of unknown age",
    rs.Steps(by="idle", k=(20.0, 40.0), at=("1y",)): "idle time: 2 of 2 rated players, of whom the start table has no "
    "last and no inactive, count as players who have just played",
    rs.Steps(by="rating", k=(32.0, 26.0), at=(2300.0,)): "",
    rs.Constant(20.0): "",
}


@pytest.mark.parametrize("policy", GOES_BY, ids=lambda policy: policy.label)
def test_what_k_goes_by_and_no_start_says_is_told(policy, caplog):
    caplog.set_level("INFO", "ratesim")
    rs.replay(rs.Elo(), GAMES, policy=policy, start=STARTS)
    told = [record.getMessage() for record in caplog.records if "goes by" in record.getMessage()]
    assert told == ([f"start: K of '{policy.kind}' goes by {GOES_BY[policy]}"] if GOES_BY[policy] else [])
