"""Elo that goes by goals and by what a game was played for: a loop of our own, laws, and what is refused."""

import numpy as np
import polars as pl
import pytest

import ratesim as rs
from ratesim.errors import InputError
from ratesim.grid import unfold
from ratesim.replaying.moves import moves
from ratesim.systems.base import SYSTEMS
from ratesim.testing import checks_for
from ratesim.testing.trial import league, stream, swapped

K, HOME = 20.0, 100.0
FACTORS = {"cup": 3.0, "friendly": 0.5, "other": 1.5}
EDGES = {"cup": 0.25, "league": 1.5}
SYSTEM = rs.Elo(margin="football", advantage=HOME, k_by_stage=FACTORS, edge_by_stage=EDGES)
CALENDARS = [rs.PerGame(), rs.Months()]

pytestmark = pytest.mark.interpreted


@pytest.fixture(scope="module")
def games() -> pl.DataFrame:
    rng = np.random.default_rng(11)
    found = league().with_columns(
        margin=pl.Series(rng.integers(0, 9, 48) * 1.0), stage=pl.Series(rng.choice(["cup", "friendly", "league"], 48))
    )
    return found.with_columns(margin=pl.col("margin").clip(1) * (2 * pl.col("score") - 1).sign())


def multiple(margin: float) -> float:
    n = abs(margin)
    return 1.0 if n < 2 else 1.5 if n < 3 else 1 + 3 / 4 + (n - 3) / 8


@pytest.mark.parametrize("calendar", CALENDARS, ids=lambda each: each.kind)
def test_it_is_a_plain_loop(games, calendar):
    run = rs.replay(SYSTEM, stream(games), policy=rs.Constant(K), calendar=calendar)
    rating, forecasts = dict.fromkeys("ABCDEFGH", 1500.0), []
    period = "time" if calendar.kind == "per-game" else pl.from_epoch("time", time_unit="d").dt.strftime("%Y-%m")
    for _, some in games.group_by(period, maintain_order=True):
        gained = dict.fromkeys(rating, 0.0)
        for row in some.iter_rows(named=True):
            edge = row["edge"] * EDGES.get(row["stage"], 1.0)
            expected = 1 / (1 + 10 ** (-(rating[row["first"]] - rating[row["second"]] + HOME * edge) / 400))
            step = K * FACTORS.get(row["stage"], 1.5) * multiple(row["margin"]) * (row["score"] - expected)
            gained[row["first"]] += step
            gained[row["second"]] -= step
            forecasts.append(expected)
        rating = {player: before + gained[player] for player, before in rating.items()}
    np.testing.assert_allclose(run.forecast, forecasts, rtol=0, atol=1e-12)
    found = dict(run.ratings().select("player", "rating").iter_rows())
    assert found == pytest.approx(rating, abs=1e-9)


@pytest.mark.parametrize("margin", ["none", "538", "football"])
def test_factors_of_one_change_nothing_to_the_last_bit(games, margin):
    plain = rs.Elo(margin=margin, advantage=HOME)
    staged = plain.model_copy(update={"k_by_stage": {"cup": 1.0}, "edge_by_stage": {"other": 1.0}})
    one, other = (rs.replay(each, stream(games), policy=rs.Constant(K)) for each in (plain, staged))
    assert one.forecast.tolist() == other.forecast.tolist()
    assert one.ratings().equals(other.ratings())


def test_a_factor_is_a_factor_of_k(games):
    by_stage = rs.replay(rs.Elo(k_by_stage={"other": 1.5}), stream(games), policy=rs.Constant(K))
    by_policy = rs.replay(rs.Elo(), stream(games), policy=rs.Constant(1.5 * K))
    np.testing.assert_allclose(by_stage.forecast, by_policy.forecast, rtol=0, atol=1e-13)


def test_a_stage_of_factor_0_teaches_nothing(games):
    ignoring = rs.replay(rs.Elo(k_by_stage={"friendly": 0.0}), stream(games), policy=rs.Constant(K))
    weighted = games.with_columns(weight=(pl.col("stage") != "friendly").cast(pl.Float64))
    without = rs.replay(rs.Elo(), stream(weighted), policy=rs.Constant(K))
    assert ignoring.forecast.tolist() == without.forecast.tolist()


def test_sides_and_sums_do_not_matter(games):
    run = rs.replay(SYSTEM, stream(games), policy=rs.Constant(K))
    other = rs.replay(SYSTEM, stream(swapped(games, pl.lit(value=True))), policy=rs.Constant(K))
    np.testing.assert_allclose(other.forecast, 1 - run.forecast, rtol=0, atol=1e-12)
    assert run.ratings()["rating"].sum() == pytest.approx(8 * 1500, abs=1e-9)


