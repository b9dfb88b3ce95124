"""Measures of ratings beside the truth: against plain walks over a few players, and against laws."""

import math
from collections import defaultdict

import numpy as np
import polars as pl
import pytest
from scipy import stats

import ratesim as rs
from ratesim.analysis.replicates import over_replicates
from ratesim.analysis.truth import KEYS, averaged, losses_by_replicate, truth_tables
from ratesim.analysis.truth.tables import RANGES
from ratesim.replaying.snapshots import Snapshot, snapshots

R, N, T = 3, 40, 25


def hand_made(seed: int = 1, replicates=range(R)) -> list[Snapshot]:
    """Ratings that wander about skills that wander, players who come and go, and some who never play."""
    made = []
    for r in replicates:
        random = np.random.default_rng([seed, r])
        skill = random.normal(1500, 200, N) + random.normal(0, 30, (T, N)).cumsum(axis=0)
        skill[10:, :3] += 150.0
        played = random.poisson(2.0, (T, N)).astype(float)
        played[0] = played[:, -2] = played[:6, 3] = played[15:, 4] = 0.0
        games = played.cumsum(axis=0)
        rating = np.where(games > 0, 1500 + (skill - 1500) * 0.7 + random.normal(0, 60, (T, N)), 1500.0)
        skill[:6, 3], skill[15:, 4], rating[15:, 4] = np.nan, np.nan, rating[14, 4]
        made.append((rating, skill, games, random.uniform(40, 350, (T, N))))
    rating, skill, games, deviation = (np.stack(each, axis=1) for each in zip(*made, strict=True))
    number = np.array(replicates, dtype=np.int32)
    return [Snapshot(10.0 * t, number, rating[t], deviation[t], games[t], skill[t]) for t in range(T)]


def still(skill, ratings, games, deviation=None) -> list[Snapshot]:
    """One replicate whose skills stand still: skill (N,), ratings and games (T, N)."""
    skill, ratings, games = (np.asarray(each, dtype=np.float64) for each in (skill, ratings, games))
    said = None if deviation is None else np.broadcast_to(deviation, (1, len(skill)))
    number = np.array([0], dtype=np.int32)
    return [
        Snapshot(float(t), number, rating[None], said, played[None], skill[None])
        for t, (rating, played) in enumerate(zip(ratings, games, strict=True))
    ]


def readings(seed: int = 1):
    """What a plain walk sees: replicate, day, (player, rating, skill, games, deviation, shifted) of those listed."""
    for each in hand_made(seed):
        for r in range(R):
            rows = [
                (i, each.rating[r, i], each.skill[r, i], each.games[r, i], each.deviation[r, i])
                for i in range(N)
                if each.games[r, i] > 0 and not math.isnan(each.skill[r, i])
            ]
            if rows:
                shift = sum(row[1] - row[2] for row in rows) / len(rows)
                yield r, each.day, [(*row, row[1] - row[2] - shift) for row in rows]


def matches(row: dict, expected: dict) -> bool:
    return all(row[name] == pytest.approx(value, rel=1e-9, abs=1e-9) for name, value in expected.items())


def test_errors_are_those_of_a_plain_walk():
    table = truth_tables(hand_made())["errors"]
    assert len(table) == R * T
    seen = 0
    for r, day, rows in readings():
        player, rating, skill, games, deviation, shifted = map(np.array, zip(*rows, strict=True))
        z = shifted / deviation
        (row,) = table.filter(replicate=r, day=day).rows(named=True)
        line = stats.linregress(skill, rating)
        assert matches(row, {
            "players": len(player), "games": np.mean(games), "bias": np.mean(rating - skill),
            "rmse": math.sqrt(np.mean((rating - skill) ** 2)), "shifted": np.std(rating - skill),
            "slope": line.slope, "correlation": line.rvalue, "spearman": stats.spearmanr(rating, skill).statistic,
            "claimed": math.sqrt(np.mean(deviation**2)), "coverage": np.mean(np.abs(z) < stats.norm.ppf(0.975)),
            "z_mean": np.mean(z), "z_sd": np.std(z),
        })  # fmt: skip
        seen += 1
    assert seen == R * (T - 1), "nobody has played at the first reading"
    first = table.filter(day=0.0)
    assert first["players"].to_list() == [0] * R
    assert first["rmse"].is_null().all()


