"""What comes of games, against formulas of the literature and against what is played.

Random tests allow 5 standard errors: with the few hundred comparisons of this file, seeds not chosen, one run in 5,000
would fail by chance. Tests of distributions allow a p of 1e-6.
"""

import math

import numpy as np
import pytest
from scipy import stats

from ratesim.errors import InputError
from ratesim.rng import Luck
from ratesim.worlds import League
from ratesim.worlds.base import OUTCOMES, Meeting, Moment

LN10 = math.log(10)
S = 400 / LN10  # rating points of a natural unit
MOMENT = Moment(0, 10, 0.0, 0.0, 100.0)
SIGMAS = 5


def kind(name, **values):
    return OUTCOMES.build({"kind": name, **values})


def chances(outcomes, gaps, levels=1500.0, first=None, second=None, players=2):
    """Return expected scores and draws of games of one replicate, by gaps."""
    gap = np.atleast_2d(np.asarray(gaps, dtype=np.float64))
    level = np.broadcast_to(np.asarray(levels, dtype=np.float64), gap.shape).copy()
    sides = [np.full(gap.shape, n, np.int32) if side is None else side for n, side in enumerate((first, second))]
    luck = Luck(1, [0])
    found = outcomes.chances(Meeting(gap, level, *sides), outcomes.begin(luck, players), luck, MOMENT)
    return found.expected[0], found.draw[0]


def shares(*args, **kwargs):
    """Return shares of wins, draws and losses, and the score, a row a game."""
    expected, draw = chances(*args, **kwargs)
    return np.stack([expected - draw / 2, draw, 1 - expected - draw / 2, expected], axis=1)


def logistic(gap):
    return 1 / (1 + 10 ** (-np.asarray(gap) / 400))


GAPS = [0, 100, 200, 400]

# Printed tables: theory of draw models, W/D/L/score.
DAVIDSON = [
    (0.3333, 0.3333, 0.3333, 0.5),
    (0.4325, 0.3243, 0.2432, 0.5946),
    (0.5323, 0.2993, 0.1683, 0.6820),
    (0.7061, 0.2233, 0.0706, 0.8177),
]
RAO_KUPPER = [
    (0.3333, 0.3333, 0.3333, 0.5),
    (0.4707, 0.3099, 0.2195, 0.6256),
    (0.6126, 0.2509, 0.1365, 0.7380),
    (0.8333, 0.1190, 0.0476, 0.8929),
]


def test_davidson_as_printed():
    np.testing.assert_allclose(shares(kind("davidson", draw=1.0), GAPS), DAVIDSON, atol=5.1e-5)
    expected, _ = chances(kind("davidson", draw=2.0), GAPS)
    np.testing.assert_allclose(expected, [0.5, 0.5715, 0.6401, 0.7597], atol=5.1e-5)


def test_with_nu_2_davidsons_score_is_that_of_half_the_gap():
    gaps = np.linspace(-2000, 2000, 41)
    np.testing.assert_allclose(chances(kind("davidson", draw=2.0), gaps)[0], logistic(gaps / 2), rtol=1e-13)


def test_davidsons_wins_to_losses_are_logistic():
    gaps = np.linspace(-900, 900, 19)
    wins, _, losses, _ = shares(kind("davidson", draw=0.7), gaps).T
    np.testing.assert_allclose(wins / (wins + losses), logistic(gaps), rtol=1e-12)


@pytest.mark.parametrize(("nu", "share"), [(0.5, 0.2), (0.79, 0.2832), (1.0, 1 / 3), (2.0, 0.5)])
def test_equals_draw_as_davidson_says(nu, share):
    for name in ("davidson", "logistic", "normal", "upsets", "heavy-tails"):
        assert chances(kind(name, draw=nu), [0])[1] == pytest.approx(share, abs=5e-5)


def test_rao_kupper_as_printed():
    np.testing.assert_allclose(shares(kind("rao-kupper", theta=2.0), GAPS), RAO_KUPPER, atol=5.1e-5)
    assert chances(kind("rao-kupper", theta=1.5), [0])[1] == pytest.approx(0.2)


def test_rao_kupper_is_the_ordered_logit_and_cancels_nothing():
    gaps = np.array([-6000.0, -3000.0, -10.0, 250.0, 3000.0, 6000.0])
    win, loss = (1 / (1 + 2 * np.exp(-sign * gaps / S)) for sign in (1, -1))
    _, draw = chances(kind("rao-kupper", theta=2.0), gaps)
    np.testing.assert_allclose(draw, 3 * win * loss, rtol=1e-12)
    near = np.abs(gaps) < 1000
    np.testing.assert_allclose(draw[near], (1 - win - loss)[near], rtol=1e-12)


