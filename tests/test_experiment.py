"""What an experiment file becomes, and how its mistakes are said."""

from pathlib import Path

import pytest

from ratesim.errors import InputError
from ratesim.experiment import read
from ratesim.illustrate import chosen
from ratesim.keys import Figures, Header, Score, StreamTable
from ratesim.plan import load, plan
from ratesim.sample import Sample
from ratesim.worlds import WORLDS, League

EXPERIMENTS = Path(__file__).resolve().parents[1] / "experiments"
WORLD = "[world]\nplayers = 6\nrounds = 40\nper_round = 1\n"
EVEN = '[[system]]\nkind = "even"\n'


@pytest.fixture
def written(tmp_path):
    def write(text: str, name: str = "a.toml") -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def labels(path) -> list[str]:
    return [cell.label for cell in read(path).cells]


def test_the_grid_is_systems_by_policies_by_calendars(written):
    path = written(
        WORLD
        + EVEN
        + '[[system]]\nkind = "elo"\nadvantage = [0, 65]\n'
        + '[[policy]]\nkind = "constant"\nk = [10, 40]\n'
        + '[[calendar]]\nkind = "months"\n[[calendar]]\nkind = "per-game"\n'
    )
    assert labels(path) == [
        "even, months",
        "even, per-game",
        *(
            f"{elo}, constant k={k}, {calendar}"
            for elo in ("elo advantage=0", "elo advantage=65")
            for k in (10, 40)
            for calendar in ("months", "per-game")
        ),
    ]


def test_without_tables_a_system_takes_its_own_policy_and_calendar(written):
    cells = {
        c.system.kind: c for c in read(written(WORLD + EVEN + '[[system]]\nkind = ["elo", "fide", "glicko"]\n')).cells
    }
    assert cells["even"].policy is None
    assert (cells["elo"].policy.kind, cells["elo"].calendar.kind) == ("constant", "per-game")
    assert cells["fide"].policy.kind == "fide"
    assert (cells["glicko"].policy, cells["glicko"].calendar.kind) == (None, "months")


def test_a_policy_may_be_for_some_systems_only(written):
    path = written(
        WORLD + '[[system]]\nkind = ["elo", "fide"]\n[[policy]]\nkind = "constant"\nk = [10, 40]\nsystems = "elo"\n'
    )
    assert [cell.policy.label for cell in read(path).cells] == ["constant k=10", "constant k=40", "fide"]


@pytest.mark.parametrize(
    ("policies", "expected"),
    [
        ("", ["elo", "glicko"]),
        ('[[policy]]\nkind = "constant"\nk = 20\n', ["elo", "glicko"]),
        ('[[policy]]\nkind = "constant"\nk = 16\n', ["elo, constant k=16", "glicko"]),
        ('[[policy]]\nkind = "constant"\nlabel = "K"\n', ["elo, K", "glicko"]),
        ('[[policy]]\nkind = ["constant", "fide"]\n', ["elo, constant", "elo, fide", "glicko"]),
        ('[[policy]]\nkind = "product"\nof = [["fide", 0.5]]\n', ["elo, product of=[fide, 0.5]", "glicko"]),
    ],
)
def test_a_policy_is_in_the_label_where_the_file_chooses_or_it_says_more_than_its_kind(written, policies, expected):
    path = written(WORLD + '[[system]]\nkind = ["elo", "glicko"]\n' + policies + '[[calendar]]\nkind = "months"\n')
    assert labels(path) == expected


def test_labels_and_what_was_tuned_are_carried(written):
    path = written(
        WORLD + '[[system]]\nkind = "elo"\nlabel = "home"\nadvantage = [0, 65]\ntuned_on = "matches before 2000"\n'
    )
    assert labels(path) == ["home advantage=0", "home advantage=65"]
    assert {cell.tuned_on for cell in read(path).cells} == {"matches before 2000"}


