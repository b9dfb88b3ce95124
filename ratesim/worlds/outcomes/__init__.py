"""What comes of games: importing this registers ours."""

from .logistic import Logistic as Logistic
