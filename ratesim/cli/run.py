"""`ratesim run`: play an experiment, or a folder of them."""

from pathlib import Path
from typing import Annotated

import typer


def run(experiment: Annotated[Path, typer.Argument(help="An experiment's TOML file, or a folder of them.")]) -> None:
    """Run an experiment, or each one of a folder."""
    del experiment
    raise NotImplementedError
