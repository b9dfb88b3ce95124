"""Worlds that games come from, with their truth: importing this registers ours."""

from .base import WORLDS as WORLDS, World as World
from .league import League as League