def test_each_player_enters_a_group_of_games_once():
    groups, entered = defaultdict(list), {}
    ends = [1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91]
    for r, _, rows in readings():
        for player, rating, skill, games, deviation, shifted in rows:
            begin = max(end for end in ends if end <= games)
            if entered.get((r, player)) != begin:
                entered[r, player] = begin
                groups[r, begin].append((games, rating, skill, deviation, shifted))
    table = truth_tables(hand_made())["games"]
    assert len(table) == len(groups) > 25
    for (r, begin), rows in groups.items():
        games, rating, skill, deviation, shifted = map(np.array, zip(*rows, strict=True))
        (row,) = table.filter(pl.col("from") == begin, replicate=r).rows(named=True)
        assert matches(row, {
            "players": len(rows), "games": np.mean(games), "bias": np.mean(rating - skill),
            "rmse": math.sqrt(np.mean((rating - skill) ** 2)), "shifted": math.sqrt(np.mean(shifted**2)),
            "claimed": math.sqrt(np.mean(deviation**2)), "coverage": np.mean(np.abs(shifted / deviation) < 1.959964),
            "z_rms": math.sqrt(np.mean((shifted / deviation) ** 2)),
        })  # fmt: skip
        if len(rows) > 2:
            square = np.std(shifted**2, ddof=1) / math.sqrt(len(rows))
            line = stats.linregress(skill, rating)
            assert row["shifted_se"] == pytest.approx(square / (2 * row["shifted"]))
            assert row["slope"] == pytest.approx(line.slope)
            assert row["correlation"] == pytest.approx(line.rvalue)


def test_lag_is_how_far_behind_those_are_who_change():
    table = truth_tables(hand_made())["lag"]
    before, seen = {}, 0
    for each in hand_made():
        for r in range(R):
            for who, sign in (("rising", 1), ("falling", -1)):
                some = [
                    sign * (each.skill[r, i] - each.rating[r, i])
                    for i in range(N)
                    if each.games[r, i] > 0 and sign * (each.skill[r, i] - before.get((r, i), math.nan)) > 0
                ]
                rows = table.filter(replicate=r, day=each.day, who=who).rows(named=True)
                assert len(rows) == bool(some)
                if some:
                    assert matches(rows[0], {"players": len(some), "lag": sum(some) / len(some)})
                    seen += 1
            before |= {(r, i): each.skill[r, i] for i in range(N)}
    assert seen > R * T


def test_a_jump_is_seen_with_its_size_and_what_is_left_of_it_by_games():
    skill = np.full((8, 6), 1500.0)
    skill[3:, 0] += 200.0
    games = np.arange(8.0)[:, None] * np.ones(6) * 2
    rating = np.full((8, 6), 1500.0)
    rating[3:, 0] = [1500, 1550, 1600, 1650, 1700]
    rows = [
        Snapshot(float(t), np.array([0], np.int32), rating[t][None], None, games[t][None], skill[t][None])
        for t in range(8)
    ]
    table = truth_tables(rows)["jumps"]
    shift = np.array([1, 0.75, 0.5, 0.25, 0]) * -200 / 6  # of all six players
    behind = np.array([200.0, 150, 100, 50, 0]) + shift
    assert table["from"].to_list() == [2, 4, 6, 8], "ten games since are in the group of eight"
    assert table["games"].to_list() == [2, 4, 6, 8]
    assert table["jump"].to_list() == [200] * 4
    assert table["lag"].to_list() == pytest.approx(behind[:4].tolist())
    assert table["left"].to_list() == pytest.approx((behind[:4] / 200).tolist())


def test_a_list_that_is_the_truth_times_point_eight_has_slope_point_eight_and_perfect_ranks():
    skill = np.random.default_rng(2).normal(1500, 200, 500)
    tables = truth_tables(still(skill, [1500 + 0.8 * (skill - 1500)], np.ones((1, 500))))
    assert tables["errors"]["slope"][0] == pytest.approx(0.8)
    assert tables["games"]["slope"][0] == pytest.approx(0.8)
    assert tables["ranks"].row(0) == pytest.approx((0, 500, 1, 1, 1))
    bands = tables["percentiles"]
    assert bands["percentile"].to_list() == [2.5 + 5 * k for k in range(20)]
    assert bands["players"].to_list() == [25] * 20
    assert bands["rated"].to_numpy() == pytest.approx(bands["percentile"].to_numpy())
    assert bands["astray"].to_list() == pytest.approx([0] * 20)
    slope = np.polyfit(bands["skill"], bands["rating"], 1)[0]
    assert slope == pytest.approx(0.8)


