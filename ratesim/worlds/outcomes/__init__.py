"""What comes of games: importing this registers ours."""

from .blade_chest import BladeChest as BladeChest
from .davidson import Davidson as Davidson
from .fixed_draws import FixedDraws as FixedDraws
from .logistic import Logistic as Logistic
from .normal import Normal as Normal
from .rao_kupper import RaoKupper as RaoKupper
from .upsets import HeavyTails as HeavyTails, Upsets as Upsets
