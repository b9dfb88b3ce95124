"""Worked cases of others (../shared/facts/fide_cases.json), each as one question to the calculator."""

import json
from collections.abc import Callable
from dataclasses import fields
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from ratesim.calculator import fide

PATH = Path(__file__).resolve().parents[2] / "shared/facts/fide_cases.json"
RULE_OF_2022 = "2022-06-01"
PLAIN_CAP = "2025-09-30"  # the last day on which the cap is everybody's
CAREERS = {40: {"games": 0}, 20: {"games": 30}, 10: {"games": 0, "peak": 2400}}  # who has this K
OWN_VALUES = {  # where the source differs from the rules, or prints none: what they give, and why it does not
    "F-P02 period": (2405, "FIDE rounded this one period event by event: -6 + 4 + 8"),
    "document 0/1 1500v1000 win": (1.6, "the logistic curve with the cap: .909, where the table has .92"),
    "document 0/1 1500v1000 loss": (-18.4, "the logistic curve with the cap: .909, where the table has .92"),
    "document 2 1750v1810 win": (11.6, "the logistic curve: .4145, where the table has .42"),
    "document 2 1750v1810 win+draw": (13.2, "the logistic curve: .4145, where the table has .42"),
    "document 3 1985v1800 A wins": (10.4, "read off as .76/.24: the row of 185, 180-188, has .74/.26"),
    "document 3 1985v1800 B loses": (-10.4, "read off as .76/.24: the row of 185, 180-188, has .74/.26"),
    "document 3 initial 2/5 (text: avg 1700) under 2024 rule": (1679, "the formula of before March 2024"),
    "document 3 initial 0.5/5 under 2024 rule": (1499, "the formula of before March 2024"),
    "document 3 six opponents W=2": (1676, "no value is printed; 1675.5 is rounded half up"),
    "document 3 six opponents W=0.5": (1512, "no value is printed; 1511.5 is rounded half up"),
}


class Question(NamedTuple):
    verb: str
    words: list[Any]  # games, opponents or the rating
    options: dict[str, Any]
    answers: dict[str, Any]  # by key: what the source prints


Ask = Callable[[dict[str, Any], dict[str, Any], Any], Question]


def cases() -> list[dict[str, Any]]:
    return json.loads(PATH.read_text(encoding="utf-8")) if PATH.exists() else []


def question(case: dict[str, Any]) -> Question:
    """What is asked, with the answers that the source prints."""
    return KINDS[case["kind"]](case, case["input"], case.get("expected"))


def _gain(asked: dict[str, Any], date: str) -> dict[str, Any]:
    return {"rating": asked["rating"], "k": asked["K"], "date": date}


def _event(date: str | None) -> Ask:
    def ask(case: dict[str, Any], asked: dict[str, Any], printed: list[str]) -> Question:
        answers = dict(zip(("sum", "change"), printed, strict=True))
        return Question("change", asked["games"], _gain(asked, date or case["date"]), answers)

    return ask


def _game(case: dict[str, Any], asked: dict[str, Any], printed: float) -> Question:
    return Question("change", [(asked["opp"], asked["score"])], _gain(asked, PLAIN_CAP), {"change": printed})


def _rounded_game(case: dict[str, Any], asked: dict[str, Any], printed: int) -> Question:
    game = [(asked["opp"], asked["score"])]
    return Question("change", game, _gain(asked, "2025-10-01"), {"new_rating": asked["rating"] + printed})


def _games(case: dict[str, Any], asked: dict[str, Any], printed: float) -> Question:
    return Question("change", asked["games"], _gain(asked, "2025-10-01"), {"change": printed})


def _period(case: dict[str, Any], asked: dict[str, Any], printed: int) -> Question:
    """The last event that a player began under the list on which the period builds, beside the period's others."""
    player = case["id"].split()[0]
    events = [each for each in cases() if each["kind"] == "event change" and each["id"].startswith(player)]
    last = [each for each in events if each["input"]["rating"] == asked["base"]][-1]
    others = sum(Decimal(each["expected"][1]) for each in events if each is not last)
    options = {**_gain(last["input"], last["date"]), "other_events": others}
    assert Decimal(last["expected"][1]) + others == Decimal(asked["K_sum"])
    return Question("change", last["input"]["games"], options, {"new_rating": printed})


def _spread(asked: dict[str, Any]) -> list[tuple[int, float]]:
    """Opponents of whom only the points against all are known."""
    points = asked["W"]
    return [(opponent, min(max(points - n, 0), 1)) for n, opponent in enumerate(asked["opps"])]


def _round_robin(case: dict[str, Any], asked: dict[str, Any], printed: str) -> Question:
    return Question("change", _spread(asked), _gain(asked | {"K": 10}, case["date"]), {"sum": printed})


def _after_round_robin(case: dict[str, Any], asked: dict[str, Any], printed: int) -> Question:
    (event,) = (each for each in cases() if each["id"] == case["id"].replace(" new", " sum"))
    options = {**_gain(asked, event["date"]), "other_events": asked["other_events"]}
    return Question("change", _spread(event["input"]), options, {"new_rating": printed})


def _initial(case: dict[str, Any], asked: dict[str, Any], printed: int | None) -> Question:
    old = any(word in case.get("date", "") for word in ("2022 rule", "2022-01-01"))
    options = {"points": asked["W"], "date": RULE_OF_2022 if old else "2024-03-01"}
    if "Ra" in asked:
        options |= {"average": asked["Ra"], "games": asked["N"]}
    return Question("initial", asked.get("opps", []), options, {"rating": printed})


def _k(case: dict[str, Any], asked: dict[str, Any], printed: int) -> Question:
    career = {"rating": 2000, "peak": 2000, "born": 1980, **CAREERS[asked["K"]]}
    return Question("k", [], {**career, "period_games": asked["n"]}, {"base": asked["K"], "k": printed})


def _performance(case: dict[str, Any], asked: dict[str, Any], printed: int) -> Question:
    return Question("performance", asked["games"], {}, {"performance": printed})


def _one_off(case: dict[str, Any], asked: dict[str, Any], printed: int) -> Question:
    return Question("one-off", [asked["rating"]], {}, {"new_rating": printed})


KINDS: dict[str, Ask] = {
    "event change": _event(None),
    "event, 2022 one-upgrade rule": _event("2022-10-15"),
    "same event, unlimited cap": _event("2024-03-01"),
    "single game": _game,
    "single game rounded": _rounded_game,
    "change": _games,
    "period new rating": _period,
    "round robin sum": _round_robin,
    "new rating": _after_round_robin,
    "initial": _initial,
    "K": _k,
    "performance rating": _performance,
    "one-off": _one_off,
}


def by_python(asked: Question) -> dict[str, Any]:
    """The answers of the Python functions, by field."""
    match asked.verb:
        case "change" | "performance":
            options = dict(asked.options)
            first = [options.pop("rating")] if "rating" in options else []
            found = getattr(fide, asked.verb)(*first, [tuple(game) for game in asked.words], **options)
        case "initial":
            found = fide.initial(asked.words, **asked.options)
        case "k":
            found = fide.k_factor(**asked.options)
        case _:
            return {"new_rating": fide.one_off(*asked.words)}
    return {each.name: getattr(found, each.name) for each in fields(found)}


def by_words(asked: Question) -> list[str]:
    """The words of the command line that ask the same."""
    words = [":".join(map(str, each)) if isinstance(each, list | tuple) else str(each) for each in asked.words]
    options = [f"--{name.replace('_', '-')}={value}" for name, value in asked.options.items()]
    return ["fide", asked.verb, *options, "--json", *words]
