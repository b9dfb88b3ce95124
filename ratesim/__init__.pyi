# The one list of public names: `from .module import Name as Name`, sorted by module; `__all__` is made from it.
from . import analysis as analysis, calculator as calculator, plots as plots, theory as theory
from ._version import __version__ as __version__
from .bootstrap import Bootstrap as Bootstrap, bootstrap as bootstrap
from .calendars import (
    CALENDARS as CALENDARS,
    Calendar as Calendar,
    Every as Every,
    Lists as Lists,
    Months as Months,
    PerGame as PerGame,
    Seasons as Seasons,
    Whole as Whole,
)
from .chances import Draws as Draws, davidson as davidson, draw_chances as draw_chances, three_way as three_way
from .comparing import (
    Comparison as Comparison,
    by_players as by_players,
    compare as compare,
    diebold_mariano as diebold_mariano,
    games_needed as games_needed,
    holm as holm,
    resolvable as resolvable,
    skill_score as skill_score,
)
from .conduct import run as run
from .errors import InputError as InputError
from .folders import compare_folders as compare_folders
from .importing import (
    Filters as Filters,
    Imported as Imported,
    import_games as import_games,
    look_alikes as look_alikes,
    read as read,
    read_aliases as read_aliases,
)
from .inference import (
    Mean as Mean,
    Paired as Paired,
    mean as mean,
    month_blocks as month_blocks,
    paired as paired,
    time_blocks as time_blocks,
)
from .io import (
    ColumnMap as ColumnMap,
    Tournament as Tournament,
    read_fide_list as read_fide_list,
    read_starts as read_starts,
    read_trf as read_trf,
    tournament_games as tournament_games,
    tournament_starts as tournament_starts,
    write_games as write_games,
    write_trf as write_trf,
)
from .io.gamefile import GameFile as GameFile, scan as scan
from .listing import rating_lists as rating_lists, with_everybody as with_everybody
from .metrics import (
    METRICS as METRICS,
    Accuracy as Accuracy,
    Brier as Brier,
    CappedDeviance as CappedDeviance,
    LogLoss as LogLoss,
    Metric as Metric,
    RankedProbability as RankedProbability,
    ThreeWayLogLoss as ThreeWayLogLoss,
    accuracy as accuracy,
    brier as brier,
    capped_deviance as capped_deviance,
    log_loss as log_loss,
    rps as rps,
    three_way_log_loss as three_way_log_loss,
)
from .montecarlo import Study as Study, monte_carlo as monte_carlo
from .policies import (
    POLICIES as POLICIES,
    Bounded as Bounded,
    Constant as Constant,
    Fide as Fide,
    FiveThirtyEight as FiveThirtyEight,
    GlickoEffective as GlickoEffective,
    Harmonic as Harmonic,
    Policy as Policy,
    Product as Product,
    Steps as Steps,
    Tracking as Tracking,
    Uscf as Uscf,
)
from .ranges import Range as Range
from .replay import replay as replay, replay_many as replay_many
from .replaying.believed import Diagnostic as Diagnostic
from .replaying.in_force import k_in_force as k_in_force
from .replaying.run import Run as Run
from .replaying.saved import load_state as load_state
from .replaying.snapshots import Snapshot as Snapshot, snapshots as snapshots
from .replaying.streamed import StreamedRun as StreamedRun
from .report import write_report as write_report
from .sample import Sample as Sample, games_before as games_before, strata as strata
from .stream import GameStream as GameStream
from .sweep import Swept as Swept, sweep as sweep
from .systems import (
    BradleyTerry as BradleyTerry,
    Dwz as Dwz,
    Elo as Elo,
    EloMmr as EloMmr,
    Even as Even,
    FideElo as FideElo,
    FirstRate as FirstRate,
    Glicko as Glicko,
    Glicko2 as Glicko2,
    Glicko2PyPI as Glicko2PyPI,
    GlickoBoost as GlickoBoost,
    Lichess as Lichess,
    Melo as Melo,
    Published as Published,
    Readings as Readings,
    Stephenson as Stephenson,
    TrueSkill as TrueSkill,
    UscfElo as UscfElo,
    Velo as Velo,
    Vskf as Vskf,
    WengLin as WengLin,
    Whr as Whr,
    WinRate as WinRate,
)
from .systems.base import SYSTEMS as SYSTEMS
from .tuning import Fold as Fold, Parameter as Parameter, Tuning as Tuning, tune as tune
from .worlds import WORLDS as WORLDS, League as League, World as World