def test_worlds_have_axes_and_replicates(written):
    path = written("[world]\nplayers = [5, 6]\nrounds = 40\nreplicates = 2\n" + EVEN)
    loaded = load(read(path))
    assert [each.source.name for each in loaded] == ["league players=5", "league players=6"]
    assert [each.stream.n_players for each in loaded] == [10, 12]
    assert [each.stream.players["replicate"].n_unique() for each in loaded] == [2, 2]
    runs = plan(read(path), loaded)
    assert len({run.id for run in runs}) == len({run.label for run in runs}) == 2


def test_an_address_holds_all_that_a_run_depends_on(written):
    def ids(text: str) -> list[str]:
        experiment = read(written(text))
        return [run.id for run in plan(experiment, load(experiment))]

    (base,) = ids(WORLD + EVEN)
    assert ids('title = "another"\n' + WORLD + EVEN + "[figures]\ntop = 1\n") == [base]
    assert ids("seed = 2\n" + WORLD + EVEN) != [base]
    assert ids(WORLD + EVEN + '[[calendar]]\nkind = "months"\n') != [base]
    assert ids(WORLD + '[[system]]\nkind = "first-rate"\n') != [base]


def test_players_of_the_figures_are_those_named_or_with_most_games(written):
    (games,) = (written("first,second,score,time\nA,B,1,0\nC,B,1,1\nC,D,1,2\nC,A,0,3\n", "games.csv"),)
    text = f'[stream]\ngames = "{games.name}"\n' + EVEN
    (loaded,) = load(read(written(text + "[figures]\ntop = 2\n")))
    assert loaded.drawn.players == ["C", "A"]
    (loaded,) = load(read(written(text + '[figures]\nplayers = ["D"]\n')))
    assert loaded.drawn.players == ["D"]


def test_runs_of_the_figures_are_those_named_in_that_order_or_the_first_of_each_kind(written):
    text = WORLD + EVEN + '[[system]]\nkind = "elo"\nadvantage = [0, 65]\n'
    for figures, shown in (
        ("", ["even", "elo advantage=0"]),
        ('[figures]\nruns = ["elo advantage=65", "elo advantage=0"]\n', ["elo advantage=65", "elo advantage=0"]),
    ):
        experiment = read(written(text + figures))
        runs = plan(experiment, load(experiment))
        assert [run.label for run in chosen(runs, experiment.figures.runs)] == shown


def test_players_of_a_world_begin_as_a_table_beside_the_file_says(written):
    written("player,rating\nP2,1900\n", "start.csv")
    (loaded,) = load(read(written(WORLD + 'start = "start.csv"\n' + EVEN)))
    assert loaded.start.rows() == [("P2", 1900.0)]


