"""What the pages of docs/ print is run as printed, all of them in one folder, which the tour has used first."""

import io
import json
import re
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
import yaml
from printed import PROGRAMS, Command, Text, commands, printed
from undrawn import leave

import ratesim
from ratesim.cli import main

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
TOUR = DOCS / "tour.md"
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if "_build" not in page.parts and commands(page)]


def play(page, place):
    """Write the files and run our commands of a page, in its order; hold what is said to what is printed."""
    with chdir(place):
        for each in printed(page):
            if isinstance(each, Text):
                Path(each.name).write_text(each.text, encoding="utf-8")
            elif each.words[0] == "ratesim":
                run(each)


def run(command: Command):
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        code = main(command.words[1:])
    assert code == 0, f"{command}: {err.getvalue()}"
    expected = "\n".join(command.said).strip()
    assert not expected or like(expected, out.getvalue()), f"{command} says\n{out.getvalue()}"


def like(expected, said):
    """Whether that is what was said, whatever stands at three dots and however lines are broken."""
    pattern = re.escape(" ".join(expected.split()))
    return re.fullmatch(re.sub(r"(\\ )?\\\.\\\.\\\.(\\ )?", ".*", pattern), " ".join(said.split()))


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder as the tour leaves it; the figures of runs are left empty, as `undrawn` does."""
    place = tmp_path_factory.mktemp("docs")
    (place / "experiments").symlink_to(ROOT / "experiments")
    (place / "games.csv").write_bytes((ROOT / "experiments/games.csv").read_bytes())
    with pytest.MonkeyPatch.context() as patch:
        leave(patch.setattr)
        play(TOUR, place)
        yield place


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(DOCS).as_posix())
def test_what_a_page_prints_is_what_comes(page, place):
    if page != TOUR:
        play(page, place)
    assert (place / "runs").is_dir()
    assert {command.words[0] for command in commands(page)} <= PROGRAMS


def test_every_key_of_a_summary_is_told(place):
    summary = json.loads((place / "runs/first/summary.json").read_text(encoding="utf-8"))
    told = set(re.findall(r"`([\w.\[\]]+)`", (DOCS / "reference/results.md").read_text(encoding="utf-8")))
    assert summary.keys() <= told
    for of in ("streams", "runs", "paired"):
        assert summary[of][0].keys() <= told
    assert summary["runs"][0]["rests_on"].keys() <= told


def test_speeds_are_those_of_the_readme():
    table = (DOCS / "why.md").read_text(encoding="utf-8").partition("| | ratesim, forecasts kept")[2]
    numbers = re.findall(r"(?<![\d.,-])\d[\d.,]*\d", table.partition("The first use")[0].replace("100 periods", ""))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(numbers) > 4
    assert all(f"| {number} |" in readme for number in numbers)


def test_the_citation_is_of_this_version():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == ratesim.__version__
    assert cited.keys() >= {"cff-version", "message", "title", "authors"}
    assert all(author.keys() & {"name", "family-names"} for author in cited["authors"])


def test_three_dots_stand_for_anything_and_nothing_else_does():
    assert like("a  b\n...\nc 1.5", "a b\nwhatever\nc\n1.5\n")
    assert like("a\n...\nb", "a b")
    assert not like("a\n...\nb 1.5", "a b 1x5")
    assert not like("a", "a b")
