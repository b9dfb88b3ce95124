"""Worlds that cannot be are refused in one line that says where, before anything is played."""

import pytest

from ratesim.cli import main
from ratesim.errors import InputError
from ratesim.experiment import read, worlds

SYSTEM = '[[system]]\nkind = "elo"\n'
BAD = [
    # numbers of players, games and rounds
    ("players = 0", "players = 0; expected a number at least 2 and at most 1e+07 (players)"),
    ("players = 1", "players = 1; expected a number at least 2"),
    ("players = 10.5", "players = 10.5; expected a number at least 2"),
    ("players = true", "players = True; expected a number at least 2"),
    ('players = "many"', "players = 'many'; expected a number at least 2"),
    ("rounds = 0", "rounds = 0; expected a number at least 1"),
    ("per_round = -1", "per_round = -1; expected a number at least 0"),
    ("days = 0", "days = 0.0; expected a number more than 0"),
    ("days = nan", "days = nan; expected a number"),
    ("replicates = 0", "replicates = 0; expected a number at least 1"),
    ("playrs = 5", "unknown key 'playrs'; did you mean 'players'?"),
    ("replicate = 5", "unknown key 'replicate'; did you mean 'replicates'?"),
    ('kind = "leage"', "unknown world 'leage'; did you mean 'league'?"),
    ("kind = 5", "missing key 'kind'; expected one of league"),
    # an unknown process, with the nearest name
    ('skills = "norml"', "skills: unknown skills 'norml'; did you mean 'normal'?"),
    ('skills = { kind = "fid" }', "skills: unknown skills 'fid'; did you mean 'fide'?"),
    ('changes = [{ kind = "wlak" }]', "changes 1: unknown change of skill 'wlak'; did you mean 'walk'?"),
    ('changes = ["walk", { kind = "jmup" }]', "changes 2: unknown change of skill 'jmup'; did you mean 'jump'?"),
    ('activity = [{ kind = "zpif" }]', "activity 1: unknown activity 'zpif'; did you mean 'zipf'?"),
    ('pairing = "swis"', "pairing: unknown pairing 'swis'; did you mean 'swiss'?"),
    ('outcomes = { kind = "davdson" }', "outcomes: unknown outcomes 'davdson'; did you mean 'davidson'?"),
    ('stress = ["rign"]', "stress 1: unknown stress 'rign'; did you mean 'ring'?"),
    ("skills = { sd = 100 }", "skills: missing key 'kind'; expected one of fide, "),
    ('skills = { kind = "normal", sdd = 1 }', "skills: unknown key 'sdd'; did you mean 'sd'?"),
    ('changes = { kind = "walk" }', "changes = {'kind': 'walk'}; expected a list"),
    # negative rates
    ('skills = { kind = "normal", sd = -1 }', "skills: sd = -1; expected a number at least 0"),
    ('changes = [{ kind = "walk", sd = -5 }]', "changes 1: sd = -5; expected a number at least 0"),
    ('changes = [{ kind = "walk", per = "-1d" }]', "changes 1: per = '-1d'"),
    ('changes = [{ kind = "jump", every = -1 }]', "changes 1: every = -1.0; expected a number at least 0"),
    ('activity = [{ kind = "zipf", exponent = -1 }]', "activity 1: exponent = -1; expected a number at least 0"),
    ('activity = [{ kind = "turnover", stay = -1 }]', "activity 1: stay = -1.0; expected a number at least 0"),
    ('outcomes = { kind = "logistic", draw = -0.1 }', "outcomes: draw = -0.1; expected a number at least 0"),
    # probabilities that do not sum, or are none
    ('outcomes = { kind = "fixed-draws", share = 1.2 }', "outcomes: share = 1.2; expected a number at least 0 and at"),
    ('outcomes = { kind = "rao-kupper", theta = 0.5 }', "outcomes: theta = 0.5; expected a number at least 1"),
    (
        'outcomes = { kind = "upsets", share = 1.5 }',
        "outcomes: share = 1.5; expected a number more than 0",
    ),
    ('activity = [{ kind = "breaks", share = 2 }]', "activity 1: share = 2; expected a number at least 0 and at"),
    # a pairing that needs more players
    (
        'players = 5\npairing = "round-robin"',
        "a round robin of 5 players, an odd number; expected an even number, or byes",
    ),
    ("players = 4\nper_round = 3\npairing = 'swiss'", "per_round = 3 in a Swiss tournament of 4 players; expected 2"),
    ("players = 10\npairing = { kind = 'clubs', clubs = 6 }", "6 clubs of 10 players; expected"),
    (
        'players = 4\nstress = [{ kind = "ring", count = 5 }]',
        "stress ring: 5 players of 4; expected 4 at the most",
    ),
    # what would begin after the end
    ("days = 100\nstress = [{ kind = 'sandbagging', since = 100 }]", "stress sandbagging: since = 100; expected a day"),
    ("days = 100\nchanges = [{ kind = 'jump', at = 500 }]", "jump: at = 500; expected a day before the end, 100"),
    # what contradicts itself
    (
        'shared = true\npairing = "swiss"',
        "shared = true, and pairing swiss looks at skills or results",
    ),
    ("newcomers = 0.5", "key 'newcomers'; expected none where there is no start"),
    ('pools = { names = ["rapid"] }', "pools: names = ['rapid']; expected two names of pools at least, each once"),
    ("skills = { kind = 'list', values = [] }", "skills: values = []; expected a list of at least 1"),
    ("players = [20, 20]", "'league players=20' stands twice; expected each value of a list once"),
    ("pairing = { kind = 'ladder', foo = 1 }", "pairing: unknown key 'foo'; expected one of reach, those of ladder"),
    ("pairing = { kind = 'uniform', foo = 1 }", "pairing: unknown key 'foo'; expected none, for uniform has none"),
    (
        "pairing = { kind = 'swiss', organiser = { kind = 'first-rate', sgima = 3 } }",
        "pairing, organiser: unknown key 'sgima'; expected ",
    ),
    ("changes = ['random-walk']", "changes 1: unknown change of skill 'random-walk'; did you mean 'walk'?"),
    ("changes = 'walk'", "changes = 'walk'; expected a list such as [{ kind = \"walk\" }]"),
    ("stress = { kind = 'ring', count = 4 }", "stress = {'kind': 'ring', 'count': 4}; expected a list such as [{ "),
    # what is true or false
    ("shared = 'yes'", "shared = 'yes'; expected true or false"),
    ("performances = 1", "performances = 1; expected true or false"),
    ("by_pool = 'on'", "by_pool = 'on'; expected true or false"),
    ("pairing = { kind = 'round-robin', byes = 'yes' }", "pairing: byes = 'yes'; expected true or false"),
    ("skills = { kind = 'list', values = [1], drawn = 1 }", "skills: drawn = 1; expected true or false"),
    ("skills = { kind = 'normal', sd = [] }", "skills: sd = []; expected a value, or a list of at least one"),
]


