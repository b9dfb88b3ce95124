"""`ratesim worlds`: worlds and the parts that they are made of."""

import json

from ratesim.cli.worlds import families


def test_worlds_lists_parts_by_family(call):
    code, out, _ = call("worlds")
    assert code == 0
    for family in ("world", "skills", "changes", "activity", "pairing", "outcomes", "stress", "pools"):
        assert f"\n{family}: " in f"\n{out}"
    listed = json.loads(call("worlds", "--json")[1])
    assert {(each["family"], each["kind"]) for each in listed} == {
        (family.name, kind) for family in families() for kind in family.kinds
    }
    assert ("changes", "walk") in {(each["family"], each["kind"]) for each in listed}


def test_worlds_shows_one_whole(call):
    out = call("worlds", "walk")[1]
    assert out.startswith("walk\n\n")
    assert "sd" in out
    assert json.loads(call("worlds", "league", "--json")[1])["family"] == "world"


def test_an_organiser_is_said_to_keep_one_list(call):
    out = " ".join(call("worlds", "pairing.closeness")[1].split())
    assert "one list, over all pools" in out


def test_a_name_of_two_families_shows_both_or_the_one_that_is_meant(call):
    out = call("worlds", "normal")[1]
    assert out.startswith("skills.normal\n\n")
    assert "\noutcomes.normal\n\n" in out
    assert call("worlds", "outcomes.normal")[1].startswith("normal\n\nThe expected score")
    assert call("worlds", "wlak")[2] == "no kind 'wlak'; did you mean 'walk'?\n"
    assert call("worlds", "skills.walk")[0] == 2
