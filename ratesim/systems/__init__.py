"""Rating systems: one file each, registered by the import of that file."""

from .elo import Elo
from .even import Even
from .fide import FideElo
from .first_rate import FirstRate
from .glicko import Glicko
from .glicko2 import Glicko2
from .glicko2_pypi import Glicko2PyPI
from .published import Published
from .readings import Readings

__all__ = ["Elo", "Even", "FideElo", "FirstRate", "Glicko", "Glicko2", "Glicko2PyPI", "Published", "Readings"]
