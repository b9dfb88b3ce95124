"""Names that may be one player's: which are found, which are not, and that many names take no pairs."""

import re
import unicodedata
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, strategies as st

from ratesim.importing.lookalikes import look_alikes

SHARED = Path(__file__).resolve().parents[2] / "shared/data"


def groups(*names: str) -> list[tuple[str, set[str]]]:
    found = look_alikes(pl.Series(names, dtype=pl.String))
    assert found.schema["group"] == pl.Int64
    assert found["group"].unique().to_list() == list(range(found["group"].n_unique()))
    parts = found.partition_by("group", maintain_order=True)
    assert all(part["kind"].n_unique() == 1 for part in parts)
    return [(part["kind"][0], set(part["name"])) for part in parts]


@pytest.mark.parametrize(
    ("kind", "alike"),
    [
        ("case", {"McShane, Luke", "mcshane, luke", "MCSHANE,LUKE "}),
        ("case", {"O'Kelly", "OKelly", "o\u2019kelly"}),
        ("case", {"Berezovska , Svetlana", "Berezovska, Svetlana"}),
        ("case", {"Vachier-Lagrave, Maxime", "Vachier Lagrave, Maxime"}),
        ("case", {"Müller", "Mu\u0308ller", "MÜLLER"}),
        ("case", {"Großwardein", "GROSSWARDEIN"}),
        ("accents", {"Kámský, Gata", "Kamsky, Gata"}),
        ("accents", {"Sørensen", "Sorensen"}),
        ("accents", {"Łódź", "Lodz"}),
        ("accents", {"İstanbul", "Istanbul", "\u0131stanbul"}),
        ("accents", {"Алёхин", "Алехин"}),
        ("order", {"Carlsen, Magnus", "Magnus Carlsen", "carlsen magnus"}),
        ("order", {"De Groot, Jan", "DeGroot, Jan", "Jan de Groot"}),
        ("order", {"Ju, Wenjun", "Wenjun Jú"}),
        ("initials", {"Adams, M", "Adams, Michael"}),
        ("initials", {"Adams,M.", "Adams, Mark", "Adams, Michael"}),
        ("initials", {"Adams, M J", "Adams, Michael"}),
        ("initials", {"M. Adams", "Adams, Michael"}),
        ("initials", {"Adams M", "Michael Adams"}),
        ("initials", {"J. van der Berg", "Jan van der Berg"}),
        ("initials", {"J. F. Kennedy", "John F. Kennedy", "Kennedy, John"}),
        ("initials", {"Ödegaard, M", "Odegaard, Martin"}),
    ],
)
def test_names_that_may_be_one_are_found(kind, alike):
    others = ("Nobody, Else", "Adamsson, M", "Carlson, Magnus", "Someone")
    assert groups(*alike, *others) == [(kind, alike)]


@pytest.mark.parametrize(
    "names",
    [
        ("12345", "12-345", "1 2345"),
        ("...", "---", "", " "),
        ("john_doe", "johndoe", "john__doe"),
        ("user1", "user2", "user10"),
        ("Adams, Michael", "Adams, Mark", "Adams, Mary"),
        ("Adams, M", "Adamson, Michael", "Adams, John"),
        ("South Korea", "North Korea", "Korea"),
        ("राम", "रम"),
        ("か", "が"),
        ("Smith, 1", "Smith, 12"),
        ("Guinea", "Guinea-Bissau", "Equatorial Guinea"),
    ],
)
def test_names_of_others_are_not(names):
    assert groups(*names) == []


def test_a_name_may_be_in_a_group_of_initials_too():
    full, short = {"Adams, Michael", "Michael Adams"}, {"Adams, M", "M Adams"}
    assert groups(*short) == [("order", short)]
    assert groups(*full, *short) == [("order", short), ("order", full), ("initials", full | short)]


def test_the_same_name_twice_is_no_group():
    assert groups("Ding", "Ding", "Ding") == []
    assert look_alikes(pl.Series(["A", None, "a"]))["name"].to_list() == ["A", "a"]
    assert look_alikes(pl.Series([], dtype=pl.String)).height == 0
    assert look_alikes(pl.Series(["B", "b", "B"], dtype=pl.Categorical))["name"].to_list() == ["B", "b"]


def test_the_order_of_names_changes_nothing():
    names = ["b", "B", "Ä", "a", "x y", "y, x", "Z, K", "Z, Kim"]
    want = look_alikes(pl.Series(names))
    for seed in range(5):
        assert look_alikes(pl.Series(names).shuffle(seed)).equals(want)
    assert want["kind"].to_list() == [*["case"] * 2, *["accents"] * 2, *["order"] * 2, *["initials"] * 2]


def slow_key(name: str) -> str:
    """The letters of a name by Python's own tables, for names of Latin letters without ligatures."""
    return "".join(c for c in unicodedata.normalize("NFKD", name).casefold() if c.isalnum())


@given(st.lists(st.text("aAbBéÉ ,.-'1", max_size=5), max_size=30))
def test_groups_are_those_that_pythons_tables_give(names):
    lettered = {name for name in names if any(c.isalpha() for c in name)}
    keys = {
        name: {slow_key(name), (*sorted(slow_key(word) for word in re.split(r"[ ,.'-]+", name) if word),)}
        for name in lettered
    }
    parts: list[set[str]] = []
    for name in lettered:
        tied = [part for part in parts if any(keys[name] & keys[other] for other in part)]
        parts = [part for part in parts if part not in tied] + [{name}.union(*tied)]
    found = look_alikes(pl.Series(names, dtype=pl.String)).filter(pl.col("kind") != "initials")
    grouped = [set(part["name"]) for part in found.partition_by("group")]
    assert sorted(map(sorted, grouped)) == sorted(sorted(part) for part in parts if len(part) > 1)


@pytest.mark.data
@pytest.mark.skipif(not SHARED.exists(), reason="needs the games in ../shared")
def test_real_names():
    text = (SHARED / "chess_fide_rapid/women_world_rapid_2024.pgn").read_text(encoding="utf-8")
    women = re.findall(r'^\[(?:White|Black) "(.*)"\]', text, re.MULTILINE)
    assert len(set(women)) == 110
    assert groups(*women) == []
    assert groups(*women, "Humpy Koneru", "Lagno, K.", "SVETLANA BEREZOVSKA", "Tan Zhongyi") == [
        ("case", {"Tan, Zhongyi", "Tan Zhongyi"}),
        ("order", {"Berezovska , Svetlana", "SVETLANA BEREZOVSKA"}),
        ("order", {"Koneru, Humpy", "Humpy Koneru"}),
        ("initials", {"Lagno, Kateryna", "Lagno, K."}),
    ]
    football = pl.read_csv(SHARED / "football/results.csv", infer_schema=False)
    teams = pl.concat([football["home_team"], football["away_team"].alias("home_team")]).unique()
    assert groups(*teams) == []


def test_many_names_take_no_pairs():
    count = 100_000
    names = [f"Fam{k % 5000:x}, {'ABCDEFGHIJ'[k % 10]}{'nmlk'[k % 4]}{k:x}" for k in range(count)]
    found = look_alikes(pl.Series([*names, "FAM1, " + names[1].partition(", ")[2], "Fam2, C"]))
    assert found.filter(pl.col("kind") == "case").height == 2
    assert found.filter(pl.col("kind") == "initials")["group"].n_unique() == 1
