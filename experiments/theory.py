"""Do the engine and the worlds keep the laws of ratings that are known on paper? Yes: docs/theory.md, which this makes.

    python experiments/theory.py [FILE]

Every law T1 to T13 that simulations can be held to stands beside one, whole, in a few minutes; always with the same
bytes. Where a law is exact, what was found differs by rounding only; where it is one of leading order, by less than the
tolerance that is stated.
"""

import sys
from pathlib import Path

import laws

HOME = Path(__file__).resolve().parents[1] / "docs" / "theory.md"
HEAD = """\
# Theory beside simulation

Made by `python experiments/theory.py`; `pytest -m slow tests/test_theory_simulated.py` makes it again and compares.
What the laws say, with equations and sources, is in `ratesim.theory`; the simulations are in `experiments/laws`.

Games are played in worlds (`ratesim.worlds`) and rated by the engine: `rs.Elo` and `rs.Glicko` through replays. Known
opponents have the rating that is their skill, and K 0. For T5, where each opponent is rated as the player is at that
moment, a session of the engine is led game by game. The unit s is 400 / ln 10 = 173.72 points, β = K / s, and v is
the variance of skills in units of s².

± is one standard error, over independent replicates; martingales whose mean is known to be 0, such as the surprises of
results, are taken out of means first (control variates). Of exact laws (T1, T2, T12) it is the bound of all rounding.
The tolerance is what a law of leading order may be off by; T3, T5 and T13's first period are exact, up to noise and
pools of finite size. Of T13's later periods no formula is known: what stands as theory there is the outcome of an
independent simulation, two digits of it.

A row agrees where theory and simulation differ by no more than the tolerance and about four standard errors (Student's
quantile): a true law fails one row in 15,800, one of T3 about the furthest of six players one in 2,600, an exact one
never.
"""
COLUMNS = ("law", "setting", "measured", "theory", "simulated", "±", "tolerance", "agrees")


def table(rows: list[laws.Row]) -> str:
    cells = [COLUMNS, ("---",) * 3 + ("---:",) * 4 + ("---",), *map(shown, rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


def shown(row: laws.Row) -> tuple[str, ...]:
    sizes = (f"{row.error:.1e}", "rounding") if row.exact else (f"{row.error:.2g}", f"{row.tolerance:.2g}")
    found = (f"{row.theory:.6g}", f"{row.found:.6g}")
    return (row.law, row.setting, row.measured, *found, *sizes, "yes" if row.agrees else "**no**")


def document(rows: list[laws.Row]) -> str:
    in_order = sorted(rows, key=lambda row: int(row.law.removeprefix("T")))
    return f"{HEAD}\n{table(in_order)}\n"


if __name__ == "__main__":
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else HOME
    found = [row for law in laws.LAWS for row in laws.rows(law, whole=True)]
    path.write_text(document(found), encoding="utf-8")
    print(path)
