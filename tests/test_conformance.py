"""The page that holds our numbers beside those of other packages says what its command found."""

import importlib.util
import re
from pathlib import Path

import conformance
import pytest

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "conformance.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (`.*) \| ([\w-]+) \| ([\w, ]+) \|.*\| ([\w ()]+) \|$", PAGE, re.MULTILINE)


def test_the_page_has_a_row_for_each_check_and_a_reason_for_each_that_differs():
    assert [(name, package) for name, package, *_ in ROWS] == [(e.name, e.package) for e in conformance.CHECKS]
    differ = [each for each in conformance.CHECKS if each.why]
    assert [verdict for *_, verdict in ROWS if verdict != "agree"] == [
        f"{each.why.whose} ({n})" for n, each in enumerate(differ, 1)
    ]
    assert all(each.why.said in PAGE for each in differ)


@pytest.mark.interpreted
@pytest.mark.parametrize("check", conformance.CHECKS[:8], ids=lambda each: each.theirs.__name__)
def test_a_row_says_what_is_so(check):
    if importlib.util.find_spec(check.package) is None:
        pytest.skip(f"{check.package} is not installed: it is of the extra `conformance`")
    assert conformance.wrong(conformance.found(check)) is None
