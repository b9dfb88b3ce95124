"""Who meets whom: importing this registers ours."""

from .uniform import Uniform as Uniform
