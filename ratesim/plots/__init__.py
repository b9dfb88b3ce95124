"""Drawings of figure tables: the only part that knows matplotlib.

A drawing is made from its table alone, at the width and font size asked for, and looks the same anywhere: text is
drawn as paths of matplotlib's own font, and a file carries no date. Only letters which that font lacks, as those of
Chinese or Japanese names, are taken from another that happens to be there.
"""

from .draw import DRAWINGS as DRAWINGS, draw as draw, save as save
from .style import Style as Style