def test_a_stream_option_takes_the_place_of_the_one_file(written):
    written("first,second,score,time\nA,B,1,0\n", "mine.csv")
    path = written('[stream]\nname = "x"\ngames = "theirs.csv"\n' + EVEN)
    (loaded,) = load(read(path, path.parent / "mine.csv"))
    assert len(loaded.stream) == 1
    with pytest.raises(InputError, match="0 streams come from files"):
        read(written(WORLD + EVEN), path.parent / "mine.csv")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("title = ", "a.toml: not TOML: Invalid value (at end of document)"),
        (
            WORLD + EVEN + '[[system]]\nkind = "elo"\nadvantge = 65\n',
            "a.toml, system 2: unknown key 'advantge'; did you mean 'advantage'?",
        ),
        (WORLD + '[[system]]\nkind = "glico2"\n', "a.toml, system 1: unknown system 'glico2'; did you mean 'glicko2'?"),
        ("sed = 1\n" + WORLD + EVEN, "a.toml: unknown key 'sed'; did you mean 'seed'?"),
        ("seed = -1\n" + WORLD + EVEN, "a.toml: seed = -1; expected a number at least 0 (whole number)"),
        (WORLD, "a.toml: no system; expected at least one table [[system]]"),
        (EVEN, "a.toml: no stream and no world; expected a table [stream] with games = FILE, or a table [world]"),
        ("[stream]\n" + EVEN, "a.toml, stream: missing key 'games'"),
        ("system = 3\n" + WORLD, "a.toml: system = 3; expected tables [[system]]"),
        (WORLD + EVEN + EVEN, "a.toml, system 2: 'even' stands twice; expected each run once"),
        (
            WORLD + EVEN + EVEN + 'label = "half"\n',
            "a.toml, system 2: 'half' is the same as 'even'; expected each run once",
        ),
        (
            WORLD + '[[system]]\nkind = "elo"\nadvantage = [65, 65]\n',
            "a.toml, system 1: 'elo advantage=65' stands twice; expected each run once",
        ),
        (
            WORLD + EVEN + '[[system]]\nkind = "elo"\nlabel = "even"\n',
            "a.toml, system 2: two different runs are called 'even'; expected each with a label of its own",
        ),
        (
            WORLD.replace("40", "100000000000") + EVEN,
            "a.toml, world: rounds = 100000000000; expected a number at least 1 and at most 1e+06 (rounds)",
        ),
        (WORLD + "replicates = 1000000\n" + EVEN, "a.toml, world: replicates = 1000000; expected a number at least 1"),
        (
            WORLD + "outcomes = { kind = 'logistic', draw = -1 }\n" + EVEN,
            "a.toml, world, outcomes: draw = -1; expected a number at least 0 and at most 1e+06 (ratio)",
        ),
        (
            WORLD + EVEN + '[score]\nmetrics = ["brier", "accuracy", "brier"]\n',
            "a.toml, score: metrics: 'brier' stands twice; expected each once",
        ),
        (
            WORLD + EVEN + '[score]\nmetrics = ["log_loss", { kind = "log_loss", clip = 0.1 }]\n',
            "a.toml, score: metrics: 'log_loss' stands twice; expected each once",
        ),
        (
            WORLD + EVEN + '[score]\nstrata = ["year", "year"]\n',
            "a.toml, score: strata: 'year' stands twice; expected each once",
        ),
        (
            WORLD + EVEN + '[score]\nmetrics = ["capped_deviance"]\nclip = 0.02\n',
            "a.toml, score: key 'clip'; expected it where log_loss is among metrics, and has none",
        ),
        (
            WORLD + EVEN + '[score]\nmetrics = [{ kind = "log_loss", clip = 0.1 }]\nclip = 0.02\n',
            "a.toml, score: key 'clip'; expected it where log_loss is among metrics, and has none",
        ),
        (
            WORLD + EVEN + "[score]\nsince = 2021-01-02\nuntil = 2021-01-01\n",
            "a.toml, score: since = 2021-01-02 is later than until = 2021-01-01; expected since first",
        ),
        (
            WORLD + EVEN + '[figures]\nplayers = ["P1", "P2", "P1"]\n',
            "a.toml, figures: players: 'P1' stands twice; expected each once",
        ),
        (
            WORLD + EVEN + '[figures]\nruns = ["even", "even"]\n',
            "a.toml, figures: runs: 'even' stands twice; expected each once",
        ),
        (
            WORLD + EVEN + '[figures]\nplayers = ["P1"]\ntop = 3\n',
            "a.toml, figures: key 'top'; expected none where there are players",
        ),
        (
            WORLD + EVEN + '[[system]]\nkind = "glicko"\n[[calendar]]\nkind = "per-game"\n',
            "a.toml, system 2, system glicko, key per: under 'per-game' no period has a length that growth could go by",
        ),
        (
            WORLD + EVEN + '[[policy]]\nkind = "constant"\nsystems = "elo"\n',
            "a.toml, policy 1: systems = 'elo'; expected one of those here that take a policy (there is none)",
        ),
        (
            WORLD + EVEN + '[[policy]]\nkind = "constant"\n',
            "a.toml, policy 1: policy 'constant'; expected a system that takes one",
        ),
        (
            WORLD + 'columns = { first = "white" }\n' + EVEN,
            "a.toml, world: unknown key 'columns'",
        ),
        (
            '[stream]\ngames = "g.csv"\nreplicates = 2\n' + EVEN,
            "a.toml, stream: unknown key 'replicates'; expected one of name, start, ",
        ),
        (
            WORLD + '[[system]]\nkind = "elo"\n[[policy]]\nkind = "constant"\nk = -5\n',
            "a.toml, policy 1: k = -5",
        ),
        (
            WORLD + EVEN + '[score]\nmetrics = ["logloss"]\n',
            "a.toml, score: unknown metric 'logloss'; did you mean 'log_loss'?",
        ),
        (WORLD + EVEN + '[score]\nstrata = ["yaer"]\n', "a.toml, score: unknown strata 'yaer'; did you mean 'year'?"),
        (WORLD + EVEN + "[score]\nclip = 0.7\n", "a.toml, score: clip = 0.7; expected a number more than 0"),
        (WORLD + EVEN + "[figures]\ntopp = 3\n", "a.toml, figures: unknown key 'topp'; did you mean 'top'?"),
        (WORLD + EVEN + '[figures]\nruns = ["evn"]\n', "a.toml, figures: no run 'evn'; did you mean 'even'?"),
        (WORLD + '[[system]]\nkind = "even"\nlabel = 3\n', "a.toml, system 1: label = 3; expected text"),
        (
            "[world]\nplayrs = 5\n" + EVEN,
            "a.toml, world: unknown key 'playrs'; did you mean 'players'?",
        ),
        (
            "[world]\nreplicate = 5\n" + EVEN,
            "a.toml, world: unknown key 'replicate'; did you mean 'replicates'?",
        ),
        (
            '[stream]\ngames = "g.csv"\ncolumns = { frist = "x" }\n' + EVEN,
            "a.toml, stream, columns: unknown key 'frist'; did you mean 'first'?",
        ),
    ],
)
def test_a_mistake_in_the_file_is_one_line(written, text, line):
    with pytest.raises(InputError) as error:
        read(written(text))
    assert str(error.value).startswith(line)
    assert "\n" not in str(error.value)


