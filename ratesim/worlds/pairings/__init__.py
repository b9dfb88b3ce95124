"""Who meets whom: importing this registers ours."""

from .arena import Arena as Arena
from .closeness import Closeness as Closeness
from .clubs import Clubs as Clubs
from .ladder import Ladder as Ladder
from .nearest import Nearest as Nearest
from .round_robin import RoundRobin as RoundRobin
from .schedule import Schedule as Schedule
from .swiss import Swiss as Swiss
from .uniform import Uniform as Uniform
