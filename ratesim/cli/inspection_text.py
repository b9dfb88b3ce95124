"""What `ratesim inspect` found, in words: numbers, and below them what they mean for ratings."""

import math
import shlex
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from .output import count

INDENT = 19  # of what lines say, behind their names
WIDTH = 110
NAMED = 5  # pools, stages
SHOWN = 3  # components, bridges
UNITS = {  # how many a day has, and the next unit
    "second": (86_400, 60), "minute": (1_440, 60), "hour": (24, 24), "day": (1, math.inf),
}  # fmt: skip
Facts = Mapping[str, Any]


class Line(NamedTuple):
    """A line of the text; without a name it says what the line above means, without anything it parts groups."""

    name: str = ""
    said: str = ""
    to_copy: bool = False  # as one line, however long

    def __str__(self) -> str:
        """Return it as it is printed."""
        whole = f"{self.name:<{INDENT}}{self.said}".rstrip()
        return whole if self.to_copy else textwrap.fill(whole, WIDTH, subsequent_indent=" " * INDENT)


def lines(found: Facts) -> Iterator[Line]:
    """Yield the text about what `ratesim.analysis.inspection` returned, with `file`, `header` and `columns`."""
    yield Line("file", found["file"], to_copy=True)
    yield from _games(found)
    yield Line()
    yield from _players(found)
    if found["connectivity"]["largest"]:
        yield from _connected(found["connectivity"], found["replicates"] or 1)
        yield from _results(found)
        yield from _sides(found["one_sided"], edge=found["edge"] is not None)
    yield Line()
    yield Line("optional columns", ", ".join(found["optional_columns"]) or "none")
    if found["header"]:
        yield Line("header", ", ".join(found["header"]))
    if found["columns"]:
        yield Line("columns", " ".join(f"--map {item}" for item in items(found["columns"])), to_copy=True)
    yield from (Line("note", note) for note in found["notes"])
    yield Line("digest", found["digest"], to_copy=True)


def items(table: Mapping[str, Any], prefix: str = "") -> list[str]:
    """Return a column map as the `--map` items that make it, quoted for a shell."""
    made: list[str] = []
    for key, value in table.items():
        if isinstance(value, dict):
            made += items(value, f"{prefix}{key}.")
        else:
            made.append(shlex.quote(f"{prefix}{key}={value}"))
    return made


def _games(found: Facts) -> Iterator[Line]:
    yield Line("games", f"{found['games']:,}")
    if found["weightless"]:
        yield Line("", f"{found['weightless']:,} of weight 0: none of those counts for a player below.")
    if not found["games"]:
        return
    if found["columns"].get("time") == "row":
        yield Line("dates", "none: the games stand in the order of the file")
    else:
        yield from _times(found)
    yield Line("scores", f"first scores {found['first_score']:.3f}; {percent(found['draws'])} of games are drawn")
    if edge := found["edge"]:
        who = "; nobody ever has it" if edge["score"] is None else f"; who has it scores {edge['score']:.3f}"
        shares = ", ".join(f"{name} {percent(edge[key])}" for name, key in EDGES.items())
        yield Line("edge", f"{shares} of games{who}")
    yield from _kept(found)


def _times(found: Facts) -> Iterator[Line]:
    clock = (
        f"with a clock, {percent(found['midnight'])} of games at 0:00" if found["midnight"] < 1 else "days, no clock"
    )
    yield Line("dates", f"{_moment(found['from'])} to {_moment(found['to'])} UTC ({clock})")
    shared = f"{percent(found['shared_stamps'])} of games share theirs with another"
    yield Line(
        "time stamps", f"{found['time_stamps']:,}; {shared if found['shared_stamps'] else 'no two games share one'}"
    )
    gaps = [f"{duration(gap['days'])} ({_between(gap)})" for gap in found["gaps"]]
    yield Line("longest gaps", ", ".join(gaps) or "none")


EDGES = {"first has it in": "first", "nobody in": "neutral", "second in": "second"}


def _kept(found: Facts) -> Iterator[Line]:
    """What the file carries besides: pools, stages, events, ratings of others."""
    for kind in ("pool", "stage"):
        if each_of := found[f"{kind}s"]:
            named = [f"{each[kind]} {each['games']:,}" for each in each_of[:NAMED]]
            more = f", {len(each_of) - NAMED:,} more" if len(each_of) > NAMED else ""
            yield Line(f"games by {kind}", ", ".join(named) + more)
    if events := found["events"]:
        yield Line("events", f"{events['events']:,}, the median one of {events['median_games']:,g} games")
    if rated := found["published"]:
        yield Line("published ratings", f"of both in {percent(rated['both'])} of games{_range(rated)}")
        if rated["higher_score"] is not None:
            yield Line(
                "",
                f"The higher rated score {rated['higher_score']:.3f}; "
                f"the logistic curve (400) expects {rated['expected_score']:.3f} of them.",
            )


def _range(rated: Facts) -> str:
    return "" if rated["low"] is None else f", from {rated['low']:,.0f} to {rated['high']:,.0f} points"


