"""What no sweep and no bootstrap takes, with the line that says so; settings are Elo with some K."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import ratesim as rs

KS = [(rs.Elo(), rs.Constant(float(k))) for k in (10, 20)]
SHUT = ThreadPoolExecutor(1)
SHUT.shutdown()
MISTAKES = [
    ({"games": "g.csv"}, r"games = 'g.csv'; expected games in memory, such as rs.read\('g.csv'\)"),
    ({"games": None}, "games = None; expected games in memory"),
    ({"pairs": [rs.Elo()]}, r"is no pair; expected \(system, policy\) pairs"),
    ({"pairs": rs.Elo()}, r"is no list of pairs; expected \(system, policy\) pairs"),
    ({"pairs": KS[0]}, r"is no pair; expected \(system, policy\) pairs"),
    ({"pairs": dict(KS[:1])}, r"is no list of pairs; expected \(system, policy\) pairs"),
    ({"pairs": [(rs.Elo(), 0)]}, "0 is no policy; expected a policy such as"),
    ({"metric": "brier"}, r"metric = 'brier'; expected a metric such as rs.Brier\(\)"),
    ({"metric": rs.Brier}, r"metric = <class .*; expected a metric such as rs.Brier\(\)"),
    ({"metric": rs.log_loss}, r"metric = <function log_loss .*; expected a metric such as rs.Brier\(\)"),
    ({"executor": None}, "executor = None; expected one of threads, processes"),
    ({"executor": object()}, "executor = <object .*; expected one of threads, processes"),
    ({"executor": ThreadPoolExecutor}, "executor = <class .*; expected one of threads, processes"),
    ({"executor": SHUT}, r"the executor takes no work \(.*after shutdown\); expected one that is open"),
    ({"workers": "2"}, "workers = '2'; expected a whole number, at least 1"),
    ({"block": 1.5}, "block = 1.5; expected a whole number, at least 1"),
    ({"plugins": "gone.py"}, "gone.py: no such plugin file"),
    ({"plugins": Path("gone.py")}, "gone.py: no such plugin file"),
    ({"plugins": None}, "plugins = None; expected paths of Python files"),
]
