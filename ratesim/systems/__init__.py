"""Rating systems, one file each. Importing this package registers them."""

from . import (
    even as even,
    first_rate as first_rate,
    glicko2_pypi as glicko2_pypi,
    published as published,
)
