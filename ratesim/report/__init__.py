"""`report.html`: what a run folder holds, as one page that needs nothing else."""

from .page import Cell, Table, inline, page
from .scores import metrics_of, short
from .writing import complete, found_in, render, write_report

__all__ = ["Cell", "Table", "complete", "found_in", "inline", "metrics_of", "page", "render", "short", "write_report"]
