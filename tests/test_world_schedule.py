"""Worlds that play the schedule of a file."""

import pytest
from pairing_rounds import laid, rounds_of

from ratesim.errors import InputError
from ratesim.worlds import League


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "games.csv"
    rows = ["A,B,1,0", "C,A,0,1", "B,C,0.5,1", "D,A,1,7", "B,D,0,8", "C,D,1,9", "A,B,1,10"]
    path.write_text("first,second,score,time\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return str(path)


WHO = [(0, 1), (2, 0), (1, 2), (3, 0), (1, 3), (2, 3), (0, 1)]


def test_a_schedule_is_that_of_its_file(file):
    played = rounds_of({"kind": "schedule", "file": file}, players=4, rounds=4, replicates=range(2))
    assert [(r, i, j) for r, i, j, _ in laid(played, 4)] == [(k // 2, *pair) for k, pair in enumerate(WHO)]
    assert (played[1].first[0] == played[1].first[1]).all()
    by_time = rounds_of({"kind": "schedule", "file": file, "by": "time"}, players=4, rounds=4, per_round=3)
    assert [(r, i, j) for r, i, j, _ in laid(by_time, 4)] == [
        (r, *pair) for r, pair in zip((0, 0, 0, 2, 3, 3, 3), WHO, strict=True)
    ]


def test_a_schedule_takes_a_column_map_and_can_be_shared(file):
    pairing = {"kind": "schedule", "file": file, "columns": {"first": "second", "second": "first"}}
    stream = League(players=6, rounds=4, pairing=pairing, shared=True).simulate(1, replicates=2)
    assert len(stream) == 14
    pairs = list(zip(stream.first[::2].tolist(), stream.second[::2].tolist(), strict=True))
    assert pairs == [(0, 1), (1, 2), (2, 0), (1, 3), (3, 0), (3, 2), (0, 1)]  # numbered B, A, C, D


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"players": 3}, "players = 3; expected at least the 4"),
        ({"players": 4, "rounds": 2}, "2 rounds of 2 games have no room for the 7"),
        ({"players": 4, "rounds": 2, "by": "time"}, "a round with 4 of the games"),
        ({"players": 4, "columns": {"frist": "x"}}, "did you mean 'first'"),
        ({"players": 4, "file": "nowhere.csv"}, "nowhere.csv"),
    ],
)
def test_schedules_without_room_are_refused_in_one_line(file, keys, said):
    pairing = {"kind": "schedule", "file": file, **{k: v for k, v in keys.items() if k in {"by", "columns", "file"}}}
    with pytest.raises(InputError, match=said) as error:
        rounds_of(pairing, **{k: v for k, v in keys.items() if k in {"players", "rounds"}})
    assert "\n" not in str(error.value)
