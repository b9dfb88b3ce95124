"""The tables behind the figures: pure functions of what runs made, each with a caption that stands alone.

A drawing (`ratesim.plots`) knows nothing but its table, so a figure can be drawn again from a stored one, and what a
figure says can be tested without looking at it. `inspection` and `connectivity` say what is in a stream of games.
"""

from .bands import bands as bands
from .calibration import calibration as calibration
from .cold_start import cold_start as cold_start
from .connectivity import Connectivity as Connectivity, connectivity as connectivity
from .conventions import player_months as player_months, scaled_metrics as scaled_metrics
from .curves import curves as curves
from .excess import excess as excess
from .initial import initial as initial
from .inspection import inspection as inspection
from .monthly import monthly as monthly
from .movement import movement as movement
from .overview import overview as overview
from .points import season_points as season_points
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
from .reasons import (
    Agreement as Agreement,
    ScaleMap as ScaleMap,
    gainers as gainers,
    groups_moved as groups_moved,
    partings as partings,
    rank_agreement as rank_agreement,
    rank_changes as rank_changes,
    scale_map as scale_map,
)
from .recalibration import (
    calibration_error as calibration_error,
    recalibration as recalibration,
    reliability as reliability,
)
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
from .upsets import upsets as upsets
