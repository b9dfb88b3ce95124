"""Which system is better, by how much, and whether these games can tell: losses of many systems on the same games."""

from .compare import Asked, Comparison, common, compare, compare_sums
from .dyads import Players, by_players
from .many import TURNED, holm, verdict
from .power import games_needed, resolvable
from .series import Tested, diebold_mariano
from .skill import Skill, skill_of, skill_score

__all__ = [
    "TURNED",
    "Asked",
    "Comparison",
    "Players",
    "Skill",
    "Tested",
    "by_players",
    "common",
    "compare",
    "compare_sums",
    "diebold_mariano",
    "games_needed",
    "holm",
    "resolvable",
    "skill_of",
    "skill_score",
    "verdict",
]
