"""Kernels of every system, compiled by themselves, have the bits of the Python they are written in.

The law of one kernel asks so of whole engines, which take longer to compile than all kernels together.
"""

import numpy as np
import pytest

import ratesim as rs
from ratesim.assembly import Plan, bindings
from ratesim.jit import plain, specialise
from ratesim.policies import Constant
from ratesim.records import Clock, Game
from ratesim.systems.base import SYSTEMS, Start, System

OURS = {
    kind: cls
    for kind, cls in SYSTEMS.kinds().items()
    if issubclass(cls, System) and cls.__module__.startswith("ratesim.")
}
RATINGS, DEVIATIONS = (-1.7, -0.3, 0.0, 0.4, 2.1), (0.3, 1.0)  # in units of 400 points, and of the newcomer's


def all_kernels(params, rows, clocks, games, told, evidence, after):
    """Write down what the kernels say of each pair of rows, forwards and backwards."""
    for g in range(games.shape[0]):
        p, me, foe = PARAMS.load(params, 0, 0), BELIEF.load(rows, 2 * g, 0), BELIEF.load(rows, 2 * g + 1, 0)  # noqa: F821
        clock = Clock(clocks[g, 0], clocks[g, 1], clocks[g, 2], clocks[g, 3], clocks[g, 4])
        game = Game(games[g, 0], games[g, 1], games[g, 2], games[g, 3])
        me, foe = DRIFT(p, me, clock), DRIFT(p, foe, clock)  # noqa: F821
        e = PREDICT(p, me, foe, game)  # noqa: F821
        told[g, 0], told[g, 1] = e, TELL(p, me, foe, game, e)  # noqa: F821
        said = LEARN(p, me, foe, game, e)  # noqa: F821
        EVIDENCE.store(evidence, g, 0, said)  # noqa: F821
        BELIEF.store(after, 3 * g, 0, ABSORB(p, me, said, 20.0, clock))  # noqa: F821
        BELIEF.store(after, 3 * g + 1, 0, BETWEEN(p, me, said, 1.0))  # noqa: F821
        if HAS_CAREFUL:  # noqa: F821
            BELIEF.store(after, 3 * g + 2, 0, CAREFUL(p, me, said, clock))  # noqa: F821


def pairs(system):
    """Beliefs (2 G, F, 1) of players near and far, sure and unsure."""
    wide = system.columns(np.array([system.belief(Start())]))
    beliefs = []
    for rating in RATINGS:
        for narrow in DEVIATIONS:
            start = Start(rating=system.zero + system.point * (1500 + 400 * rating))
            if "deviation" in wide:
                deviation = max(float(wide["deviation"][0]) * narrow, getattr(system, "floor", 0.0))
                start = start._replace(deviation=deviation)
            beliefs.append(system.belief(start))
    n = len(beliefs)
    both = [beliefs[k] for i in range(n) for j in range(n) for k in (i, j)]
    return np.array(both, dtype=np.float64)[:, :, None]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of NumPy's numbers, which compiled ones do not give
@pytest.mark.parametrize("kind", OURS)
def test_compiled_kernels_are_those_in_python(kind):
    system = rs.FideElo(start=1500, floor="none") if kind == "fide" else OURS[kind]()
    kernels, rows, rng = system.kernels(), pairs(system), np.random.default_rng(1)
    g = len(rows) // 2
    params = np.array([system.params()])[:, :, None]
    clocks = np.abs(rng.normal(0, 3, (g, 5)))
    results, edges = rng.integers(3, size=g) / 2, rng.choice([-1.0, 0.0, 1.0], g)
    games = np.stack([results, edges, rng.normal(0, 3, g), np.ones(g)], axis=1)
    made = specialise(all_kernels, f"{kind} kernels", **bindings(kernels, Constant().kernels(), Plan(draws=True), None))
    found = []
    for function in (made, plain(made)):
        out = np.zeros((g, 2)), np.zeros((g, len(kernels.Evidence._fields), 1)), np.zeros((3 * g, rows.shape[1], 1))
        function(params, rows, clocks, games, *out)
        found.append(out)
    assert np.isfinite(found[0][0]).all()
    for compiled, written in zip(*found, strict=True):
        assert compiled.tobytes() == written.tobytes()