def test_z_of_known_deviation_has_sd_one_and_covers_what_it_claims():
    random = np.random.default_rng(3)
    deviation = random.uniform(30, 200, 20_000)
    skill = random.normal(1500, 200, 20_000)
    tables = truth_tables(
        still(skill, [skill + deviation * random.normal(size=20_000)], np.ones((1, 20_000)), deviation)
    )
    (row,) = tables["errors"].rows(named=True)
    assert row["z_sd"] == pytest.approx(1, abs=4 / math.sqrt(2 * 20_000))
    assert row["z_mean"] == pytest.approx(0, abs=4 / math.sqrt(20_000))
    assert row["claimed"] == pytest.approx(math.sqrt(np.mean(deviation**2)))
    for level, covered, unsure in tables["coverage"].select("level", "covered", "unsure").rows():
        assert covered == pytest.approx(level, abs=4 * math.sqrt(level * (1 - level) / 20_000))
        assert unsure == pytest.approx(stats.norm.ppf((1 + level) / 2) * deviation.mean())
    assert row["coverage"] == tables["coverage"].filter(level=0.95)["covered"][0]


def test_systems_that_claim_no_deviation_have_none_to_cover():
    tables = truth_tables(still([1500.0, 1600], [[1500.0, 1500]], [[1.0, 1]]))
    assert tables["coverage"].is_empty()
    assert tables["errors"].select("claimed", "coverage", "z_sd").null_count().row(0) == (1, 1, 1)
    assert tables["games"].select("claimed", "coverage", "z_rms").null_count().row(0) == (1, 1, 1)


def test_one_who_is_alone_has_no_error_to_cover():
    tables = truth_tables(still([1500.0, 1600], [[1700.0, 1500]], [[1.0, 0]], [50.0, 50]))
    assert tables["errors"].select("players", "bias", "rmse").row(0) == (1, 200, 200)
    assert tables["errors"].select("shifted", "coverage", "z_mean", "z_sd").null_count().row(0) == (1, 1, 1, 1)
    assert tables["coverage"].is_empty()


def test_ranks_are_those_of_scipy():
    last = hand_made()[-1]
    table = truth_tables(hand_made())["ranks"]
    for r in range(R):
        some = (last.games[r] > 0) & np.isfinite(last.skill[r])
        rating, skill = last.rating[r, some], last.skill[r, some]
        assert table.row(r) == pytest.approx((
            r, some.sum(), stats.pearsonr(rating, skill).statistic, stats.spearmanr(rating, skill).statistic,
            stats.kendalltau(rating, skill).statistic,
        ))  # fmt: skip


def test_the_ledger_balances_and_tells_who_brought_what():
    table = truth_tables(hand_made())["ledger"]
    for part in table.partition_by("replicate"):
        entries = part.select("arrivals", "departures", "newcomers", "others").sum_horizontal().to_numpy()
        points = part["points"].to_numpy()
        assert points[0] + entries == pytest.approx(points, rel=1e-12)
        assert (part["players"] == part["players"][0] + part["arrived"] - part["departed"]).all()
        assert part["arrived"][-1] == part["departed"][-1] == 1
        assert part["arrivals"][5] == 0
        assert part["arrivals"][6] == 1500
        assert part["departures"][15] == -hand_made()[14].rating[part["replicate"][0], 4]


def test_the_ledger_knows_players_who_come_and_go_between_readings():
    nan = math.nan
    number = np.array([0], np.int32)
    rows = [
        Snapshot(0.0, number, np.array([[1500.0, 1500]]), None, np.array([[0.0, 0]]), np.array([[1500.0, nan]])),
        Snapshot(9.0, number, np.array([[1540.0, 1460]]), None, np.array([[5.0, 5]]), np.array([[1500.0, nan]])),
    ]
    last = truth_tables(rows)["ledger"].rows(named=True)[-1]
    assert matches(last, {
        "players": 1, "points": 1540, "arrived": 1, "departed": 1, "arrivals": 1500, "departures": -1460,
        "newcomers": 0, "others": 0,
    })  # fmt: skip


