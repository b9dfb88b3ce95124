"""A path in the place of a stream is refused in one line, by every public function that takes one."""

import inspect

import pytest

import ratesim as rs

PAIRS = [(rs.Elo(), None)]
CALLS = {
    "replay": lambda path: rs.replay(rs.Elo(), path),
    "replay_many": lambda path: rs.replay_many(PAIRS, path),
    "sweep": lambda path: rs.sweep(PAIRS, path),
    "bootstrap": lambda path: rs.bootstrap(PAIRS, path, seed=1),
    "tune": lambda path: rs.tune(rs.Elo(), path, {"scale": (300, 500)}),
    "games_before": rs.games_before,
    "strata": lambda path: rs.strata(path, "year"),
    "with_everybody": lambda path: rs.with_everybody(path, None),
    "write_games": lambda path: rs.write_games(path, "games.parquet"),
    "connectivity": rs.analysis.connectivity,
    "inspection": rs.analysis.inspection,
    "overview": rs.analysis.overview,
    "losses_by_replicate": lambda path: rs.analysis.losses_by_replicate(path, [0.5]),
    "gaps": lambda path: rs.analysis.gaps({}, path),
    "initial": lambda path: rs.analysis.initial({}, path),
    "monthly": lambda path: rs.analysis.monthly({}, path),
    "groups_moved": lambda path: rs.analysis.groups_moved(None, path),
    "upsets": lambda path: rs.analysis.upsets({}, path),
}


def takes_games(thing):
    asked = inspect.signature(thing).parameters.values() if inspect.isfunction(thing) else ()
    return any("GameStream" in str(each.annotation) for each in asked)


def test_every_public_function_that_takes_games_is_called_here():
    public = {name for module in (rs, rs.analysis) for name in dir(module) if takes_games(getattr(module, name))}
    assert public == CALLS.keys()


@pytest.mark.parametrize("name", CALLS)
def test_a_path_is_no_stream(name):
    with pytest.raises(rs.InputError) as error:
        CALLS[name]("g.csv")
    said = "games = 'g.csv'; expected games in memory, such as rs.read('g.csv')"
    assert str(error.value).removeprefix("tune: ") == said
