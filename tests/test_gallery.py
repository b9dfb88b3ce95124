"""A folder of experiments: each runs as by itself, and one page shows what they found."""

import html
import json
import re

import pytest

import ratesim as rs
from ratesim import gallery
from ratesim.errors import InputError

EXPERIMENT = """title = "{name}: what is asked?"
answer = \"\"\"
It is so,
by 3 points.
\"\"\"
more = "And <more>."
[world]
players = 8
rounds = 10
[[system]]
kind = "even"
[figures]
shares = true
main = "{main}"
"""

OLD = {"standings": [], "experiment": {"title": "Of old", "figures": {}}, "figures": []}  # before there were answers


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "studies"
    place.mkdir()
    for name, main in (("b two", "shares"), ("a-one", "")):
        (place / f"{name}.toml").write_text(EXPERIMENT.format(name=name, main=main))
    (place / "notes.txt").write_text("no experiment")
    return place


def test_each_runs_into_its_own_folder_and_a_page_shows_all(folder, tmp_path, call, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = call("run", folder, "--json")
    assert code == 0
    found = json.loads(out)
    assert list(found) == ["a-one", "b two"]
    for name, summary in found.items():
        assert summary == json.loads((tmp_path / "runs/studies" / name / "summary.json").read_text())
    assert "1 of 2: a-one.toml" in err
    assert "2 of 2: b two.toml" in err
    text = (tmp_path / "runs/studies/index.html").read_text()
    links, ids = set(re.findall(r'\bhref="([^"]*)"', text)), set(re.findall(r'\bid="([^"]*)"', text))
    said = html.unescape(" ".join(re.sub(r"<[^>]*>", " ", text).split()))
    assert said.count("It is so, by 3 points. And <more>.") == 2
    assert text.count("<svg") == text.count("<figcaption>") == 2
    assert {"#a-one", "a-one/report.html", "b%20two/report.html"} < links
    assert {link[1:] for link in links if link.startswith("#")} <= ids
    assert not [link for link in links if "//" in link]
    assert "default-src 'none'" in text
    for name, figure in (("a-one", "calibration"), ("b two", "shares")):
        caption = json.loads((tmp_path / f"runs/studies/{name}/tables/{figure}.json").read_text())["caption"]
        assert " ".join(caption.split()) in said


def test_one_alone_python_and_a_second_time_are_the_same(folder, tmp_path, call):
    whole = rs.run(folder, tmp_path / "whole")
    assert list(whole) == ["a-one", "b two"]
    alone = rs.run(folder / "a-one.toml", tmp_path / "alone")
    assert json.dumps(alone) == json.dumps(whole["a-one"])
    for file in ("report.html", "summary.json"):
        assert (tmp_path / "alone" / file).read_bytes() == (tmp_path / "whole/a-one" / file).read_bytes()
    before = (tmp_path / "whole/index.html").read_bytes()
    (tmp_path / "whole/b two/summary.json").unlink()  # as of one that was interrupted
    code, _, err = call("run", folder, "--out", tmp_path / "whole")
    assert (code, (tmp_path / "whole/index.html").read_bytes()) == (0, before)
    assert "the run is finished already" in err


def test_what_a_folder_lacks_is_one_line(tmp_path):
    place = tmp_path / "one"
    place.mkdir()
    for text, said in (
        (None, "one: no summary.json; expected a folder that `ratesim run` wrote"),
        ("{", "summary.json: is no JSON"),
        ("[]", "summary.json: is no summary of a run"),
        ('{"standings": []}', "one: summary.json without 'experiment'; expected a folder that this version of"),
        (json.dumps(OLD | {"experiment": {"title": "", "figures": {"main": "a"}}}), "one: no figure 'a'"),
    ):
        if text is not None:
            (place / "summary.json").write_text(text)
        with pytest.raises(InputError, match=re.escape(said)) as error:
            gallery.write(tmp_path, ["one"])
        assert "\n" not in str(error.value)
        assert not (tmp_path / "index.html").exists()
    (place / "summary.json").write_text(json.dumps(OLD))
    assert "Of old" in gallery.write(tmp_path, ["one"]).read_text()


def test_mistakes_are_one_line_before_anything_runs(folder, tmp_path, call):
    (tmp_path / "empty").mkdir()
    code, _, err = call("run", tmp_path / "empty")
    assert code == 2
    assert "empty: no experiments; expected a folder with TOML files" in err
    (tmp_path / "site").mkdir()
    (tmp_path / "site/index.html").write_text("<p>mine</p>")
    code, _, err = call("run", folder, "--out", tmp_path / "site")
    assert code == 2
    assert "holds an index.html that is not a gallery of ours" in err
    assert [each.name for each in (tmp_path / "site").iterdir()] == ["index.html"]
    with pytest.raises(InputError, match="not a gallery of ours"):
        rs.run(folder, tmp_path / "site")
    (folder / "a-one.toml").write_text(EXPERIMENT.format(name="a-one", main="share"))
    code, _, err = call("run", folder, "--out", tmp_path / "out")
    assert code == 2
    assert "a-one.toml, figures.main: no figure 'share'; did you mean 'shares'?" in err.splitlines()[-1]
    assert not (tmp_path / "out/index.html").exists()
