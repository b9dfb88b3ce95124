"""How skills lie when a world begins: importing this registers ours."""

from .fide import Fide as Fide
from .listed import Listed as Listed
from .normal import Normal as Normal
from .uniform import UniformSkills as UniformSkills
