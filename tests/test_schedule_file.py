"""The file of a schedule stands beside the experiment that names it."""

from ratesim.experiment import worlds

FILE = """
[[world]]
players = 2
rounds = 2
per_round = 1
pairing = { kind = "schedule", file = "games.csv" }
"""


def test_a_schedule_is_found_beside_the_experiment(tmp_path, monkeypatch):
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "world.toml").write_text(FILE)
    (tmp_path / "inner" / "games.csv").write_text("first,second,score,time\nA,B,1,2020-01-01\nB,A,1,2020-01-02\n")
    monkeypatch.chdir(tmp_path)
    _, (source,) = worlds(tmp_path / "inner" / "world.toml")
    games = source.world.simulate(seed=1)
    assert (games.first.tolist(), games.second.tolist()) == ([0, 1], [1, 0])
