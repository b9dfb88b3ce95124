"""What only a stream can show to be wrong is refused before anything is played, in one line, with nothing written."""

import pytest

from ratesim.cli import main

GAMES = "first,second,score,time\na,b,1,2020-01-01\nb,c,0,2020-02-01\n"
SYSTEM = '[[system]]\nkind = "elo"\n'
STREAM = '[stream]\ngames = "games.csv"\n'
WRONG = {
    "published": (
        STREAM + SYSTEM + '[[system]]\nkind = "published"\n',
        (
            "stream, system published: the stream has no published ratings; "
            "expected columns published_first and published_second"
        ),
    ),
    "twins": (
        '[[stream]]\nname = "x"\ngames = "games.csv"\n[[stream]]\nname = "y"\ngames = "games.csv"\n' + SYSTEM,
        "stream 2: has the very games of stream 'x'",
    ),
    "strangers": (
        '[stream]\ngames = "games.csv"\nstart = "start.csv"\n' + SYSTEM,
        "stream, start: none of its 1 players has a game; expected the names of the stream",
    ),
    "pools": (
        '[stream]\ngames = "games.csv"\nby_pool = true\n' + SYSTEM,
        "stream, columns: by_pool needs a column 'pool'; expected pool = ...",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_it_is_refused_before_anything_is_written(name, tmp_path, monkeypatch, capsys):
    text, said = WRONG[name]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.csv").write_text(GAMES)
    (tmp_path / "start.csv").write_text("player,rating\nnobody,1500\n")
    (tmp_path / "e.toml").write_text(text)
    assert main(["run", "e.toml", "--out", "out"]) == 2
    assert capsys.readouterr().err.strip().splitlines() == [f"e.toml, {said}"]
    assert not (tmp_path / "out").exists()


def test_baselines_take_no_notice_of_starts(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.csv").write_text(GAMES)
    (tmp_path / "start.csv").write_text("player,rating\na,1700\n")
    (tmp_path / "e.toml").write_text(STREAM + 'start = "start.csv"\n' + SYSTEM + '[[system]]\nkind = "even"\n')
    assert main(["run", "e.toml", "--out", "out"]) == 0, capsys.readouterr().err
    assert (tmp_path / "out" / "summary.json").exists()
