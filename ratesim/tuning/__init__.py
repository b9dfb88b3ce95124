"""Parameters chosen by games, honestly: ranges searched on the past, the winner scored on what came after."""

from .api import tune as tune
from .space import Space as Space
from .tuning import Fold as Fold, Parameter as Parameter, Tuning as Tuning
