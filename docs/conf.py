"""Sphinx's settings: `sphinx-build -W docs docs/_build`."""

import sys
from pathlib import Path

from ratesim import __version__

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

project = "ratesim"
author = "the ratesim developers"
release = version = __version__
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
    "docstrings",
    "command_line",
    "experiment_keys",
    "public_names",
    "registries",
]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["_build"]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
default_role = "literal"  # what docstrings have between single backticks
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # shapes and units are in the docstrings, types beside them in the source
smartquotes_action = "D"  # dashes alone: R' is a rating, not a quotation
html_theme = "furo"
html_title = f"ratesim {release}"
html_show_copyright = False
html_show_sphinx = False
highlight_language = "text"  # of blocks that name none