@pytest.mark.parametrize("draw", [0.0, 0.5, 2.0, 50.0])
def test_the_logistic_curve_is_exact_whatever_the_draws(draw):
    gaps = np.linspace(-1500, 1500, 61)
    expected, drawn = chances(kind("logistic", draw=draw), gaps)
    np.testing.assert_allclose(expected, logistic(gaps), rtol=1e-13)
    assert (drawn <= 2 * np.minimum(expected, 1 - expected) * (1 + 1e-12)).all()


def test_far_gaps_are_certain_and_never_nan():
    gaps = [-1e5, -7000, 7000, 1e5]
    for name in OUTCOMES.kinds():
        expected, draw = chances(kind(name), gaps)
        assert np.isfinite(expected).all(), name
        assert ((draw >= 0) & (draw <= 2 * np.minimum(expected, 1 - expected) + 1e-12)).all(), name
        assert (np.diff(expected) >= 0).all(), name


def test_fixed_draws_leave_the_curve_alone():
    gaps = np.linspace(-600, 600, 25)
    expected, draw = chances(kind("fixed-draws", share=0.4, half=200.0), gaps)
    np.testing.assert_allclose(expected, logistic(gaps), rtol=1e-13)
    room = 2 * np.minimum(expected, 1 - expected)
    np.testing.assert_allclose(draw, np.minimum(0.4 * 2 ** (-((gaps / 200) ** 2)), room), rtol=1e-13)
    assert (draw < room).all()


def test_more_fixed_draws_than_there_is_room_for_are_clipped_or_refused():
    expected, draw = chances(kind("fixed-draws", share=0.5), [0, 800])
    assert draw.tolist() == [0.5, pytest.approx(2 * (1 - expected[1]))]
    assert shares(kind("fixed-draws", share=0.5), [800])[0, 2] == pytest.approx(0, abs=1e-15)
    with pytest.raises(
        InputError, match="more draws than there is room for, at gaps up to 800; expected a smaller half"
    ):
        chances(kind("fixed-draws", share=0.5, beyond="refuse"), [0, 800])
    assert chances(kind("fixed-draws", share=1.0, beyond="refuse"), [0])[1] == 1


def test_fixed_draws_grow_with_the_level():
    _, draw = chances(kind("fixed-draws", share=0.2, growth=0.5), [0, 0, 0], [1100, 1500, 2300])
    np.testing.assert_allclose(draw, 0.2 * np.exp([-0.5, 0, 1]), rtol=1e-13)


def test_the_normal_curve_is_fides():
    gaps = np.linspace(-1400, 1400, 57)
    expected, _ = chances(kind("normal"), gaps)
    np.testing.assert_allclose(expected, stats.norm.cdf(gaps * 7 / 2000), rtol=1e-13)
    assert round(float(chances(kind("normal"), [200])[0][0]), 2) == 0.76  # FIDE's table 8.1.2


def test_players_differ_in_how_steady_they_are():
    outcomes, luck = kind("normal", spread=0.6), Luck(1, [0])
    sd = outcomes.begin(luck, 20_000)["sd"]
    logs = np.log(sd / (2000 / 7 / math.sqrt(2)))
    assert abs(logs.mean()) < SIGMAS * 0.6 / math.sqrt(20_000)
    assert abs(logs.std() - 0.6) < SIGMAS * 0.6 / math.sqrt(40_000)
    first, second = np.array([[3, 8]], np.int32), np.array([[5, 3]], np.int32)
    expected, _ = chances(outcomes, [150, -70], first=first, second=second, players=20_000)
    wanted = [150 / math.hypot(sd[0, 3], sd[0, 5]), -70 / math.hypot(sd[0, 8], sd[0, 3])]
    np.testing.assert_allclose(expected, stats.norm.cdf(wanted), rtol=1e-12)


def test_tails_are_those_of_student_with_2_degrees():
    gaps = np.linspace(-3000, 3000, 61)
    expected, _ = chances(kind("heavy-tails"), gaps)
    np.testing.assert_allclose(expected, stats.t(2).cdf(gaps / S / math.sqrt(2)), rtol=1e-11)
    step = 1e-3
    slope = (chances(kind("heavy-tails"), [step])[0] - 0.5) / step
    assert slope == pytest.approx((logistic(step) - 0.5) / step, rel=1e-6)
    weaker = 1 - chances(kind("heavy-tails"), [1400])[0]
    assert weaker == pytest.approx(0.0147, abs=1e-4)
    assert 1 - logistic(1400) == pytest.approx(0.0003, abs=2e-5)


