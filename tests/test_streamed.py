"""Games on disk, played piece by piece, are the games in memory: the same bits, wherever the pieces end."""

import dataclasses
import json
import pickle
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st
from streamed_runs import bits, hold, same_frame
from thinned import thinned

import ratesim as rs
from ratesim.io.gamefile import GameFile

SYSTEMS = {
    "elo": (rs.Elo(advantage=30), rs.Constant(20)),
    "elo by careers": (rs.Elo(), rs.Fide(new=32)),
    "glicko": (rs.Glicko(per=30), None),
    "glicko2": (rs.Glicko2(per=30), None),
    "even": (rs.Even(), None),
    "published": (rs.Published(), None),
}
CALENDARS = {
    "per game": rs.PerGame(),
    "as filed": rs.PerGame(ties="file"),
    "months": rs.Months(),
    "every": rs.Every(days=10),
    "seasons": rs.Seasons(),
    "whole": rs.Whole(),
}
STARTS = {
    "3": {"rating": 1700.0, "games": 4.0, "peak": 1800.0, "born": 1980.0},
    "5": {"rating": 1310.0, "games": 40.0, "peak": 1400.0},
}


def stream(games: int = 90, players: int = 12, seed: int = 1, *, ties: float = 0.4) -> rs.GameStream:
    """Games with all that a stream can have, of which some share a time with the one before."""
    rng = np.random.default_rng(seed)
    first = rng.integers(players, size=games)
    second = (first + rng.integers(1, players, size=games)) % players
    days = np.cumsum(rng.exponential(2.0, games) * (rng.random(games) >= ties))
    return rs.GameStream.of(
        first=first.astype(str), second=second.astype(str), score=rng.choice([0, 0.5, 1.0], games), time=17000 + days,
        edge=rng.choice([-1.0, 0, 1], games), margin=rng.normal(size=games), weight=rng.choice([0.0, 1, 1, 0.1], games),
        season=np.floor(days / 50).astype(int).astype(str), pool=rng.choice(["blitz", "rapid"], games),
        event=rng.choice(["A", "B"], games),
        published_first=rng.normal(1500, 100, games), published_second=np.where(rng.random(games) < 0.9, 1500, np.nan),
    )  # fmt: skip


@pytest.fixture(scope="module")
def on_disk(tmp_path_factory):
    """Return a function that writes a stream, and looks at it in pieces of a size."""
    folder, written = tmp_path_factory.mktemp("games"), {}

    def scanned(games: rs.GameStream, piece: int = 7) -> rs.GameFile:
        if id(games) not in written:
            path = folder / f"{len(written)}.parquet"
            rs.write_games(games, path)
            written[id(games)] = games, path
        return rs.scan(written[id(games)][1], piece=piece)

    return scanned


TIED, SINGLE, LATE = stream(), stream(seed=2, ties=0.0), stream(seed=3, ties=0.0)
LATE = dataclasses.replace(LATE, time=np.append(LATE.time[:-1], LATE.time[-2]))  # the only tie is the last
GROWING = stream(players=60, seed=4)  # in every part there are newcomers


@pytest.mark.parametrize("piece", [1, 7, 90, 1000])
def test_a_scan_says_what_reading_does(on_disk, tmp_path, piece):
    file, read = on_disk(TIED, piece), rs.read(on_disk(TIED).path)
    assert (len(file), file.n_players, file.begins, file.ends) == (90, 12, read.time[0], read.time[-1])
    assert file.players.equals(read.players)
    assert (file.seasons, file.pools) == (read.seasons, read.pools)
    pieces = list(file.pieces())
    assert [len(each) for each in pieces[:-1]] == [piece] * (len(pieces) - 1)
    assert all(each.players is file.players for each in pieces)
    columns = {name: column for name, column in read.columns() if name != "event"}  # which nothing from disk goes by
    assert set(file.columns) == columns.keys()
    for name, column in columns.items():
        found = np.concatenate([getattr(each, name) for each in pieces])
        assert found.dtype == column.dtype
        assert found.tobytes() == column.tobytes(), name
    again = pickle.loads(pickle.dumps(file))  # noqa: S301  # our own
    assert [len(each) for each in again.pieces()] == [len(each) for each in pieces]
    assert file.published_starts().equals(read.published_starts())


