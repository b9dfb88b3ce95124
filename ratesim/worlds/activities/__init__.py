"""Who plays, and how much: importing this registers ours."""

from .breaks import Breaks as Breaks
from .lognormal import LogNormal as LogNormal
from .seasons import Seasons as Seasons
from .turnover import Turnover as Turnover
from .zipf import Zipf as Zipf