def test_players_without_a_rating_have_no_points_though_they_play():
    """FIDE's players have none before five games, and lose theirs below 1400."""
    games = rs.WORLDS.build({"kind": "league", "players": 60, "rounds": 80, "days": 800}).simulate(seed=1, replicates=2)
    run = rs.replay(rs.FideElo(start=1500.0), games)
    table = truth_tables(snapshots(run))["ledger"]
    assert table.null_count().sum_horizontal().item() == 0
    assert table["departed"].max() > 5
    for part in table.partition_by("replicate"):
        entries = part.select("arrivals", "departures", "newcomers", "others").to_numpy().sum(axis=1)
        assert part["points"][0] + entries == pytest.approx(part["points"].to_numpy(), rel=1e-12)
        assert (part["players"] == part["players"][0] + part["arrived"] - part["departed"]).all()


def test_points_are_neither_made_nor_lost_where_all_have_one_k_and_are_where_they_have_not():
    world = rs.WORLDS.build({"kind": "league", "players": 40, "rounds": 60})
    games = world.simulate(seed=4, replicates=3)
    policies = {"one": rs.Constant(k=20), "many": rs.Steps(k=(40, 10), at=(30,))}
    tables = {}
    for label, policy in policies.items():
        run = rs.replay(rs.Elo(), games, policy=policy)
        tables[label] = truth_tables(snapshots(run))["ledger"]
    made = {label: (table["newcomers"] + table["others"]).to_numpy() for label, table in tables.items()}
    assert np.abs(made["one"]).max() < 1e-8
    assert np.abs(tables["one"]["newcomers"]).max() > 1, "though players pass points to each other"
    assert np.abs(made["many"]).max() > 1


def test_nothing_is_told_of_no_snapshots():
    assert truth_tables([]) == {}


def test_a_replicate_alone_says_what_it_says_in_company():
    together = truth_tables(hand_made())
    alone = [truth_tables(hand_made(replicates=[r])) for r in range(R)]
    assert set(together) == set(KEYS)
    for name, table in together.items():
        parts = pl.concat([each[name] for each in alone]).sort("replicate", maintain_order=True)
        assert table.equals(parts), name


def test_excess_loss_is_over_the_same_games_of_each_replicate():
    world = rs.WORLDS.build({"kind": "league", "players": 10, "rounds": 20})
    games = world.simulate(seed=2, replicates=2, first=5)
    forecast = np.random.default_rng(1).uniform(0.2, 0.8, len(games))
    forecast[7] = math.nan
    table = losses_by_replicate(games, forecast)
    assert table.select("replicate", "metric").rows() == [(r, m) for r in (5, 6) for m in ("log_loss", "brier")]
    sums = defaultdict(list)
    for g in range(len(games)):
        r, s = int(games.players["replicate"][int(games.first[g])]), games.score[g]
        if not math.isnan(forecast[g]):
            sums[r].append([-(s * math.log(p) + (1 - s) * math.log(1 - p)) for p in (forecast[g], games.truth[g])])
            sums[r][-1] += [(s - forecast[g]) ** 2, (s - games.truth[g]) ** 2]
    for r, rows in sums.items():
        means = np.mean(rows, axis=0)
        assert table.filter(replicate=r).select("mean", "oracle").to_numpy().ravel() == pytest.approx(means)
        assert table.filter(replicate=r)["n"].to_list() == [len(rows)] * 2
    assert sum(map(len, sums.values())) == len(games) - 1


def test_replicates_of_high_numbers_take_no_room():
    """Sums up to the number of the last replicate would be 16 GB each."""
    world = rs.WORLDS.build({"kind": "league", "players": 10, "rounds": 20})
    last = 2**31 - 2
    games = world.simulate(seed=2, replicates=1, first=last)
    table = losses_by_replicate(games, games.truth)
    assert table["replicate"].to_list() == [last, last]
    assert table["mean"].to_list() == table["oracle"].to_list()


def test_losses_need_the_truth():
    games = rs.GameStream.of(first=["A"], second=["B"], score=[1], time=[0])
    with pytest.raises(rs.InputError, match="no truth"):
        losses_by_replicate(games, [0.5])


def test_tables_put_together_keep_their_keys_in_order():
    table = averaged("lag", truth_tables(hand_made())["lag"])
    assert table.columns[:3] == ["who", "day", "replicates"]
    assert table["day"].to_list() == [*range(10, 250, 10)] * 2
    assert table["who"].unique(maintain_order=True).to_list() == ["rising", "falling"]
    assert (table["replicates"] == R).all()


