"""What an import found, as lines for people."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from .output import count

if TYPE_CHECKING:
    from ..importing.report import Imported

NAMED = 3  # examples that a line has


def lines(found: "Imported", rejects: Path | None) -> Iterator[str]:
    """Yield what was kept, what was not and why, and what may be wrong."""
    told = found.as_json()
    pools = told["pools"]
    yield (
        f"{found.output}: {count(told['games'], 'game')} of {count(found.players, 'player')}, "
        f"{told['from']} to {told['to']}"
    )
    if pools:
        yield f"pools: {_listed(pools)}"
    rough = {f"known by {kind} only": n for kind, n in told["precision"].items() if kind in {"month", "year", "event"}}
    if rough:
        yield f"times: {_listed(rough)}"
    for reason, n in found.left_out.items():
        yield f"left out: {n:,} {reason}"
    for reason, n in found.rejects.items():
        yield f"rejected: {n:,} {reason}"
    if found.rejects:
        yield f"          all listed in {rejects}" if rejects else "          --rejects FILE lists them"
    yield from _repeated(found)
    if found.renamed:
        yield f"renamed: players of {count(found.renamed, 'game')}"
    if found.unseen:
        more = f" and {len(found.unseen) - NAMED:,} more" if len(found.unseen) > NAMED else ""
        yield f"aliases that nobody had: {', '.join(found.unseen[:NAMED])}{more}"
    if found.names_alike:
        some = "; ".join(" = ".join(each["names"]) for each in found.look_alikes[:NAMED])
        yield f"names alike: {count(found.names_alike, 'group')}, such as {some}; --aliases FILE makes them one"


def _repeated(found: "Imported") -> Iterator[str]:
    repeated = found.repeated
    if repeated.exact:
        yield f"told twice: {count(repeated.exact, 'game')}, {'dropped' if repeated.dropped else 'kept'}"
    if repeated.clashes:
        yield f"one id, other players or result: {count(repeated.clashes, 'game')}, kept"
    if repeated.near:
        first = repeated.examples["near"][0]
        yield (
            f"maybe told twice: {count(repeated.near, 'game')} in two sources, kept, such as {first['first']} - "
            f"{first['second']} on {first['date']}"
        )


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {n:,}" for name, n in counts.items())