def test_a_share_of_upsets_is_a_toss_up():
    gaps = np.array([-9000.0, -300, 0, 120, 9000])
    expected, _ = chances(kind("upsets", share=0.2), gaps)
    np.testing.assert_allclose(expected, 0.8 * logistic(gaps) + 0.1, rtol=1e-13)
    assert expected[[0, -1]].tolist() == pytest.approx([0.1, 0.9])


def test_blades_and_chests_beat_each_other_in_a_circle():
    n, outcomes = 60, kind("blade-chest", size=400.0)
    i, j = (each.ravel()[None, :].astype(np.int32) for each in np.meshgrid(range(n), range(n), indexing="ij"))
    expected, _ = chances(outcomes, np.zeros(n * n), first=i, second=j, players=n)
    beats = expected.reshape(n, n)
    np.testing.assert_allclose(beats + beats.T, 1, rtol=1e-13)
    won = beats > 0.5
    circles = np.einsum("ab,bc,ca->", won.astype(int), won.astype(int), won.astype(int))
    assert circles > 0
    a, b, c = np.argwhere(won[:, :, None] & won[None, :, :] & won.T[:, None, :])[0]
    assert min(beats[a, b], beats[b, c], beats[c, a]) > 0.5
    added = S * np.log(beats / (1 - beats))[np.triu_indices(n, 1)]
    assert abs(added.std() - 400) < 100  # pairs share players: far fewer than n² / 2 are independent