def test_means_over_replicates_are_those_by_hand():
    table = pl.DataFrame({
        "replicate": [0, 1, 2, 0, 1, 0], "what": ["b", "b", "b", "a", "a", "c"], "x": [1.0, 2.0, 6.0, 1.0, None, 7.0]
    })  # fmt: skip
    rows = over_replicates(table, ["what"]).rows()
    half = stats.t.ppf(0.975, 2) * np.std([1, 2, 6], ddof=1) / math.sqrt(3)
    assert rows[0] == pytest.approx(("b", 3, 3.0, 3 - half, 3 + half))
    assert rows[1:] == [("a", 2, 1.0, None, None), ("c", 1, 7.0, None, None)]
    (square,) = over_replicates(table.filter(what="b"), squared={"x"}).rows(named=True)
    half = stats.t.ppf(0.975, 2) * np.std([1, 4, 36], ddof=1) / math.sqrt(3)
    assert square["x"] == pytest.approx(math.sqrt(41 / 3))
    assert square["x_low"] == 0
    assert square["x_high"] == pytest.approx(math.sqrt(41 / 3 + half))


@pytest.mark.parametrize("replicates", [2, 5, 20])
def test_intervals_over_replicates_hold_the_truth_as_often_as_they_claim(replicates):
    """Of 20,000 intervals 95 % hold it: 4 standard errors either side, so that luck alone fails 1 test in 16,000."""
    draws = np.random.default_rng(replicates).normal(3, 2, (20_000, replicates))
    table = pl.DataFrame({
        "replicate": np.tile(np.arange(replicates), 20_000), "study": np.repeat(np.arange(20_000), replicates),
        "x": draws.ravel(),
    })  # fmt: skip
    found = over_replicates(table, ["study"])
    covered = ((found["x_low"] < 3) & (found["x_high"] > 3)).mean()
    assert covered == pytest.approx(0.95, abs=4 * math.sqrt(0.95 * 0.05 / 20_000))


def test_intervals_end_where_the_measure_does():
    table = pl.DataFrame({"replicate": [0, 1], "level": [0.95, 0.95], "covered": [0.95, 1.0], "unsure": [1.0, 9.0]})
    (row,) = averaged("coverage", table).rows(named=True)
    half = stats.t.ppf(0.975, 1) * 0.025
    assert 0.975 + half > 1
    assert (row["covered"], row["covered_high"]) == (pytest.approx(0.975), 1)
    assert row["covered_low"] == pytest.approx(0.975 - half)
    assert (row["unsure_low"], row["unsure_high"]) == (0, pytest.approx(5 + stats.t.ppf(0.975, 1) * 4))
    ranks = pl.DataFrame({"replicate": [0, 1], "players": [9, 9], "spearman": [-1.0, 0.9]})
    (row,) = averaged("ranks", ranks).rows(named=True)
    assert (row["spearman_low"], row["spearman_high"]) == (-1, 1)
    errors = pl.DataFrame({"replicate": [0, 1], "day": [1.0, 1.0], "bias": [-1.0, 9.0]})
    (row,) = averaged("errors", errors).rows(named=True)
    assert row["bias_low"] < -1, "errors have no bounds"


def test_no_interval_of_any_table_leaves_the_range_of_its_measure():
    tables = truth_tables(hand_made())
    for name, table in tables.items():
        found = averaged(name, table)
        for measure in set(RANGES) & set(table.columns):
            least, most = RANGES[measure]
            for end in ("", "_low", "_high"):
                values = found[f"{measure}{end}"].drop_nulls() if f"{measure}{end}" in found.columns else []
                assert all(least <= value <= most for value in values), (name, measure)


def test_z_has_a_standard_deviation_over_readings_and_a_root_mean_square_over_games():
    """Errors of 10 and -10 points after the shift, by deviations of 5 and 10: z is 2 and -1."""
    tables = truth_tables(still([1500.0, 1500], [[1510.0, 1490]], [[1.0, 1]], deviation=[[5.0, 10]]))
    assert tables["errors"]["z_sd"].to_list() == [pytest.approx(1.5)]
    assert tables["games"]["z_rms"].to_list() == [pytest.approx(math.sqrt(2.5))]
    assert not any("z_sd" in table.columns for name, table in tables.items() if name != "errors")
