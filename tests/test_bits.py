"""Law 11 and its kin: one kernel, one result, to the bit, however it is run."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from lanes import composed

import ratesim as rs
from ratesim.replaying.session import Session, Variant

LANES = 37


GRIDS = {
    "elo": [Variant(rs.Elo(advantage=a), rs.Constant(40 - a / 10)) for a in np.linspace(0, 60, LANES)],
    "composed": [Variant(rs.Elo(advantage=a), composed(40 - a / 10)) for a in np.linspace(0, 60, LANES)],
    "fide": [
        Variant(rs.FideElo(start=1500, floor="none", cap=c), rs.Fide(new=round(c / 10)))
        for c in np.linspace(200, 700, LANES)
    ],
    "glicko": [Variant(rs.Glicko(c=c, per=30), rs.Constant()) for c in np.linspace(1, 60, LANES)],
    "glicko2": [Variant(rs.Glicko2(tau=t, per=30), rs.Constant()) for t in np.linspace(0.2, 1.2, LANES)],
}
CALENDARS = {"periods": rs.Months(), "singly": rs.PerGame()}
CASES = [(name, calendar) for name in GRIDS for calendar in CALENDARS]
QUICK = [("elo", "singly"), ("glicko2", "periods")]  # of several lanes: each is compiled by itself
EVERY_CASE = pytest.mark.parametrize(
    ("name", "calendar"), [pytest.param(*case, marks=() if case in QUICK else pytest.mark.slow) for case in CASES]
)


def stream(games: int = 1500, players: int = 40) -> rs.GameStream:
    rng = np.random.default_rng(5)
    first = rng.integers(0, players, games)
    second = (first + rng.integers(1, players, games)) % players
    return rs.GameStream.of(
        first=first.astype(str), second=second.astype(str), score=rng.choice([0, 0.5, 1.0], games),
        time=16000 + np.sort(rng.uniform(0, 900, games)), edge=rng.choice([-1.0, 0, 1], games),
        weight=rng.choice([0.0, 1, 1, 1, 2], games),
    )  # fmt: skip


GAMES = stream()
STARTS = rs.read_starts(
    {
        str(i): {
            "rating": 1450 + 27 * i,
            "deviation": 40 + 7 * i,
            "games": i,
            "peak": 2000 + 15 * i,
            "born": 1996 + i % 4,
        }
        for i in range(40)
    }
)


def play(variants, calendar, cuts=()):
    """Forecasts and final state of a session, stopped and gone on with at every cut."""
    session = Session(variants, GAMES, CALENDARS[calendar], start=STARTS)
    pieces = [session.advance(upto) for upto in (*cuts, len(GAMES))]
    return np.concatenate(pieces), session.finished()


def same(a, b):
    return np.ascontiguousarray(a).tobytes() == np.ascontiguousarray(b).tobytes()


@EVERY_CASE
def test_a_lane_alone_and_in_blocks_of_any_size_has_the_same_bits(name, calendar):
    forecast, state = play(GRIDS[name], calendar)
    assert np.isfinite(forecast).all()
    assert len(np.unique(forecast[-1])) > 5  # the lanes do differ
    for size in (1, 2, 3, 8, 17, 33):
        for low in range(0, LANES, 1 if size > 8 else 12):
            lanes = slice(low, min(low + size, LANES))
            alone, then = play(GRIDS[name][lanes], calendar)
            assert same(alone, forecast[:, lanes]), (size, low)
            assert same(then.rows, state.rows[:, :, lanes]), (size, low)


@EVERY_CASE
def test_a_stream_cut_anywhere_has_the_same_bits(name, calendar):
    whole, state = play(GRIDS[name][:3], calendar)
    rng = np.random.default_rng(1)
    for cuts in ([1, len(GAMES) - 1], *(np.sort(rng.integers(0, len(GAMES), 4)) for _ in range(12))):
        pieces, then = play(GRIDS[name][:3], calendar, cuts)
        assert same(whole, pieces)
        assert all(same(a, b) for a, b in zip(state, then, strict=True))


@pytest.mark.interpreted
@pytest.mark.parametrize("name", GRIDS)
def test_the_fused_loop_is_the_loop(name):
    fused, state = play(GRIDS[name][:3], "singly")
    session = Session(GRIDS[name][:3], GAMES, rs.PerGame(), start=STARTS)
    assert session.schedule.singly
    session.go_on_in_periods()
    in_periods = session.advance(len(GAMES))
    then = session.finished()
    assert same(fused, in_periods)
    held = slice(len(session.kernels.Belief._fields) + 3 * session.gains.career)  # the rest is spent evidence
    assert same(state.rows[:, held], np.ascontiguousarray(then.rows[:, held]))
    assert same(state.flags, then.flags)


def test_an_engine_is_compiled_once_whatever_columns_a_stream_has():
    plain = rs.GameStream.of(
        first=GAMES.first.astype(str), second=GAMES.second.astype(str), score=GAMES.score, time=GAMES.time
    )
    engine = Session(GRIDS["elo"][:1], GAMES, rs.Months()).engine
    for games, start in ((GAMES, None), (plain, STARTS), (GAMES.take(slice(7)), None)):
        run = rs.replay(GRIDS["elo"][0].system, games, policy=GRIDS["elo"][0].policy, start=start, calendar=rs.Months())
        assert len(run.ratings()) == games.n_players
        assert run.session.engine is engine
    assert len(engine.signatures) == 1


def digest(cases=QUICK, games: int = 150) -> dict[str, str]:
    """What a small replay leaves, system by system; run by other processes too."""
    found = {}
    few = stream().take(slice(games))
    for name, calendar in cases:
        session = Session(GRIDS[name][:2], few, CALENDARS[calendar], start=STARTS)
        forecast = session.advance(games)
        found[f"{name} {calendar}"] = hashlib.sha256(forecast.tobytes() + session.finished().rows.tobytes()).hexdigest()
    return found


def elsewhere(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run code in a new process that can import this file as `bits`."""
    start = f"import sys; sys.path.append({str(Path(__file__).parent)!r}); import test_bits as bits\n"
    return subprocess.run(
        [sys.executable, "-c", start + code], capture_output=True, text=True, check=True,
        env={**os.environ, **environment},
    )  # fmt: skip


