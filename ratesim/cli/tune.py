"""`ratesim tune`: choose parameters by the earlier games of an experiment, and score them on the later ones."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from .ending import kept
from .options import Json, Out, Plugin, Spread, Stream, Workers, Yes
from .output import document, table
from .run import may_write

SHOWN = 10  # settings left out that are printed; all stand in `tuning.json`


@kept()
def tune(
    experiment: Annotated[Path, typer.Argument(help="An experiment's TOML file, with ranges in it.")],
    *,
    stream: Stream = None,
    out: Out = None,
    workers: Workers = None,
    executor: Spread = "threads",
    plugin: Plugin = None,
    yes: Yes = False,
    json: Json = False,
) -> None:
    """Tune what has a range in an experiment, such as k = { low = 5, high = 80 }.

    Settings are chosen by the first games ([tune] says how many and how); the best is then held to the usual ones on
    the games after them. `ratesim run` does so too, and goes on from what is found here. An interrupted tuning goes on
    where it was.
    """
    from ..experiment import read
    from ..registry import load_plugin
    from ..spreading import check
    from ..store import Store
    from ..tuned import Workers, tune as tuned
    from .terminal import Terminal

    workers = workers if workers is not None else os.cpu_count() or 1
    check(executor, workers)
    if plugin:
        load_plugin(plugin)
    checked, store = read(experiment, stream), Store(out or Path("runs") / experiment.stem)
    may_write(store.folder, store.taken(checked.file), yes=yes)
    by = Workers(executor, workers, (plugin.resolve(),) if plugin else ())
    with Terminal() as watch:
        found = tuned(checked, store, by=by, many=yes, watch=watch)
    if json:
        document(found)
        return
    for each in found["tuning"]:
        _show(each)
    for line in found["notes"]:
        typer.echo(line)
    for each in found["figures"]:
        typer.echo(f"written: {store.folder / 'figures' / each['name']}.svg")


def _show(found: Mapping[str, Any]) -> None:
    """Print what was found of each parameter, and what choosing by the past was worth within what is tuned on."""
    level = f"{100 * found['tune']['level']:g} %"
    table([_row(each, level) for each in found["parameters"]], title=f"{found['run']}, {found['stream']}")
    typer.echo()
    rows = list(_folds(found))
    table(rows, title=f"mean {found['metric']} of the best of the past, fold by fold")
    typer.echo()
    if some := found["impossible"]:
        left_out = [{**each["values"], "why": each["why"]} for each in some[:SHOWN]]
        table(left_out, title=f"left out, {len(left_out):,} of {len(some):,}: values that do not go together")
        typer.echo()


def _row(parameter: Mapping[str, Any], level: str) -> dict[str, Any]:
    def ends(pair: tuple[float, float] | None) -> str:
        return "-" if pair is None else f"{pair[0]:.4g} to {pair[1]:.4g}"

    return {
        "parameter": parameter["name"],
        "range": ends((parameter["low"], parameter["high"])),
        "usual": parameter["usual"],
        "best": float(f"{parameter['best']:.4g}"),
        level: ends(parameter["interval"]),
        "not told from it": ends(parameter["alike"]),
        "at the edge": _edge(parameter),
    }


def _edge(parameter: Mapping[str, Any]) -> str:
    """Return at which end of its range the best lies, or which its interval reaches, or that nothing depends on it."""
    if parameter["idle"]:
        return "changes nothing"
    reached = [end for end in parameter["reaches"] if end != parameter["edge"]]
    cut = parameter["cut"] and f"none {'higher' if parameter['cut'] == 'high' else 'lower'} goes together"
    said = [*filter(None, [parameter["edge"], cut]), *(f"interval, {end}" for end in reached)]
    return "; ".join(said) or "no"


def _folds(found: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    best = {each["name"]: float(f"{each['best']:.4g}") for each in found["parameters"]}
    for each in found["folds"]:
        yield {
            "from": each["since"],
            "games": each["games"],
            **{name: float(f"{each['best'][name]:.4g}") for name in best},
            "loss": each["loss"],
            "usual": each["usual"],
            "best here": each["least"],
        }
    parts = {"train": "tuned on", "test": "after"}
    for part, name in parts.items():
        if found[part] is not None:
            usual = found["usual"][part]["mean"]
            yield {"from": name, "games": found[part]["n"], **best, "loss": found[part]["mean"], "usual": usual}
