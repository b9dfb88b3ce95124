"""The protocols of a rating system: four pure kernels, a whole stream at once, a fit anew."""

from .kernels import Kernel, Kernels
from .rater import SYSTEMS, Rater
from .refit import Fit, Fitter, Refit
from .seen import Floats, Games, Ints, Kept, Mask, Opening, Start, Told
from .system import Growing, System
from .whole import Found, Noted, WholeStream

__all__ = [
    "SYSTEMS", "Fit", "Fitter", "Floats", "Found", "Games", "Growing", "Ints", "Kept", "Kernel", "Kernels", "Mask",
    "Noted", "Opening", "Rater", "Refit", "Start", "System", "Told", "WholeStream",
]  # fmt: skip
