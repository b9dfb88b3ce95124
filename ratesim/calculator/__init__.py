"""What a player could work out by hand: expected scores, changes, first ratings, performances, K.

Pure functions on a few numbers. The tables, the rules by date and the kernels are those that the engine replays with.
"""

from . import elo as elo, fide as fide