def test_a_scan_knows_ties_across_pieces(on_disk):
    assert on_disk(TIED).tied
    assert not on_disk(SINGLE).tied
    assert [on_disk(LATE, piece).tied for piece in (1, 89, 90)] == [True] * 3


def test_attributes_and_players_without_games_are_there(tmp_path):
    players = pl.DataFrame({"player": ["C", "A", "idle"], "born": [1990, None, 2000]})
    games = rs.GameStream.of(first=["A", "B"], second=["B", "C"], score=[1, 0], time=[1, 2], players=players)
    rs.write_games(games, tmp_path / "g.parquet")
    file = rs.scan(tmp_path / "g.parquet", piece=1)
    assert file.players.equals(games.players)
    assert file.players["player"].to_list() == ["A", "B", "C", "idle"]


GOOD = {"first": ["A", "B"], "second": ["B", "C"], "score": [1.0, 0.0], "time": [1.0, 2.0]}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"time": [2.0, 1.0]}, "has games that stand after later ones; expected a file that `ratesim import"),
        ({"time": ["2020", "2021"]}, "String in column 'time'; expected a file that `ratesim import"),
        ({"first": [1, 2]}, "Int64 in column 'first'; expected a file that `ratesim import"),
        ({"score": None}, "has no column 'score'; expected a file that `ratesim import"),
        ({"first": ["A", " "]}, "has ' ' for a name"),
        ({"first": ["A", None]}, "row 2, column first: no first"),
        ({"second": ["B", "B"]}, "row 2, column second: B plays against themselves"),
        ({"score": [1.0, 1.5]}, "row 2, column score: score 1.5"),
        ({"edge": [1.0, None]}, "row 2, column edge: no edge"),
    ],
)
@pytest.mark.parametrize("piece", [1, 2])
def test_what_is_not_canonical_is_refused_in_a_line(tmp_path, change, said, piece):
    columns = {name: values for name, values in {**GOOD, **change}.items() if values is not None}
    pl.DataFrame(columns, strict=False).write_parquet(tmp_path / "g.parquet")
    with pytest.raises(rs.InputError) as error:
        rs.scan(tmp_path / "g.parquet", piece=piece)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_other_files_are_refused(tmp_path):
    (tmp_path / "g.csv").write_text("first,second,score,time\nA,B,1,1\n")
    with pytest.raises(rs.InputError, match="is no Parquet file; expected a file that `ratesim import"):
        rs.scan(tmp_path / "g.csv")
    with pytest.raises(rs.InputError, match="no such file"):
        rs.scan(tmp_path / "none.parquet")
    pl.DataFrame(GOOD).clear().write_parquet(tmp_path / "e.parquet")
    with pytest.raises(rs.InputError, match="no games"):
        rs.scan(tmp_path / "e.parquet")


def test_a_file_that_changes_is_seen(tmp_path):
    pl.DataFrame(GOOD).write_parquet(tmp_path / "g.parquet")
    file = rs.scan(tmp_path / "g.parquet")
    pl.DataFrame({**GOOD, "first": ["A", "Z"]}).write_parquet(tmp_path / "g.parquet")
    with pytest.raises(rs.InputError, match="has changed since it was looked at"):
        list(file.pieces())


@pytest.mark.parametrize("pieces", [(7, 200), pytest.param((1, 89), marks=pytest.mark.slow)], ids=str)
@pytest.mark.parametrize(("name", "calendar"), thinned(SYSTEMS, CALENDARS, full={"elo", "glicko2"}, usual="months"))
def test_games_on_disk_are_games_in_memory(on_disk, tmp_path, name, calendar, pieces):
    system, policy = SYSTEMS[name]
    start = STARTS if isinstance(system, rs.Elo | rs.Glicko | rs.Glicko2) else None
    words = {"policy": policy, "calendar": CALENDARS[calendar], "start": start}
    for games in (TIED, SINGLE, LATE):
        whole = rs.replay(system, games, **words)
        for piece in pieces:
            run = rs.replay(system, on_disk(games, piece), **words)
            assert len(run.stream) == len(games)
            hold(run, whole, tmp_path, save=whole.session is not None)