@pytest.mark.parametrize("cases", ["QUICK", pytest.param("CASES", marks=pytest.mark.slow)])
def test_plain_python_has_the_same_bits_as_compiled_code(cases):
    plain = elsewhere(f"import json; print(json.dumps(bits.digest(bits.{cases})))", NUMBA_DISABLE_JIT="1")
    assert json.loads(plain.stdout) == digest({"QUICK": QUICK, "CASES": CASES}[cases])


PEERS = {
    "constant": "rs.replay(rs.Elo(), bits.GAMES, policy=rs.Constant(24))",
    "harmonic": "rs.replay(rs.Elo(), bits.GAMES, policy=rs.Harmonic())",
}
SAY = "import hashlib, logging; logging.basicConfig(level='INFO', format='%(message)s')\nimport ratesim as rs\n"
PRINT = "print(hashlib.sha256(({}).forecast.tobytes()).hexdigest())\n"


@pytest.mark.slow  # test_cold_cache.py has two processes and their caches
def test_caches_of_several_processes_serve_another_one_together(tmp_path):
    one_each, said = {}, {}
    for name, run in PEERS.items():
        done = elsewhere(SAY + PRINT.format(run), RATESIM_CACHE=str(tmp_path))
        one_each[name], said[name] = done.stdout.strip(), done.stderr
    assert all("compiling" in text for text in said.values())
    assert len(set(one_each.values())) == len(PEERS)
    for order in (list(PEERS), list(PEERS)[::-1]):
        done = elsewhere(SAY + "".join(PRINT.format(PEERS[name]) for name in order), RATESIM_CACHE=str(tmp_path))
        assert "compiling" not in done.stderr
        assert done.stdout.split() == [one_each[name] for name in order]


def test_where_nothing_can_be_cached_kernels_live_in_memory(tmp_path):
    (tmp_path / "kernels").write_text("a file where the folder should be")
    done = elsewhere(SAY + PRINT.format(PEERS["constant"]), RATESIM_CACHE=str(tmp_path))
    assert len(done.stdout.strip()) == 64