def test_lanes_keep_their_own_factors(games):
    """Systems that differ in what they make of stages share no pass; all others do."""
    pairs = [
        (SYSTEM.model_copy(update={"k_by_stage": {"cup": factor}, "advantage": home}), rs.Constant(k))
        for factor in (1.0, 2.0) for home in (0.0, 50.0) for k in (10.0, 20.0)
    ]  # fmt: skip
    together = rs.replay_many(pairs, stream(games))
    for (system, policy), run in zip(pairs, together, strict=True):
        assert run.forecast.tolist() == rs.replay(system, stream(games), policy=policy).forecast.tolist()
    swept = rs.sweep(pairs, stream(games))
    lost = [rs.log_loss(run.forecast, run.stream.score).mean() for run in together]
    assert swept.mean.tolist() == pytest.approx(lost, rel=1e-13)


def test_a_file_is_played_in_pieces_with_the_same_bits(games, tmp_path):
    whole = stream(games)
    rs.write_games(whole, tmp_path / "games.parquet")
    pieces = rs.replay(SYSTEM, rs.scan(tmp_path / "games.parquet", piece=7), policy=rs.Constant(K))
    run = rs.replay(SYSTEM, whole, policy=rs.Constant(K))
    assert pieces.ratings().equals(run.ratings())


def test_moves_are_told_with_their_factors(games):
    told = moves(rs.replay(SYSTEM, stream(games), policy=rs.Constant(K))).frame.filter(pl.col("fresh") > 0)
    np.testing.assert_allclose(told["earned"], told["after"] - told["drifted"], rtol=0, atol=1e-9)
    assert len(told) > 40


@pytest.mark.parametrize(
    "check", [c for c in checks_for(rs.Elo(margin="football", advantage=HOME)) if c.law != "one kernel"], ids=str
)
def test_law(check):
    check()


def test_a_table_is_one_parameter_and_a_list_of_them_an_axis():
    table = {"kind": "elo", "k_by_stage": [{"cup": 2.0}, {"cup": 3.0, "other": 1.0}]}
    points = unfold(SYSTEMS, table)
    assert [point.spec.k_by_stage for point in points] == table["k_by_stage"]
    assert [point.axes for point in points] == [{"k_by_stage": each} for each in table["k_by_stage"]]
    (point,) = unfold(SYSTEMS, {"kind": "elo", "k_by_stage": {"low": 1.0, "high": 2.0}})
    assert point.ranges == ()
    (ranged,) = unfold(SYSTEMS, {"kind": "elo", "k_by_stage": {"cup": {"low": 1, "high": 5}, "other": 1}})
    assert [(each.name, each.range.brief()) for each in ranged.ranges] == [("k_by_stage.cup", "1..5")]


def test_a_factor_is_tuned(games):
    spans = {"k_by_stage.cup": rs.Range(0, 4, points=5)}
    found = rs.tune(rs.Elo(k_by_stage={"cup": 1.0}), stream(games), spans, policy=rs.Constant(K), train=1.0, folds=1)
    assert found.best["k_by_stage.cup"] in {0, 1, 2, 3, 4}
    lost = dict(found.settings.select("k_by_stage.cup", "loss").iter_rows())
    assert len(set(lost.values())) == 5


@pytest.mark.parametrize(
    ("wrong", "columns", "said"),
    [
        ({"k_by_stage": {"Cup": 2}}, {}, "key k_by_stage: no game has the stage 'Cup'; did you mean 'cup'?"),
        ({"edge_by_stage": {"x": 2}}, {}, "key edge_by_stage: no game has the stage 'x'; expected "),
        ({"k_by_stage": {"cup": 2}}, {"stage": None}, "key k_by_stage: the stream has no stages; expected a column"),
        ({"edge_by_stage": {"cup": 2}}, {"edge": None}, "key edge_by_stage: nobody ever has the edge; expected a"),
        ({"margin": "football"}, {"margin": None}, "key margin: the stream has no margins; expected a column"),
    ],
)  # fmt: skip
def test_a_stream_that_lacks_what_is_looked_at_is_refused(games, wrong, columns, said):
    table = stream(games.drop(columns))
    with pytest.raises(InputError) as error:
        rs.replay(rs.Elo(**wrong), table)
    assert str(error.value).startswith(f"system elo, {said}")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"k_by_stage": {"cup": -1}}, "k_by_stage.cup = -1; expected a number at least 0"),
        ({"k_by_stage": {"cup": "2"}}, "k_by_stage.cup = '2'; expected a number"),
        ({"k_by_stage": 2}, "k_by_stage = 2; expected a table"),
        (
            {"k_by_stage": {"cup": 2}, "opponents": "average"},
            "opponents = 'average' with k_by_stage; expected opponents",
        ),
        ({"margin": "football", "opponents": "average"}, "opponents = 'average' with margin = 'football'; expected"),
    ],
)
def test_a_wrong_parameter_is_refused(wrong, said):
    with pytest.raises(InputError) as error:
        rs.Elo(**wrong)
    assert str(error.value).startswith(said)
