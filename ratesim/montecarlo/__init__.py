"""Many replicates of a world, simulated and rated block by block on all cores."""

from .driver import monte_carlo as monte_carlo
from .study import Study as Study
