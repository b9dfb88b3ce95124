"""What K policies do: K in force, speed against rest, whom a change of policy moves, what becomes of a pool.

How fast ratings follow a jump of skill and how much they wander at rest are among what ratings are worth beside the
truth: the tables and figures `jumps`, `jitter` and `settling` of `analysis.truth`.
"""

from .balance import CAUSES as CAUSES, balance as balance
from .by_group import (
    ORDER as ORDER,
    Losses as Losses,
    all_losses as all_losses,
    gains as gains,
    group_name as group_name,
    losses_by_group as losses_by_group,
    losses_by_year as losses_by_year,
)
from .by_year import by_year as by_year
from .careers import careers as careers
from .crossings import crossings as crossings
from .frontier import Drifting as Drifting, frontier as frontier
from .inflation import inflation as inflation, pool_over_time as pool_over_time
from .moved import bands_moved as bands_moved, moved as moved, players_moved as players_moved
