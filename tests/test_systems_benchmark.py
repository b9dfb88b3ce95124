"""The race of all systems has all of them, and those who are compared play the same games."""

from pathlib import Path

import numpy as np
import peers
import pytest
import refits
import rivals
import systems
import zipf

import ratesim as rs

FEW = zipf.columns(300, 20)
RACED_BY_OTHERS = {"glicko2-pypi"}  # the package itself


def test_every_system_is_raced():
    ours = {kind for kind, cls in rs.SYSTEMS.kinds().items() if cls.__module__.startswith("ratesim.")}
    assert {case.kind for case in systems.CASES} | {"bradley-terry", "whr"} == ours - RACED_BY_OTHERS


@pytest.mark.interpreted
@pytest.mark.parametrize("case", systems.CASES, ids=lambda case: f"{case.kind}, {case.mode}")
def test_every_case_plays_and_has_its_row(case):
    alone = systems.replace(case, python={})
    with np.errstate(over="ignore"):  # of whole numbers, which is how readings draw their noise
        (row,) = systems.raced(alone, systems.whole(FEW), FEW, 1)
    assert (row.system, row.rival, row.met) == (case.kind, "", None)
    assert row.ours[0] > 0


@pytest.mark.interpreted
def test_a_case_is_held_against_the_quickest():
    slow, quick = (lambda _, n=n: lambda: sum(range(n)) for n in (1_000_000, 10))
    case = systems.Case({"kind": "even"}, python={"slow": slow, "quick": quick})
    (row,) = systems.raced(case, systems.whole(FEW), FEW, 1)
    assert row.rival == "quick"
    assert row.bound == systems.FIFTY


def test_quickest_modes_are_the_systems_of_the_page():
    pytest.importorskip("riix", reason="needs the extra bench")
    games = FEW.stream()
    quick = peers.riix_named("velo:vElo", FEW.players)
    rivals.riix_ratings(quick, FEW)()
    np.testing.assert_array_equal(quick.mus, peers.riix_of("velo:vElo", games).mus)


def test_passes_of_a_fit_are_counted_and_change_nothing():
    plain = refits.fitter_of(rs.BradleyTerry(), FEW).refit(300, 0.0)
    steps, passes = refits.counted(rs.BradleyTerry(), FEW)
    assert 3 < steps < passes - steps
    again = refits.fitter_of(rs.BradleyTerry(), FEW).refit(300, 0.0)
    np.testing.assert_array_equal(again.strength, plain.strength)


def test_either_package_of_one_name_is_imported(tmp_path):
    (tmp_path / "whr.py").write_text("Base = 'of the folder'\n", encoding="utf-8")
    assert refits.imported(Path(tmp_path)).Base == "of the folder"


def test_bradley_terry_and_whole_histories_have_their_rows():
    for package in ("evalica", "choix", "whr"):
        pytest.importorskip(package, reason="needs the extras bench and conformance")
    rows = list(refits.refits({"bradley-terry", "whr"}, FEW, FEW, 1, None))
    assert [row.rival for row in rows] == [
        "one pass of Elo", "evalica", "choix", "one pass of Elo", "whole-history-rating",
    ]  # fmt: skip
    assert all(row.ours[0] > 0 and row.theirs[0] > 0 for row in rows)
