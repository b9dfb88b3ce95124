"""K policies: how far one game moves a rating, apart from the system that says in which direction.

A policy is parameters and one kernel, `gain(q, rating, career) -> K`; one K holds for all games of a period.
"""

from .base import MOST as MOST, POLICIES as POLICIES, K as K, Policy as Policy, PolicyKernels as PolicyKernels
from .bounded import Bounded as Bounded, Product as Product
from .constant import Constant as Constant, Tracking as Tracking
from .falling import (
    FiveThirtyEight as FiveThirtyEight,
    GlickoEffective as GlickoEffective,
    Harmonic as Harmonic,
    Uscf as Uscf,
)
from .fide import Fide as Fide, fide_base as fide_base, fide_gain as fide_gain
from .steps import Steps as Steps