def test_a_file_that_begins_with_a_mark_of_its_encoding_is_read(written):
    path = written("\ufefftitle = 'ü'\n" + WORLD + EVEN)
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")
    assert read(path).header.title == "ü"


def test_a_world_that_does_not_fit_in_memory_is_one_line(written, monkeypatch):
    def simulate(self, seed, replicates):
        raise MemoryError

    experiment = read(written(WORLD + EVEN))
    monkeypatch.setattr(League, "simulate", simulate)
    with pytest.raises(InputError) as error:
        load(experiment)
    said = "league players=6 rounds=40 per_round=1 does not fit in memory; expected fewer games, players or replicates"
    assert str(error.value) == f"a.toml, world: {said}"


@pytest.mark.parametrize("model", [Header, StreamTable, Score, Figures, Sample, *WORLDS.kinds().values()])
def test_every_key_is_described(model):
    assert [name for name, field in model.model_fields.items() if name != "kind" and not field.description] == []


def test_a_missing_file_of_games_says_where_to_get_it(written):
    path = written('source = "https://example.org (CC0)"\n[stream]\ngames = "games.csv"\n' + EVEN)
    with pytest.raises(InputError, match=r"a.toml, stream: no file .*games.csv; expected https://example.org \(CC0\)"):
        load(read(path))


def test_a_player_that_no_stream_has_is_said(written):
    with pytest.raises(InputError, match=r"a\.toml, figures: no player 'Nobody'"):
        load(read(written(WORLD + EVEN + '[figures]\nplayers = ["Nobody"]\n')))


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read(tmp_path / "no.toml")


@pytest.mark.parametrize("path", sorted(EXPERIMENTS.rglob("*.toml")), ids=lambda path: path.stem)
def test_our_experiments_are_right_and_name_the_source_of_games_not_ours(path):
    experiment = read(path)
    assert experiment.header.title
    if any(source.path for source in experiment.sources):
        assert "https://" in experiment.header.source
        header = path.read_text(encoding="utf-8").partition("title =")[0]
        assert "licence" in header


def test_a_calendar_that_the_stream_cannot_keep_is_said_before_anything_runs(written):
    experiment = read(written(WORLD + EVEN + '[[calendar]]\nkind = "seasons"\n'))
    with pytest.raises(InputError, match=r"^a\.toml, world.*needs a column 'season'"):
        plan(experiment, load(experiment))
