"""The one module that knows numba.

Bits must not depend on lanes, cuts, threads, the machine or on compilation at all: no fastmath flag is set, and the
only fused operation there is, is the explicit `fma`. IEEE 754 then gives the same double in a vector register, in its
scalar remainder and in plain Python.
"""

import hashlib
import logging
import math
import os
import struct
import types
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numba
import numpy as np
import platformdirs
from numba import config, njit
from numba.core.compiler import Compiler
from numba.core.dispatcher import Dispatcher
from numba.extending import intrinsic

Function = Callable[..., Any]
F = TypeVar("F", bound=Function)
# Without a door for callers from Python, which costs a third of the compilation and which such functions never use.
INNER = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True, "fastmath": False}
COMPILED = not config.DISABLE_JIT
log = logging.getLogger("ratesim")


class Apart(Compiler):  # type: ignore[misc]  # numba has no types
    """A compiler told that no array which is written shares memory with another, so it need not look at every game."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.state.flags.noalias = True


def cache_folder() -> Path:
    """Return where compiled kernels are kept: `RATESIM_CACHE`, or the user's cache folder; never the working one."""
    return Path(os.environ.get("RATESIM_CACHE") or platformdirs.user_cache_path("ratesim")) / "kernels"


def kernel(function: F) -> F:
    """Compile a small pure function, to be inlined into whatever calls it."""
    compiled: F = njit(_name(function), forceinline=True, **OPTIONS)
    return compiled


def part(template: Function, *, inline: bool = False, **parts: object) -> Function:
    """Return `template` with `parts` as its globals, to be called from other kernels only."""
    return _inner(_bind(template, parts), inline=inline)


def _inner(function: Function, *, inline: bool) -> Function:
    compiled: Function = njit(function, forceinline=inline, **INNER, **OPTIONS)
    return compiled


def specialise(template: Function, label: str, **parts: object) -> Function:
    """Return `template` with `parts` as its globals, compiled by itself and kept on disk for the next process.

    A closure over kernels never hits numba's disk cache in a new process (numba issue 6264); a plain function whose
    globals are the kernels does, if its file and its name say all that it depends on. Both carry the digest, so an
    edit of any kernel it can see makes a new entry, and two systems can never meet in one.
    """
    function = _bind(template, parts)
    home = cache_folder() / function.__qualname__.rpartition("_")[2]
    file = home / "kernel.py"
    keep = COMPILED
    try:
        if keep and not file.exists():
            home.mkdir(parents=True, exist_ok=True)
            fresh = home / f"{os.getpid()}.tmp"
            fresh.write_text(f"# {label}\n", encoding="utf-8")
            os.utime(fresh, (0, 0))  # numba compares the file's stamp, which must be one for all processes
            fresh.replace(file)
    except OSError:
        keep = False
    if keep:
        function.__code__ = function.__code__.replace(co_filename=str(file))
    if COMPILED and not (keep and any(home.rglob("*.nbi"))):
        log.info("compiling %s, once per machine", label)
    compiled: Function = njit(function, cache=keep, pipeline_class=Apart, **OPTIONS)
    return compiled


class Rows(NamedTuple):
    """How a record lies in the fields from some `at` on of array[row, field, lane]."""

    load: Function  # (a, row, lane, at=0) -> record
    store: Function  # (a, row, lane, record, at=0)
    add: Function  # (a, row, lane, record, at=0)
    clear: Function  # (a, row, lane, at=0)
    scale: Function  # (record, factor) -> record


def rows(record: type, start: int = 0) -> Rows:
    """Write the functions that move one lane of a record; numba unrolls no loop over its fields.

    Parameters
    ----------
    record : a NamedTuple of floats.
    start : the field of the array where the record begins.
    """
    fields: tuple[str, ...] = record._fields  # type: ignore[attr-defined]  # every NamedTuple has them
    cells = [f"a[row, at + {start + k}, lane]" for k in range(len(fields))]
    source = "\n".join(
        [
            f"def load(a, row, lane, at=0): return record({', '.join(cells)})",
            "def store(a, row, lane, v, at=0):",
            *(f"    {cell} = v[{k}]" for k, cell in enumerate(cells)),
            "def add(a, row, lane, v, at=0):",
            *(f"    {cell} += v[{k}]" for k, cell in enumerate(cells)),
            "def clear(a, row, lane, at=0):",
            *(f"    {cell} = 0.0" for cell in cells),
            f"def scale(v, factor): return record({', '.join(f'factor * v[{k}]' for k in range(len(fields)))})",
        ]
    )
    space: dict[str, Any] = {"record": record, "__name__": __name__}
    exec(source, space)  # noqa: S102  # the source is the five lines above
    return Rows(*(_inner(_name(space[name]), inline=True) for name in Rows._fields))


