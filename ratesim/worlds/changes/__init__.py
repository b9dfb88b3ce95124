"""How skills change: importing this registers ours."""

from .career import Career as Career
from .improve import Improve as Improve
from .jump import Jump as Jump
from .ornstein_uhlenbeck import OrnsteinUhlenbeck as OrnsteinUhlenbeck
from .walk import Walk as Walk