@pytest.mark.parametrize("calendar", ["per game", "months"])
def test_pools_apart(on_disk, tmp_path, calendar):
    words = {"policy": rs.Constant(20), "calendar": CALENDARS[calendar], "by_pool": True}
    for games in (TIED, SINGLE):
        whole = rs.replay(rs.Elo(), games, **words)
        for piece in (1, 7, 200):
            hold(rs.replay(rs.Elo(), on_disk(games, piece), **words), whole, tmp_path)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Cut(GameFile):
    """A stream in memory in the place of a file, in pieces that end anywhere."""

    whole: rs.GameStream | None = None
    cuts: tuple[int, ...] = ()

    def pieces(self):
        for begin, end in zip((0, *self.cuts), (*self.cuts, len(self)), strict=True):
            yield self.whole.take(slice(begin, end))


@given(
    cuts=st.sets(st.integers(1, 59), max_size=8), ties=st.floats(0, 1), seed=st.integers(0, 50),
    name=st.sampled_from(["elo", "glicko2"]), calendar=st.sampled_from(list(CALENDARS)),
)  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_pieces_may_end_anywhere(tmp_path_factory, cuts, ties, seed, name, calendar):
    games = stream(60, 8, seed, ties=ties)
    tied = bool((games.time[1:] == games.time[:-1]).any())
    file = Cut(
        Path("games"), len(games), tuple(dict(games.columns())), games.players, games.time[0], games.time[-1], tied,
        games.seasons, games.pools, whole=games, cuts=tuple(sorted(cuts)),
    )  # fmt: skip
    system, policy = SYSTEMS[name]
    words = {"policy": policy, "calendar": CALENDARS[calendar]}
    run, whole = rs.replay(system, file, **words), rs.replay(system, games, **words)
    hold(run, whole, tmp_path_factory.mktemp("cut"))
    times = [games.time[0] - 1, *games.time[::7], games.time[-1] + 40]
    assert same_frame(run.history(times, ["1", "2", "3"]), whole.history(times, ["1", "2", "3"]))


def test_systems_side_by_side_are_systems_alone(on_disk):
    pairs = [(rs.Elo(), rs.Constant(10)), (rs.Glicko2(per=30), None), (rs.Elo(), rs.Constant(30)), (rs.Even(), None)]
    runs = rs.replay_many(pairs, on_disk(TIED), forecasts="all")
    for (system, policy), run in zip(pairs, runs, strict=True):
        alone = rs.replay(system, TIED, policy=policy)
        assert bits(run.forecast) == bits(alone.forecast)
        assert same_frame(run.ratings(), alone.ratings())
        assert run.policy == alone.policy