def _players(found: Facts) -> Iterator[Line]:
    if (replicates := found["replicates"] or 1) > 1:
        yield Line("replicates", f"{replicates:,} of a simulated world, each of players and games of its own")
    idle = found["players"] - found["played"]
    yield Line("players", f"{found['played']:,}" + (f", and {idle:,} listed without a game" if idle else ""))
    if quantiles := found["games_per_player"]:
        said = {"0%": "least {}", "50%": "half have {} or more", "95%": "one in 20 has {} or more", "100%": "most {}"}
        yield Line("games per player", ", ".join(text.format(f"{quantiles[q]:,.0f}") for q, text in said.items()))


def _connected(found: Facts, replicates: int) -> Iterator[Line]:
    parts, largest = found["components"], found["largest"]
    size = f"{count(largest['players'], 'player')} and {count(largest['games'], 'game')}"
    if parts == 1:
        yield Line("components", f"1, of {size}: games lead from everybody to everybody")
    else:
        yield Line("components", f"{parts:,}; the largest has {size}")
        named = [f"{count(each['players'], 'player')} ({', '.join(each['names'])})" for each in found["next"]]
        yield Line("", f"Next: {'; '.join(named[:SHOWN])}.")
        if replicates > 1:
            yield Line("", "Replicates never meet: each of these components is of one replicate.")
        yield Line("", "No games lead from one to another: ratings of different components cannot be compared.")
    if not found["bridges"]:
        yield Line("bridges", "none: no component hangs on the games of one pair")
    else:
        beyond = count(found["beyond_bridges"], "player")
        yield Line("bridges", f"{found['bridges']:,} pairs, who alone join {beyond} to the others")
        yield Line("", f"Most: {'; '.join(_bridge(each) for each in found['main_bridges'][:SHOWN])}.")
        yield Line("", "How those beyond compare with the others rests on the games of that one pair.")
    if found["strong_parts"] == 1:
        yield Line("strong parts", "1: everybody has scored against everybody along some chain of games")
    else:
        yield Line(
            "strong parts",
            f"{found['strong_parts']:,}, in each of which everybody has scored against everybody along some chain of "
            f"games; the largest has {count(found['largest_strong'], 'player')}",
        )
        yield Line("", "Across them there are no finite ratings of maximum likelihood; those of Elo or Glicko")
        yield Line("", "depend on where players start.")


def _bridge(each: Facts) -> str:
    return f"{count(each['players'], 'player')} on {each['near']} - {each['far']} ({count(each['games'], 'game')})"


def _results(found: Facts) -> Iterator[Line]:
    kinds = {"won all their games": "only_wins", "lost all": "only_losses", "drew all": "only_draws"}
    counts = ", ".join(f"{found[key]:,} {name}" for name, key in kinds.items())
    yield Line("one-sided results", f"{counts}; {found['one_game']:,} played one game")
    if found["only_wins"] or found["only_losses"]:
        yield Line("", "Wins alone, or losses alone, bound a rating on one side only.")


def _sides(found: Facts, *, edge: bool) -> Iterator[Line]:
    asked = found["players"]
    if not asked:
        return
    kinds = {"always first": "always_first", "always second": "always_second"}
    if edge:
        kinds |= {"always with the edge": "always_ahead", "always with it against them": "always_behind"}
    counts = ", ".join(f"{found[key]:,} {name}" for name, key in kinds.items())
    yield Line("sides", f"of {count(asked, 'player')} with {found['fewest']} games or more, {counts}")
    if found["always_first"] + found["always_second"] == asked:
        yield Line("", "Nobody changes sides: what it is worth to be first cannot be told from strength.")
    elif found["always_ahead"] + found["always_behind"]:
        yield Line("", "Of these, strength is known only as well as the size of the edge.")


def percent(share: float) -> str:
    """Return a share as people read it, never rounded to none or all.

    >>> percent(0.2273), percent(0.99996), percent(0.0), percent(0.0001)
    ('22.7 %', '> 99.9 %', '0 %', '< 0.1 %')
    """
    if share in {0, 1}:
        return f"{share:.0%}".replace("%", " %")
    return "< 0.1 %" if share < 0.001 else "> 99.9 %" if share > 0.999 else f"{100 * share:.1f} %"


def _moment(text: str) -> str:
    return text[:19].removesuffix(" 00:00:00")


def _between(gap: Facts) -> str:
    begins, ends = gap["from"], gap["to"]
    return f"{begins[:10]} to {ends[:10]}" if gap["days"] >= 1 else f"{begins[:19]} to {ends[:19]}"


def duration(days: float) -> str:
    """Return a number of days in the largest unit of which there is one.

    >>> duration(400.2), duration(1.5), duration(1 / 1440), duration(90 / 86400), duration(0.25 / 86400)
    ('400 days', '1.5 days', '1 minute', '1.5 minutes', '0.25 seconds')
    """
    unit, some = next((unit, some) for unit, (each, most) in UNITS.items() if (some := _rounded(days * each)) < most)
    some = some if unit == "second" else max(some, 1)
    return count(int(some), unit) if some == int(some) else f"{some:g} {unit}s"


def _rounded(number: float) -> float:
    return float(f"{number:.2g}") if number < 10 else round(number)
