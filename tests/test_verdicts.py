"""What a comparison says in words."""

import numpy as np

from ratesim.comparing import compare
from ratesim.verdicts import cells, rests_on, told

LABELS = {"a": "Elo", "b": "Glicko", "c": "even"}


def found(gaps, noise=1.0, games=800):
    """Compare runs whose losses lie so far above those of the first, games of 40 blocks, as summary.json has it."""
    luck = np.random.default_rng(5)
    base = luck.exponential(size=games)
    losses = {run: base + gap + noise * (gap > 0) * luck.normal(size=games) for run, gap in gaps.items()}
    made = compare(losses, np.arange(games) // (games // 40), seed=1, draws=200)
    table, pairs = (each.rename({"system": "run"}).to_dicts() for each in (made.table, made.pairs))
    return {"metric": "log_loss", "level": made.level, "table": table, "pairs": pairs}


def standing(runs):
    """Of so many runs, as summary.json has it."""
    return {"runs": [f"r{run}" for run in range(runs)], "in_hindsight": []}


def test_a_tie_is_called_one_with_what_it_takes():
    each = found({"a": 0.0, "b": 0.02, "c": 0.5})
    (pair,) = (pair for pair in each["pairs"] if (pair["run"], pair["against"]) == ("b", "a"))
    first, needed, worse = told(each, LABELS)
    assert first == "Elo comes first, but these games do not tell it from Glicko."
    assert f"a difference of {pair['resolvable']:.2g} in four of five cases" in needed
    assert needed.startswith("Glicko: ")
    assert needed.endswith(f"some {float(format(pair['needed'], '.2g')):,.0f} games.")
    assert worse == "Told from it, as worse: even."
    assert rests_on(each, standing(3)).endswith("(Holm); ranks and differences in the table are each for itself.")


def test_a_winner_is_called_one():
    each = found({"a": 0.0, "b": 1.0})
    assert list(told(each, LABELS)) == ["Elo comes first, and these games tell every other from it."]
    assert cells(each)["a"] == {"rank": "1", "behind": ""}
    assert cells(each)["b"]["behind"].startswith("+1.0")
    assert "Holm" not in rests_on(each, standing(2))


def test_two_that_forecast_alike_are_said_to():
    assert list(told(found({"a": 0.0, "b": 0.0}), LABELS)) == [
        "Elo comes first, but these games do not tell it from Glicko.",
        "Glicko forecasts alike.",
        "No run is told from it.",
    ]


def test_what_was_not_compared_has_no_cells():
    assert cells(None) == {}


def test_one_that_does_better_over_their_own_games_than_the_first_is_said():
    each = found({"a": 0.0, "b": 0.02, "c": 0.5})
    turned = [
        {**pair, "verdict": "better"} if pair["run"] == "c" and pair["against"] == "a" else pair
        for pair in each["pairs"]
    ]
    said = list(told({**each, "pairs": turned}, LABELS))
    assert said[0] == "Elo comes first over the games of all, but over those of both even does better."
    assert said[1] == "These games do not tell it from Glicko."
    assert "No run is told from it." not in said


def test_many_runs_are_said_to_be_more_than_were_held():
    each = found({"a": 0.0, "b": 1.0})
    assert rests_on(each, standing(40)).endswith("Of 40 runs the first 2 are held against each other.")


def test_one_in_hindsight_is_none_of_those_that_could_be_held():
    each = found({"a": 0.0, "b": 1.0})
    assert "held against each other" not in rests_on(each, {**standing(3), "in_hindsight": ["r2"]})
