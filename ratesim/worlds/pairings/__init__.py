"""Who meets whom: importing this registers ours."""

from .closeness import Closeness as Closeness
from .uniform import Uniform as Uniform
