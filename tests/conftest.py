from pathlib import Path

import pytest
from hypothesis import settings

SHARED = Path(__file__).resolve().parents[2] / "shared"

# Compiling a kernel takes seconds, once, so no deadline; and the same examples every time, on every machine.
settings.register_profile("ratesim", deadline=None, derandomize=True)
settings.load_profile("ratesim")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if SHARED.is_dir():
        return
    for item in items:
        if "data" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="needs the games in ../shared, which is not there"))