def _bind(template: Any, parts: dict[str, object]) -> types.FunctionType:
    function = types.FunctionType(template.__code__, {**template.__globals__, **parts}, template.__name__)
    function.__module__ = __name__
    return _name(function)


def _name(function: Any) -> types.FunctionType:
    """Put the digest of all that a function can see into its name.

    The linker knows functions by name alone: two caches loaded into one process would otherwise run each other's code.
    """
    function.__qualname__ = f"{function.__name__}_{_digest(function)}"
    named: types.FunctionType = function
    return named


def _digest(function: types.FunctionType) -> str:
    h = hashlib.sha256()
    for piece in (numba.__version__, np.__version__, repr(OPTIONS), *_pieces(function, set())):
        h.update(piece.encode())
        h.update(b"\0")
    return h.hexdigest()[:24]


def _pieces(x: object, seen: set[int]) -> Iterator[str]:
    """Yield whatever of code, constants and globals a compiled function can see, all the way down."""
    if isinstance(x, Dispatcher):
        x = x.py_func
    x = getattr(x, "_defn", x)  # an intrinsic's definition
    match x:
        case types.FunctionType():
            if id(x) not in seen:
                seen.add(id(x))
                visible = {name: x.__globals__[name] for name in sorted(_names(x.__code__)) if name in x.__globals__}
                cells = tuple(cell.cell_contents for cell in x.__closure__ or ())
                yield from _pieces((x.__code__, x.__defaults__, *visible.items(), *cells), seen)
        case types.CodeType():
            yield from _pieces((x.co_code, x.co_names, x.co_varnames, x.co_freevars, *x.co_consts), seen)
        case tuple():
            yield str(len(x))
            for item in x:
                yield from _pieces(item, seen)
        case _:
            yield _piece(x)


def _piece(x: object) -> str:
    match x:
        case frozenset():
            return repr(sorted(map(repr, x)))
        case np.ndarray():
            return f"{x.dtype}{x.shape}{hashlib.sha256(np.ascontiguousarray(x).tobytes()).hexdigest()}"
        case type():
            return repr((x.__module__, x.__qualname__, getattr(x, "_fields", ())))
        case types.ModuleType():
            return x.__name__
        case bool() | int() | float() | complex() | str() | bytes() | None:
            return repr(x)
    return f"{type(x).__module__}.{type(x).__qualname__}"  # whose own repr may hold an address


def _names(code: types.CodeType) -> set[str]:
    inner = (_names(c) for c in code.co_consts if isinstance(c, types.CodeType))
    return set(code.co_names).union(*inner)


if COMPILED:

    @intrinsic
    def to_float(_: Any, n: Any) -> Any:
        """Return the double whose bits are those of the integer n."""
        double = numba.types.float64
        return double(numba.types.int64), lambda c, b, _, a: b.bitcast(a[0], c.get_value_type(double))

    @intrinsic
    def to_bits(_: Any, x: Any) -> Any:
        """Return the integer whose bits are those of the double x."""
        whole = numba.types.int64
        return whole(numba.types.float64), lambda c, b, _, a: b.bitcast(a[0], c.get_value_type(whole))

    @intrinsic
    def fma(_: Any, a: Any, b: Any, c: Any) -> Any:
        """Return a b + c rounded once, on every machine."""
        double = numba.types.float64
        return double(double, double, double), lambda _c, build, _s, v: build.fma(*v)

else:

    def to_float(n: int) -> float:
        """Return the double whose bits are those of the integer n."""
        return float(struct.unpack("d", struct.pack("q", n))[0])

    def to_bits(x: float) -> int:
        """Return the integer whose bits are those of the double x."""
        return int(struct.unpack("q", struct.pack("d", x))[0])

    def fma(a: float, b: float, c: float) -> float:
        """Return a b + c rounded once, on every machine."""
        if all(map(math.isfinite, (a, b, c))):
            return float(Fraction(a) * Fraction(b) + Fraction(c))
        return a * b + c
