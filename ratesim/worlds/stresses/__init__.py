"""Foul play and other trouble: importing this registers ours.

Unequal K and floors are no foul play but rules: see the policies and `floor` of `elo`.
"""

from .boosting import Boosting as Boosting
from .farming import Farming as Farming
from .ring import Ring as Ring
from .strengths import Engine as Engine, Sandbagging as Sandbagging
