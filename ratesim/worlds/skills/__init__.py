"""How skills lie when a world begins: importing this registers ours."""

from .normal import Normal as Normal