@pytest.mark.parametrize(("text", "line"), BAD, ids=[text.replace("\n", ", ") for text, _ in BAD])
def test_a_bad_world_is_refused_in_one_line(tmp_path, text, line):
    path = tmp_path / "a.toml"
    path.write_text(f"[world]\n{text}\n{SYSTEM}")
    said = []
    for reading in (read, worlds):
        with pytest.raises(InputError) as error:
            reading(path)
        said.append(str(error.value))
    assert said[0] == said[1]
    assert said[0].startswith((f"a.toml, world: {line}", f"a.toml, world, {line}"))
    assert "\n" not in said[0]


@pytest.mark.parametrize("words", [["run", "a.toml"], ["simulate", "a.toml", "-o", "games.parquet"]])
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('changes = ["wlak"]', "a.toml, world, changes 1: unknown change of skill 'wlak'; did you mean 'walk'?\n"),
        (
            "players = 3\nactivity = [{ kind = 'breaks', share = 1, length = 1000 }]",
            "a.toml, world: pairing uniform, round 0: fewer than two players are there; expected two players in every",
        ),
        (
            "rounds = 5\ndays = 100\nactivity = [{ kind = 'seasons', length = 1, every = 500, opens = 10 }]",
            "a.toml, world: no game is played: activity seasons closes all 5 rounds; expected a round in which",
        ),
        (
            "outcomes = { kind = 'fixed-draws', share = 1, beyond = 'refuse' }",
            "a.toml, world: outcomes fixed-draws, round 0: up to ",
        ),
    ],
)
def test_nothing_is_written_of_a_bad_world(tmp_path, monkeypatch, capsys, words, text, line):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.toml").write_text(f"[world]\n{text}\n{SYSTEM}")
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines(keepends=True)[-1].startswith(line)
    assert [path.name for path in tmp_path.iterdir()] == ["a.toml"]
