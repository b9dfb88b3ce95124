"""Tables by stage: what a game was played for, and what is multiplied there."""

from collections.abc import Mapping
from typing import Annotated, Final

import numpy as np
from pydantic import Field

from ..errors import InputError, nearest
from .base import Floats, Games

OTHER: Final = "other"  # every stage that a table does not name
NAMED: Final = 12  # stages that an error lists
Factor = Annotated[float, Field(ge=0.0, le=1000.0, strict=True)]
ByStage = dict[str, Factor]


def factors(table: Mapping[str, float], games: Games, where: str) -> Floats:
    """Return the factor of each game (G,) by its stage: where the table does not name that, what it has for `other`.

    Parameters
    ----------
    table : factor of each stage; without `other`, that of the rest is 1.
    where : what asks for it, for messages.

    Raises
    ------
    InputError : the stream has no stages, or none of a name that the table has.
    """
    if games.stage is None:
        raise InputError("the stream has no stages", where=where, expected="a column stage")
    for name in table:
        if name not in (OTHER, *games.stages):
            near = nearest(name, games.stages)
            some = f"{', '.join(games.stages[:NAMED])}{', ...' if len(games.stages) > NAMED else ''} or {OTHER}"
            raise InputError(f"no game has the stage '{name}'", where=where, expected="" if near else some, near=near)
    rest = table.get(OTHER, 1.0)
    return np.array([table.get(name, rest) for name in games.stages], dtype=np.float64)[games.stage]
