"""Why two systems differ: the games that parted them, one scale for both, who gains and who loses, changes of rank."""

from .figures import parting as parting, ranks as ranks, scales as scales
from .groups import careers_of as careers_of, gainers as gainers, groups_moved as groups_moved
from .partings import parted as parted, partings as partings
from .ranks import Agreement as Agreement, rank_agreement as rank_agreement, rank_changes as rank_changes
from .scale import ScaleMap as ScaleMap, rated_by_both as rated_by_both, scale_map as scale_map
