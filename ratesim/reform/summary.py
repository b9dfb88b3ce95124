"""What a comparison found, as one document."""

from typing import Any

from ..dates import date_on
from ..provenance import versions
from .comparing import Found, labels

MOST = 20  # players named


def summary(found: Found, notes: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return a comparison as JSON has it: terms, games, log loss, who is moved, all tables but that of players."""
    terms, stream = found.terms, found.runs[0].stream
    base, new = labels(terms)
    simulated = stream.replicate is not None
    return {
        "base": {"label": base, "policy": terms.base.canonical()},
        "new": {"label": new, "policy": terms.new.canonical()},
        "system": terms.system.canonical(),
        "calendar": found.runs[0].calendar.canonical(),
        "games": len(stream),
        "players": stream.n_players,
        "replicates": found.moved["replicates"],
        "first": None if simulated else str(date_on(float(stream.time[0]))),
        "last": None if simulated else str(date_on(float(stream.time[-1]))),
        "digest": stream.digest,
        "thresholds": list(terms.levels),
        "floor": found.floor,
        "seed": terms.seed,
        "level": terms.level,
        "log_loss": found.losses,
        "moved": {"by_more_than": terms.far, **found.moved, "most": found.tables["players"].head(MOST).to_dicts()},
        "tables": {name: frame.to_dicts() for name, frame in found.tables.items() if name != "players"},
        "notes": [*stream.notes, *notes],
        "versions": versions(),
    }
