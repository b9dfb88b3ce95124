"""The JSON Schema that editors use, held to what experiments may say."""

import tomllib
from pathlib import Path

import jsonschema
import pytest

from ratesim.cli.schema import experiment_schema

EXPERIMENTS = sorted((Path(__file__).resolve().parents[1] / "experiments").rglob("*.toml"))


@pytest.fixture(scope="module")
def validator():
    schema = experiment_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("path", EXPERIMENTS, ids=lambda path: path.stem)
def test_our_experiments_are_valid(path, validator):
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    assert [error.message for error in validator.iter_errors(table)] == []


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ('stream.games = "a.csv"\nsystem.kind = "elo"', True),
        ('stream.games = "a.csv"\nsystem.kind = ["elo", "glicko"]', True),
        ('stream.games = "a.csv"\nsystem = [{ kind = "elo", advantage = [0, 65], label = "x" }]', True),
        ('world = { players = [10, 100], skills = { kind = "normal", sd = [1, 2] } }\nsystem.kind = "elo"', True),
        (
            'world = [{ replicates = 5, changes = [{ kind = "walk", per = "1w" }, "career"] }]\nsystem.kind = "elo"',
            True,
        ),
        ('world.pools = { names = ["rapid", "blitz"], bridges = [0.1, 0.2] }\nsystem.kind = "elo"', True),
        ('world = { skills = ["normal", { kind = "fide" }] }\nsystem.kind = "elo"', True),
        ('world = { skills = { kind = "normal", sdd = 1 } }\nsystem.kind = "elo"', False),
        ('world = { skills = { kind = "walk" } }\nsystem.kind = "elo"', False),
        ('world = { skills = "norml" }\nsystem.kind = "elo"', False),
        ('world = { changes = { kind = "walk" } }\nsystem.kind = "elo"', False),
        ('world = { replicate = 5 }\nsystem.kind = "elo"', False),
        ('system.kind = "elo"', False),
        (
            (
                'stream.games = "a.csv"\nsystem = { kind = "glicko2", tau = { low = 0.2, high = 1.2 } }\n'
                'policy = { kind = "constant", k = [20, { low = 5, high = 80, scale = "log" }] }\n'
                'tune = { method = "random", budget = 10 }'
            ),
            True,
        ),
        ('stream.games = "a.csv"\nsystem = { kind = "elo", curve = { low = 1, high = 2 } }', False),
        ('stream.games = "a.csv"\nsystem = { kind = "elo", advantage = { low = 1, hihg = 2 } }', False),
        ('stream.games = "a.csv"\nsystem.kind = "elo"\ntune.trian = 0.5', False),
        ('world.skills = { kind = "normal", sd = { low = 1, high = 2 } }\nsystem.kind = "elo"', False),
        ('stream.games = "a.csv"\nsystem = { kind = "elo", advantge = 65 }', False),
        ('stream.games = "a.csv"\nsystem = { kind = "glico" }', False),
        ('stream.games = "a.csv"\nsystem = { kind = "glicko2", tau = -1 }', False),
        ('stream = { games = "a.csv", colums = {} }\nsystem.kind = "elo"', False),
        ('stream.games = "a.csv"\nsystem.kind = "elo"\nscore.clip = 0.7', False),
    ],
)
def test_right_and_wrong(text, right, validator):
    assert validator.is_valid(tomllib.loads(text)) is right
