"""Two run folders held against each other: what moved between them, and whether it matters."""

from .moved import compare_folders
from .said import said

__all__ = ["compare_folders", "said"]