@pytest.mark.parametrize(
    ("name", "calendar"),
    thinned(["elo", "elo by careers", "glicko2"], [*CALENDARS][:-1], full={"elo by careers"}, usual="as filed"),
)
@pytest.mark.parametrize("by_pool", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("ways", [((1,), (0, 1, 2)), pytest.param(((), (0,)), marks=pytest.mark.slow)], ids=str)
def test_month_by_month_is_at_once(on_disk, tmp_path, name, calendar, by_pool, ways):
    """Also where a part was played from disk, and whatever the parts were cut into."""
    system, policy = SYSTEMS[name]
    words = {"policy": policy, "calendar": CALENDARS[calendar], "by_pool": by_pool}
    for games in (TIED, GROWING) if by_pool else (TIED, SINGLE, LATE, GROWING):
        months = [games.take(slice(begin, begin + 30)) for begin in (0, 30, 60)]
        whole = rs.replay(system, games, **words)
        whole.save(tmp_path / "whole")
        for streamed in ways:
            state = None
            for n, month in enumerate(months):
                part = on_disk(_alone(month), 11) if n in streamed else _alone(month)
                run = rs.replay(system, part, state=state, **words)
                run.save(tmp_path / "state")
                state = rs.load_state(tmp_path / "state")
            assert (tmp_path / "state").read_bytes() == (tmp_path / "whole").read_bytes(), streamed
            assert same_frame(run.ratings(), whole.ratings())


PARTS: dict[bytes, rs.GameStream] = {}


def _alone(part: rs.GameStream) -> rs.GameStream:
    """Return games as a stream that knows no other players, seasons or pools; one object for the same games."""
    key = part.time.tobytes() + part.score.tobytes()
    return PARTS.setdefault(key, rs.GameStream.of(**part.to_frame().to_dict()))


@pytest.mark.parametrize("piece", [1, 7, 200])
def test_losses_are_those_of_all_forecasts(on_disk, piece):
    """Their means, errors and paired differences too, bit for bit."""
    file = on_disk(TIED, piece)
    pairs = [(rs.Elo(), rs.Constant(10)), (rs.Elo(), rs.Constant(30))]
    runs, whole = rs.replay_many(pairs, file, forecasts="losses"), rs.replay_many(pairs, TIED)
    blocks = rs.month_blocks(TIED.time)
    for metric in (rs.LogLoss(), rs.Brier(), rs.Accuracy()):
        each = [metric.each(run.forecast, TIED.score) for run in whole]
        for run, loss in zip(runs, each, strict=True):
            assert run.forecast is None
            assert run.mean(metric.kind) == rs.mean(loss, blocks, TIED.weight)
        expected = rs.paired(*each, blocks, TIED.weight, seed=4)
        found = runs[0].paired(runs[1], metric.kind, seed=4)
        assert found[-4:] == pytest.approx(expected[-4:], abs=1e-12)
        assert found[:4] == pytest.approx(expected[:4], abs=1e-12)


def test_games_without_a_forecast_are_counted(on_disk):
    run, whole = rs.replay(rs.Published(), on_disk(TIED), forecasts="losses"), rs.replay(rs.Published(), TIED)
    loss = rs.brier(whole.forecast, TIED.score)
    assert run.mean("brier") == rs.mean(loss, rs.month_blocks(TIED.time), TIED.weight)
    assert run.mean("brier").left_out > 0
    with pytest.raises(rs.InputError, match="games without a forecast"):
        run.paired(run, "brier", seed=1)
    with pytest.raises(rs.InputError, match="no losses by 'briar'"):
        run.mean("briar")


def test_a_sample_is_drawn_alike_for_all(on_disk, monkeypatch):
    monkeypatch.setattr("ratesim.replaying.kept.SAMPLED", 45)
    runs = [
        rs.replay(system, on_disk(TIED, piece), forecasts="sample")
        for system in (rs.Elo(), rs.Even()) for piece in (7, 90)
    ]  # fmt: skip
    game = runs[0].sample["game"].to_numpy()
    assert 25 < len(game) < 60
    assert all((run.sample["game"].to_numpy() == game).all() for run in runs)
    forecast = rs.replay(rs.Elo(), TIED).forecast
    assert bits(runs[0].sample["forecast"]) == bits(forecast[game])
    assert bits(runs[0].sample["score"]) == bits(TIED.score[game])
    assert (TIED.weight[game] > 0).all()  # no others are judged
    assert runs[0].losses.equals(runs[1].losses)


def test_a_sample_is_uniform(monkeypatch):
    from ratesim.replaying.kept import drawn

    monkeypatch.setattr("ratesim.replaying.kept.SAMPLED", 10_000)
    games = 200_000
    some = np.concatenate([drawn(begin, 1000, games, 3) for begin in range(0, games, 1000)])
    assert (some == drawn(0, games, games, 3)).all()
    assert (some != drawn(0, games, games, 4)).any()
    parts = some.reshape(100, -1).sum(axis=1)
    assert abs(some.sum() - 10_000) < 500  # five standard deviations
    assert 60 < parts.var() < 150  # of a binomial, 95


def test_losses_are_kept_above_five_million_games_by_default(on_disk, monkeypatch):
    assert rs.replay(rs.Elo(), on_disk(TIED)).losses is None
    monkeypatch.setattr("ratesim.replaying.kept.MANY", 89)
    run = rs.replay(rs.Elo(), on_disk(TIED))
    assert (run.forecast, run.sample) == (None, None)
    assert run.losses.columns == ["metric", "by", "stratum", "month", "total", "games", "left_out"]


@pytest.mark.parametrize(
    ("system", "calendar", "said"),
    [
        (
            rs.FideElo(start=1500),
            None,
            "system 'fide' has to see all games at once; expected the games in memory: rs.read",
        ),
        (rs.Elo(), rs.Lists(), "calendar 'lists' has to see all games at once"),
        (rs.FirstRate(), None, "system 'first-rate' has to see all games at once"),
        (rs.Glicko2PyPI(), rs.Months(), "system 'glicko2-pypi' has to see all games at once"),
    ],
)
def test_what_needs_all_games_at_once_says_so(on_disk, system, calendar, said):
    with pytest.raises(rs.InputError) as error:
        rs.replay(system, on_disk(TIED), calendar=calendar)
    assert said in str(error.value)


def test_other_mistakes_are_told(on_disk):
    with pytest.raises(rs.InputError, match="forecasts = 'none'; expected all, losses or sample"):
        rs.replay(rs.Elo(), on_disk(TIED), forecasts="none")
    with pytest.raises(rs.InputError, match="forecasts = 'losses' of games in memory"):
        rs.replay(rs.Elo(), TIED, forecasts="losses")
    with pytest.raises(rs.InputError, match="losses are not kept beside all forecasts"):
        rs.replay(rs.Elo(), on_disk(TIED)).mean("brier")
    with pytest.raises(rs.InputError, match="no player 'nobody'"):
        rs.replay(rs.Elo(), on_disk(TIED)).history([17000], ["nobody"])
    with pytest.raises(rs.InputError, match="no state of its own"):
        rs.replay(rs.Even(), on_disk(TIED)).save("x")


def test_a_state_of_something_else_is_refused(on_disk, tmp_path):
    rs.replay(rs.Elo(), TIED.take(slice(40))).save(tmp_path / "state")
    state, rest = rs.load_state(tmp_path / "state"), on_disk(_alone(TIED.take(slice(40, 90))))
    for system, policy, file, said in (
        (rs.Elo(), rs.Constant(99), rest, "the saved state is of policy"),
        (rs.Elo(advantage=1), None, rest, "the saved state is of system"),
        (rs.Elo(), None, on_disk(TIED), "before the saved state ends"),
        (rs.Even(), None, rest, "forecasts whole streams only"),
    ):
        with pytest.raises(rs.InputError, match=said):
            rs.replay(system, file, policy=policy, state=state)


@pytest.mark.parametrize(
    "words", [("elo", "--calendar", "months"), ("glicko2", "--set", "per=30d"), ("fide", "--set", "start=1500")]
)
def test_rate_plays_large_files_from_disk(on_disk, call, monkeypatch, tmp_path, words):
    """The same answer, and the same state, but for the digest, which is that of the file, and is called so."""
    games = dataclasses.replace(TIED, weight=None, event=None, events=(), pool=None, pools=())
    path = on_disk(games).path
    words = ("rate", path, "--system", *words, "--top", 100)
    found = [call(*words), call(*words, "--json", "--save-state", tmp_path / "memory")]
    monkeypatch.setattr("ratesim.replaying.kept.MANY", 10)
    again = [call(*words), call(*words, "--json", "--save-state", tmp_path / "disk")]
    assert again[0][:2] == found[0][:2]
    assert found[0][0] == 0
    (_, one, _), (_, other, _) = found[1], again[1]
    one, other = json.loads(one), json.loads(other)
    if words[3] == "fide":  # whose games are read into memory
        assert len(other.pop("notes")) == len(one.pop("notes")) + 1
    else:
        assert other.pop("file_digest") != one.pop("digest")
    assert one == other
    assert (tmp_path / "memory").read_bytes() == (tmp_path / "disk").read_bytes()


def test_rate_goes_on_from_disk(on_disk, call, monkeypatch, tmp_path):
    parts = [_alone(TIED.take(slice(begin, begin + 45))) for begin in (0, 45)]
    words = ("--system", "glicko", "--set", "per=30d", "--top", 0)
    assert call("rate", on_disk(TIED).path, *words, "--save-state", tmp_path / "whole")[0] == 0
    assert call("rate", on_disk(parts[0]).path, *words, "--save-state", tmp_path / "half")[0] == 0
    monkeypatch.setattr("ratesim.replaying.kept.MANY", 10)
    rest = ("--from-state", tmp_path / "half", "--save-state", tmp_path / "rest")
    assert call("rate", on_disk(parts[1]).path, *words, *rest)[0] == 0
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "rest").read_bytes()
