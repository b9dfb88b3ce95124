"""Saved states: those after games of weight 0 go on, those that are damaged or foreign are refused in a line."""

import json

import numpy as np
import pytest
from streamed_runs import bits, same_frame

import ratesim as rs

SYSTEMS = {"elo": (rs.Elo(), rs.Constant(20)), "careers": (rs.Elo(), rs.Fide()), "glicko2": (rs.Glicko2(per=30), None)}


@pytest.mark.parametrize("weight", [[1, 0, 1, 1], [0, 0, 0, 0], [1, 0, 0, 1], [0, 0, 1, 0]])
@pytest.mark.parametrize("ties", ["period", "file"])
@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("time", [[1.0, 2, 2, 3], [1.0, 2, 3, 4], [1.0, 1, 1, 1]])
def test_games_of_weight_0_leave_their_period_open(tmp_path, name, ties, weight, time):
    """Wherever the games are cut, those that follow may be of the same time stamp."""
    system, policy = SYSTEMS[name]
    columns = {"first": list("ABCA"), "second": list("BCAB"), "score": [1, 0, 0.5, 1], "time": time, "weight": weight}
    words = {"policy": policy, "calendar": rs.PerGame(ties=ties)}
    whole = rs.replay(system, rs.GameStream.of(**columns), **words)
    whole.save(tmp_path / "whole")
    for cut in (1, 2, 3):
        head, tail = (
            rs.GameStream.of(**{key: values[part] for key, values in columns.items()})
            for part in (slice(cut), slice(cut, None))
        )
        before = rs.replay(system, head, **words)
        before.save(tmp_path / "state")
        after = rs.replay(system, tail, state=rs.load_state(tmp_path / "state"), **words)
        assert bits([*before.forecast, *after.forecast]) == bits(whole.forecast)
        assert same_frame(after.ratings(), whole.ratings())
        after.save(tmp_path / "again")
        assert (tmp_path / "again").read_bytes() == (tmp_path / "whole").read_bytes()


@pytest.fixture
def saved(tmp_path):
    """Return the contents of a state, and a function that writes others."""
    games = rs.GameStream.of(first=["A", "C"], second=["B", "A"], score=[1, 0], time=[1, 2])
    rs.replay(rs.Elo(), games, policy=rs.Fide()).save(tmp_path / "state")
    with np.load(tmp_path / "state") as file:
        arrays = {name: file[name] for name in file.files}
    about = json.loads(str(arrays.pop("about")))

    def written(about, **changed):
        path = tmp_path / "other"
        with path.open("wb") as file:
            np.savez(file, about=np.array(json.dumps(about)), **{**arrays, **changed})
        return path

    return about, arrays, written


def refused(path, said):
    with pytest.raises(rs.InputError) as error:
        rs.load_state(path)
    assert str(error.value).startswith(f"{path}: {said}")
    assert "\n" not in str(error.value)


FOREIGN = "is no saved state; expected a file that --save-state wrote"


def test_a_state_is_as_it_was(saved):
    about, _, written = saved
    assert rs.load_state(written(about)).players.to_list() == ["A", "B", "C"]


def test_what_a_state_says_of_itself_may_be_anything(saved):
    about, _, written = saved
    for other in ({}, [1], 1, None, "text", [], {"format": 5}):
        refused(written(other), FOREIGN)
    for key in about.keys() - {"format"}:
        refused(written({name: value for name, value in about.items() if name != key}), FOREIGN)
        if key != "by_pool":
            refused(written({**about, key: 5}) if key != "time" else written({**about, key: "noon"}), FOREIGN)
    refused(written({**about, "format": 2}), "is a state of format 2; expected format 5")


@pytest.mark.parametrize("key", ["system", "policy", "calendar"])
def test_a_state_of_a_stranger_names_its_file(saved, key):
    about, _, written = saved
    refused(written({**about, key: {"kind": "xyzzy"}}), f"unknown {key} 'xyzzy'; expected one of")
    refused(written({**about, key: {**about[key], "much": 1}}), "")
    refused(written({**about, key: {}}), "missing key 'kind'")


def test_a_state_of_no_system_with_a_state_is_refused(saved):
    about, _, written = saved
    refused(written({**about, "system": {"kind": "even"}}), FOREIGN)


def test_arrays_that_do_not_belong_together_are_refused(saved):
    about, arrays, written = saved
    for name, array in arrays.items():
        refused(written(about, **{name: array[:-2] if name == "players" else array[..., None]}), FOREIGN)
    refused(written(about, members=arrays["members"] + 7), FOREIGN)
    refused(written(about, waiting=arrays["waiting"] + 7), FOREIGN)
    refused(written(about, rows=arrays["rows"][:2]), FOREIGN)


def test_bytes_that_are_lost_are_noticed(saved, tmp_path):
    about, _, written = saved
    whole = written(about).read_bytes()
    for end in range(1, len(whole), 97):
        (tmp_path / "cut").write_bytes(whole[:end])
        refused(tmp_path / "cut", FOREIGN)
