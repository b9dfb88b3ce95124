"""The tables behind the figures: pure functions of what runs made, each with a caption that stands alone.

A drawing (`ratesim.plots`) knows nothing but its table, so a figure can be drawn again from a stored one, and what a
figure says can be tested without looking at it. `inspection` and `connectivity` say what is in a stream of games.
"""

from .bands import bands as bands
from .calibration import calibration as calibration
from .connectivity import Connectivity as Connectivity, connectivity as connectivity
from .curves import curves as curves
from .initial import initial as initial
from .inspection import inspection as inspection
from .monthly import monthly as monthly
from .movement import movement as movement
from .overview import overview as overview
from .policies import (
    Drifting as Drifting,
    bands_moved as bands_moved,
    careers as careers,
    frontier as frontier,
    inflation as inflation,
    moved as moved,
    players_moved as players_moved,
    pool_over_time as pool_over_time,
)
from .pool_map import pool_map as pool_map
from .ratings import difference as difference, history as history
from .replicates import over_replicates as over_replicates
from .shares import shares as shares
from .table import (
    EmptyFigureError as EmptyFigureError,
    FigureTable as FigureTable,
    counted as counted,
    listed as listed,
)
from .truth import (
    convergence as convergence,
    gaps as gaps,
    losses_by_replicate as losses_by_replicate,
    truth_figures as truth_figures,
    truth_tables as truth_tables,
)
from .tuning import response as response
