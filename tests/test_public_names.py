import ast
import inspect
from pathlib import Path

import pytest

import ratesim


def stub_names() -> list[str]:
    stub = Path(ratesim.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    return [alias.name for node in ast.parse(stub).body if isinstance(node, ast.ImportFrom) for alias in node.names]


def test_the_stub_is_the_list_and_all_is_sorted():
    assert ratesim.__all__ == sorted(stub_names())


def test_a_name_is_listed_once():
    assert len(set(stub_names())) == len(stub_names())


@pytest.mark.parametrize("name", ratesim.__all__)
def test_a_public_name_is_there_and_explained(name):
    value = getattr(ratesim, name)
    explained = value.__doc__ or ""
    assert explained.strip(), f"ratesim.{name} has no docstring"
    made_by_python = inspect.isclass(value) and explained.startswith(f"{value.__name__}(")
    assert not made_by_python, f"ratesim.{name} has only the signature that Python wrote for its docstring"


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = ratesim.no_such_name
