"""`ratesim simulate`: games of a world, with their truth, as files."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import InputError, nearest
from .options import Json, Plugin
from .output import apart, count, document, say, told_folders, writable

if TYPE_CHECKING:
    from ..experiment import Source
    from ..worlds.league import League


def simulate(
    world: Annotated[Path, typer.Argument(metavar="WORLD.toml", help="An experiment file; of it, [world] is read.")],
    *,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="GAMES.parquet", help="Games, as import has them.")],
    skills: Annotated[
        Path | None,
        typer.Option(metavar="FILE.parquet", help="Skills over time; default GAMES.skills.parquet beside the games."),
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Which world, where the file has several: by the name of runs.")
    ] = None,
    replicates: Annotated[int | None, typer.Option(min=1, metavar="N", help="Default: those of the file.")] = None,
    first: Annotated[int, typer.Option(min=0, metavar="N", help="The number of the first replicate.")] = 0,
    seed: Annotated[int | None, typer.Option(min=0, metavar="N", help="Default: that of the file.")] = None,
    plugin: Plugin = None,
    json: Json = False,
) -> None:
    """Write the games of a world, with the truth about them.

    The games are those that `ratesim run` plays, in a file as `ratesim import` writes it, with the expected score and
    both skills in each game, and the skills of all players over time in a second file. Replicate 731 alone
    (--first 731 --replicates 1) is replicate 731 of 1,000. They never stand in memory together.
    """
    writable(output, (".parquet",))
    skills = skills or output.with_suffix(".skills.parquet")
    writable(skills, (".parquet",))
    apart({"--output": output, "--skills": skills}, {"WORLD.toml": world, "--plugin": plugin})
    from ..experiment import worlds
    from ..registry import load_plugin
    from ..worlds.remarks import remarks
    from ..worlds.writing import write
    from .terminal import Terminal

    if plugin:
        load_plugin(plugin)
    header, sources = worlds(world)
    source = one_of(sources, name, world.name)
    law, seed = _league(source), header.seed if seed is None else seed
    numbers = range(first, first + (source.replicates if replicates is None else replicates))
    with Terminal(), told_folders(output, skills):
        try:
            made = write(law, seed, numbers, output, skills)
        except InputError as error:
            raise error if error.where else error.inside(source.where) from None
    notes = [*remarks(law)]
    if json:
        said = {"output": str(output), "skills": str(skills), "seed": seed, "replicates": [*numbers]}
        document({**said, **made._asdict(), "world": law.canonical(), "notes": notes})
        return
    for note in notes:
        say(f"{source.name}: {note}")
    typer.echo(
        f"{source.name}: {count(made.games, 'game')} of {count(made.players, 'player')} in "
        f"{count(len(numbers), 'replicate')}: {output}; skills at {count(made.moments, 'moment')}: {skills}"
    )


def one_of(sources: "tuple[Source, ...]", name: str | None, file: str) -> "Source":
    """Return the world that is meant."""
    names = [source.name for source in sources]
    if name is None and len(sources) == 1:
        return sources[0]
    if name in names:
        return sources[names.index(name)]
    near = nearest(name, names) if name else None
    expected = "" if near else f"one of {'; '.join(names)}"
    what = f"no world '{name}'" if name else f"{len(sources)} worlds, of which --name picks one"
    raise InputError(what, where=file, expected=expected, near=near)


def _league(source: "Source") -> "League":
    from ..worlds.league import League

    if not isinstance(source.world, League):
        kind = source.world.kind if source.world else ""
        raise InputError(f"world '{kind}' is not written as it is played", where=source.where, expected="a league")
    return source.world
