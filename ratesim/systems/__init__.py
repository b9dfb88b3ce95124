"""Rating systems: one file each, registered by the import of that file."""

from .bradley_terry import BradleyTerry as BradleyTerry
from .dwz import Dwz as Dwz
from .elo import Elo as Elo
from .elo_mmr import EloMmr as EloMmr
from .even import Even as Even
from .fide import FideElo as FideElo
from .first_rate import FirstRate as FirstRate
from .glicko import Glicko as Glicko
from .glicko2 import Glicko2 as Glicko2
from .glicko2_pypi import Glicko2PyPI as Glicko2PyPI
from .glicko_boost import GlickoBoost as GlickoBoost
from .lichess import Lichess as Lichess
from .melo import Melo as Melo
from .published import Published as Published
from .readings import Readings as Readings
from .stephenson import Stephenson as Stephenson
from .trueskill import TrueSkill as TrueSkill
from .uscf import UscfElo as UscfElo
from .velo import Velo as Velo
from .vskf import Vskf as Vskf
from .weng_lin import WengLin as WengLin
from .whr import Whr as Whr
from .win_rate import WinRate as WinRate
