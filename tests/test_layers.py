"""Imports point down only, by the layers of the architecture; files stay short."""

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest
from layers import LAYER, PEERS, SIDEWAYS

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "ratesim"
MAX_LINES = 400
MAX_LINES_OF_SYSTEMS = 150

# Who alone may know a library.
KEEPERS = {"llvmlite": "jit", "matplotlib": "plots", "numba": "jit"}


class Import(NamedTuple):
    line: int
    name: str  # dotted, absolute
    typing: bool  # under `if TYPE_CHECKING:`


def imports(tree: ast.Module, module: str, *, package: bool) -> Iterator[Import]:
    """Every import of a module, those inside functions included."""
    here = ["ratesim", *module.split(".")] if module else ["ratesim"]
    typing = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) in {"TYPE_CHECKING", "typing.TYPE_CHECKING"}
        for statement in node.body
        for inner in ast.walk(statement)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(node.lineno, alias.name, id(node) in typing)
        elif isinstance(node, ast.ImportFrom):
            base = here[: len(here) + package - node.level] if node.level else []
            source = ".".join([*base, *filter(None, [node.module])])
            for alias in node.names:
                yield Import(node.lineno, f"{source}.{alias.name}", id(node) in typing)


def part(name: str) -> str:
    """The part a dotted name belongs to: the module, or `package.module` where files are peers."""
    head, *rest = name.split(".")
    inside = head in PEERS and rest and any((PACKAGE / head / f"{rest[0]}{end}").exists() for end in (".py", ""))
    return f"{head}.{rest[0]}" if inside else head


def complaint(module: str, found: Import) -> str | None:
    """What is wrong with one import of `module`, if anything.

    An import under TYPE_CHECKING may point sideways, since naming a type costs nothing when the code runs;
    it may not point up, since to name a type from above is to know too much.
    """
    library, _, inside = found.name.partition(".")
    own = module.partition(".")[0]
    if library != "ratesim":
        keeper = KEEPERS.get(library, own)
        return None if own == keeper else f"only ratesim.{keeper} may import {library}"
    target = inside.split(".")[0]
    if target not in LAYER:
        return f"import {found.name} from the module that defines it"
    if LAYER[target] != LAYER[own]:
        return None if LAYER[target] < LAYER[own] else f"{target} stands above {own}"
    to, by = part(inside), part(module)
    within = target == own and (own not in PEERS or to == by or module == own)
    named = {(by, to), (own, to), (by, target), (own, target)} & SIDEWAYS
    return None if within or named or found.typing else f"{to} stands beside {by}: name the pair in SIDEWAYS, with care"


def complaints(source: str, module: str, *, package: bool = False) -> list[str]:
    found = imports(ast.parse(source), module, package=package)
    return [f"line {each.line}: {wrong}" for each in found if (wrong := complaint(module, each))]


def modules() -> list[tuple[str, Path]]:
    """Dotted name under ratesim ("" for the package itself) and path of every module."""
    paths = sorted(PACKAGE.rglob("*.py"))
    return [
        (".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix("__init__").rstrip("."), path)
        for path in paths
    ]


@pytest.mark.parametrize(("module", "path"), [pytest.param(*each, id=each[0] or "ratesim") for each in modules()])
def test_imports_point_down(module, path):
    source = path.read_text(encoding="utf-8")
    if not module:  # the lazy package names its modules in a stub, and must import none of them itself
        assert not [each.name for each in imports(ast.parse(source), "", package=True) if "ratesim" in each.name]
        return
    assert module.split(".")[0] in LAYER, f"give ratesim.{module} a place in LAYERS"
    assert complaints(source, module, package=path.name == "__init__.py") == []


def test_sideways_pairs_stay_in_their_layer_and_close_no_circle():
    graph = TopologicalSorter[str]()
    for importer, imported in SIDEWAYS:
        graph.add(importer, imported)
        assert LAYER[importer.split(".")[0]] == LAYER[imported.split(".")[0]]
    assert set(graph.static_order()) == {name for pair in SIDEWAYS for name in pair}


@pytest.mark.parametrize(
    ("module", "source", "wrong"),
    [
        ("maths", "from ratesim.engine import advance", "engine stands above maths"),
        ("maths", "def f():\n    import ratesim.engine", "engine stands above maths"),
        ("systems.elo", "if TYPE_CHECKING:\n    from ratesim.replay import Run", "replay stands above systems"),
        ("systems.elo", "from ratesim.stream import GameStream", "stream stands beside systems"),
        ("engine", "from .replay import replay", "replay stands above engine"),
        ("replay", "from ratesim import Elo", "import ratesim.Elo from the module that defines it"),
        ("engine", "import numba.core", "only ratesim.jit may import numba"),
        ("analysis", "from matplotlib import figure", "only ratesim.plots may import matplotlib"),
    ],
)
def test_a_wrong_import_is_seen(module, source, wrong):
    (found,) = complaints(source, module)
    assert wrong in found


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("engine", "from ratesim.records import Game\nfrom ratesim import maths"),
        ("systems.elo", "if TYPE_CHECKING:\n    from ratesim.stream import GameStream"),
        ("systems.elo", "from ratesim.curves import logistic"),
        ("worlds.skills", "from .pairing import uniform\nfrom ..replay import replay"),
        ("jit", "import numba"),
        ("plots.history", "from matplotlib.figure import Figure"),
        ("testing", "from ratesim.experiment import load"),
    ],
)
def test_a_right_import_is_let_through(module, source):
    assert complaints(source, module) == []


def sources() -> list[Path]:
    folders = ("ratesim", "tests", "benchmarks", "experiments")
    return sorted(
        path for folder in folders for path in (ROOT / folder).rglob("*.py*") if path.suffix in {".py", ".pyi"}
    )


def test_files_are_short():
    lines = {str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in sources()}
    assert "tests/test_layers.py" in lines
    assert {name: count for name, count in lines.items() if count >= MAX_LINES} == {}


def test_files_of_systems_are_shorter():
    paths = sorted((PACKAGE / "systems").rglob("*.py"))
    lines = {str(path.relative_to(PACKAGE)): len(path.read_text(encoding="utf-8").splitlines()) for path in paths}
    assert {"systems/elo.py", "systems/base/system.py"} <= lines.keys()
    assert {name: count for name, count in lines.items() if count >= MAX_LINES_OF_SYSTEMS} == {}