@pytest.mark.parametrize("traits", [1, 5])
def test_what_blades_add_has_the_size_that_is_said(traits):
    n = 40_000
    first, second = np.arange(0, n, 2, dtype=np.int32)[None, :], np.arange(1, n, 2, dtype=np.int32)[None, :]
    outcomes = kind("blade-chest", size=150.0, traits=traits)
    expected, _ = chances(outcomes, np.zeros(n // 2), first=first, second=second, players=n)
    added = S * np.log(expected / (1 - expected)) / 150
    kurtosis = stats.moment(added, 4)
    assert abs((added**2).mean() - 1) < SIGMAS * math.sqrt((kurtosis - 1) / len(added))


@pytest.mark.parametrize("name", sorted(OUTCOMES.kinds()))
def test_an_edge_is_so_many_points_more_for_first(name):
    gaps = np.linspace(-500, 500, 21)
    for edge in (35.0, -80.0):
        one, other = chances(kind(name, edge=edge), gaps), chances(kind(name), gaps + edge)
        np.testing.assert_allclose(one, other, rtol=1e-12)
    grown = chances(kind(name, edge=30.0, edge_growth=10.0), gaps, 2300.0)
    np.testing.assert_allclose(grown, chances(kind(name), gaps + 50, 2300.0), rtol=1e-12)


@pytest.mark.parametrize("name", ["logistic", "normal", "davidson", "upsets", "heavy-tails", "blade-chest"])
def test_draws_grow_with_the_level(name):
    expected, draw = chances(kind(name, draw=0.5, draw_growth=0.7), np.full(3, 90.0), [1100, 1500, 2300])
    for k, nu in enumerate(0.5 * np.exp([-0.7, 0, 1.4])):
        alone = chances(kind(name, draw=float(nu)), [90.0])
        assert (expected[k], draw[k]) == pytest.approx((alone[0][0], alone[1][0]), rel=1e-12)
    assert (np.diff(draw) > 0).all()


def davidson_shares(expected, nu):
    """Solve for Davidson's strengths by bisection, independently of the closed form."""
    low, high = np.full(expected.shape, -60.0), np.full(expected.shape, 60.0)
    for _ in range(200):
        z = (low + high) / 2
        whole = np.exp(z / 2) + nu + np.exp(-z / 2)
        under = (np.exp(z / 2) + nu / 2) / whole < expected
        low, high = np.where(under, z, low), np.where(under, high, z)
    return nu / whole


def drawn_beside(curve, nu=0.8):
    def formula(gap):
        expected = curve(gap)
        return expected, davidson_shares(expected, nu)

    return formula


def davidson(gap, nu=0.8):
    x = 10 ** (gap / 800)
    return (x + nu / 2) / (x + nu + 1 / x), nu / (x + nu + 1 / x)


def rao_kupper(gap, theta=2.0):
    win, loss = 1 / (1 + theta * 10 ** (-gap / 400)), 1 / (1 + theta * 10 ** (gap / 400))
    return (1 + win - loss) / 2, 1 - win - loss


EXPECTED = {  # kind -> parameters, formula of the gap with the edge
    "logistic": ({"draw": 0.8}, drawn_beside(logistic)),
    "normal": ({"draw": 0.8}, drawn_beside(lambda gap: stats.norm.cdf(gap * 7 / 2000))),
    "davidson": ({"draw": 0.8}, davidson),
    "rao-kupper": ({"theta": 2.0}, rao_kupper),
    "fixed-draws": ({"share": 0.3, "half": 250.0}, lambda gap: (logistic(gap), 0.3 * 2 ** (-((gap / 250) ** 2)))),
    "upsets": ({"draw": 0.8, "share": 0.2}, drawn_beside(lambda gap: 0.8 * logistic(gap) + 0.1)),
    "heavy-tails": ({"draw": 0.8}, drawn_beside(lambda gap: stats.t(2).cdf(gap / S / math.sqrt(2)))),
}


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_simulated_shares_are_those_of_the_formula(name):
    values, formula = EXPECTED[name]
    world = League(players=200, rounds=20, per_round=5000, outcomes={"kind": name, "edge": 40.0, **values})
    games = world.simulate(seed=5)
    assert (games.edge == 1).all()
    gap = games.skill_first - games.skill_second + 40
    expected, draw = formula(gap)
    np.testing.assert_allclose(games.truth, expected, rtol=1e-9)
    chance = {1.0: expected - draw / 2, 0.5: draw, 0.0: 1 - expected - draw / 2}
    for low, high in [(-9999, -400), *((low, low + 100) for low in range(-400, 400, 100)), (400, 9999)]:
        part = (gap >= low) & (gap < high)
        for score, p in chance.items():
            count, sd = (games.score[part] == score).sum(), math.sqrt((p[part] * (1 - p[part])).sum())
            assert abs(count - p[part].sum()) <= SIGMAS * sd, (low, score)


def test_edges_that_nobody_has_are_no_column():
    assert League(players=10, rounds=3).simulate(1).edge is None


@pytest.mark.parametrize("name", sorted(OUTCOMES.kinds()))
def test_a_replicate_is_the_same_alone_and_others_differ(name):
    values = {"kind": name, "edge": 20.0, **({"spread": 0.5} if name == "normal" else {})}
    world = League(players=20, rounds=6, outcomes=values, performances=True)
    many, alone = world.simulate(4, replicates=3), world.simulate(4, first=2)
    part = many.take(many.first // 20 == 2)
    for column, whole in alone.columns():
        shift = 40 if column in {"first", "second"} else 0
        np.testing.assert_array_equal(getattr(part, column), whole + shift, err_msg=column)
    other = many.take(many.first // 20 == 1)
    assert (other.truth != part.truth).all()
    assert (other.performance_first != part.performance_first).all()


def test_replicates_are_independent():
    games = League(players=50, rounds=40, per_round=500, performances=True).simulate(8, replicates=2)
    residual, shown = games.score - games.truth, games.performance_first - games.skill_first
    for number in (residual, shown):
        one, two = (number[games.first // 50 == replicate] for replicate in (0, 1))
        assert abs(stats.pearsonr(one, two).statistic) < SIGMAS / math.sqrt(len(one))


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"kind": "logistik"}, "unknown outcomes 'logistik'; did you mean 'logistic'?"),
        ({"kind": "rao-kupper", "theta": 0.5}, "theta = 0.5; expected a number at least 1"),
        ({"kind": "fixed-draws", "share": 1.2}, "share = 1.2; expected a number at least 0 and at most 1 (share)"),
        ({"kind": "fixed-draws", "beyond": "clap"}, "beyond = 'clap'; did you mean 'clip'?"),
        ({"kind": "upsets", "share": 0}, "share = 0; expected a number more than 0 and at most 1"),
        ({"kind": "davidson", "nu": 1}, "unknown key 'nu'"),
        ({"kind": "normal", "sd": 0}, "sd = 0; expected a number more than 0"),
    ],
)
def test_wrong_outcomes_are_refused_in_a_line(values, said):
    with pytest.raises(InputError) as error:
        OUTCOMES.build(values)
    assert str(error.value).startswith(said)
    assert "\n" not in str(error.value)
