"""The one module that knows numba.

Bits must not depend on lanes, cuts, threads, the machine or on compilation at all: no fastmath flag is set, and the
only fused operation there is, is the explicit `fma`. IEEE 754 then gives the same double in a vector register, in its
scalar remainder and in plain Python. `times` is a product of finite numbers, of which a factor 0 is known to make 0.
"""

import ctypes
import functools
import logging
import math
import operator
import os
import struct
import tempfile
import types
from collections.abc import Callable
from contextlib import ExitStack, suppress
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

import filelock
import numba
import numpy as np
import platformdirs
from llvmlite import ir
from numba import config, njit
from numba.core import cgutils, event
from numba.core.compiler import Compiler
from numba.core.dispatcher import Dispatcher
from numba.extending import intrinsic

from .slips import slip, unfinished
from .visible import digest, names

Function = Callable[..., Any]
F = TypeVar("F", bound=Function)
# Without a door for callers from Python, which costs a third of the compilation and which such functions never use.
INNER = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True, "fastmath": False}
COMPILED = not config.DISABLE_JIT
PATIENCE = 300.0  # seconds that a process waits for another one to compile what both need
LABELS: dict[str, str] = {}  # what is said while a function of that name compiles
log = logging.getLogger("ratesim")


class _Announcer(event.Listener):  # type: ignore[misc]  # numba is untyped
    """Says what compiles, when it does: what comes from the disk is silent."""

    def on_start(self, event: Any) -> None:
        """Log the label of what begins to compile, if it has one."""
        label = LABELS.get(event.data["dispatcher"].py_func.__qualname__)
        if label:
            log.info("compiling %s, once per machine", label)

    def on_end(self, event: Any) -> None:
        """Hear that it is done."""


event.register("numba:compile", _Announcer())


class Apart(Compiler):  # type: ignore[misc]  # numba has no types
    """A compiler told that no array which is written shares memory with another, so it need not look at every game."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.state.flags.noalias = True

    def compile_extra(self, func: types.FunctionType) -> Any:
        """Compile; a slip in a kernel of somebody else's is told in one line."""
        try:
            made = super().compile_extra(func)
        except Exception as error:
            if (mistake := slip(func, str(error))) is not None:
                raise mistake from error
            raise
        if (mistake := unfinished(func)) is not None:
            raise mistake
        return made


def cache_folder() -> Path:
    """Return where compiled kernels are kept: `RATESIM_CACHE`, or the user's cache folder; never the working one."""
    return Path(os.environ.get("RATESIM_CACHE") or platformdirs.user_cache_path("ratesim")) / "kernels"


def kernel(function: F, *, inline: bool = True, counted: bool = True) -> F:
    """Compile a small function, to be inlined into whatever calls it; who holds its arrays is counted, or never."""
    compiled: F = njit(_name(function), forceinline=inline, _nrt=counted, **OPTIONS)
    return compiled


@functools.cache
def plain(function: F) -> F:
    """Return a kernel as the Python it was written in, down to all that it calls: for a few numbers, at once."""
    if not isinstance(function, Dispatcher):
        return function
    written = function.py_func
    space = dict(written.__globals__)
    for name in names(written.__code__) & space.keys():
        seen = Rows(*map(plain, space[name])) if isinstance(space[name], Rows) else space[name]
        space[name] = PLAIN.get(name) or (plain(seen) if isinstance(seen, Dispatcher) else seen)
    made: Any = types.FunctionType(written.__code__, space, written.__name__, written.__defaults__)
    return cast("F", made)


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
    LABELS[function.__qualname__] = label
    keep = COMPILED and _opened(home, label)
    if keep:
        function.__code__ = function.__code__.replace(co_filename=str(home / "kernel.py"))
    compiled: Any = njit(function, cache=keep, pipeline_class=Apart, **OPTIONS)
    if keep:
        compiled.compile = functools.partial(_in_turn, home / ".lock", compiled.compile)
    return cast("Function", compiled)


def _in_turn(place: Path, compile_it: Function, signature: object) -> object:
    """Have one process at a time compile a kernel: those that wait find on disk what it left there.

    No kernel of this kind is compiled within another, so none waits for itself.
    """
    with ExitStack() as stack:
        with suppress(filelock.Timeout, OSError, NotImplementedError):  # a disk without locks, or one held for ever
            stack.enter_context(filelock.FileLock(place, timeout=PATIENCE))
        return compile_it(signature)


def _opened(home: Path, label: str) -> bool:
    """Make the folder of one kernel; return whether it can be written, as numba demands even for reading."""
    try:
        (home / "__pycache__").mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=home, suffix=".tmp", encoding="utf-8", delete=False) as fresh:
            fresh.write(f"# {label}\n")
        os.utime(fresh.name, (0, 0))  # numba compares the file's stamp, which must be one for all processes
        Path(fresh.name).replace(home / "kernel.py")
        with tempfile.TemporaryFile(dir=home / "__pycache__"):
            return True
    except OSError:
        return False


def cold(function: Function) -> bool:
    """Whether what `specialise` returned has yet to be compiled on this machine."""
    if not isinstance(function, Dispatcher) or function.signatures:
        return False
    home = Path(function.py_func.__code__.co_filename).parent
    return not list(home.rglob("*.nbi"))


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
            "    pass",
            *(f"    {cell} = v[{k}]" for k, cell in enumerate(cells)),
            "def add(a, row, lane, v, at=0):",
            "    pass",
            *(f"    {cell} += v[{k}]" for k, cell in enumerate(cells)),
            "def clear(a, row, lane, at=0):",
            "    pass",
            *(f"    {cell} = 0.0" for cell in cells),
            f"def scale(v, factor): return record({', '.join(f'factor * v[{k}]' for k in range(len(fields)))})",
        ]
    )
    space: dict[str, Any] = {"record": record, "__name__": __name__}
    exec(source, space)  # noqa: S102  # the source is the five lines above
    return Rows(*(_inner(_name(space[name]), inline=True) for name in Rows._fields))


def _bind(template: Any, parts: dict[str, object]) -> types.FunctionType:
    space = {**template.__globals__, **parts}
    function = types.FunctionType(
        template.__code__, space, template.__name__, template.__defaults__, template.__closure__
    )
    function.__kwdefaults__ = template.__kwdefaults__
    function.__module__ = __name__
    return _name(function)


def _name(function: Any) -> types.FunctionType:
    """Put the digest of all that a function can see into its name.

    The linker knows functions by name alone: two caches loaded into one process would otherwise run each other's code.
    """
    seen = digest(function, (numba.__version__, np.__version__, repr(OPTIONS)))
    function.__qualname__ = f"{function.__name__}_{seen}"
    named: types.FunctionType = function
    return named


def _to_float(n: int) -> float:
    """Return the double whose bits are those of the integer n."""
    return float(struct.unpack("d", struct.pack("q", n))[0])


def _to_bits(x: float) -> int:
    """Return the integer whose bits are those of the double x."""
    return int(struct.unpack("q", struct.pack("d", x))[0])


def _exact_fma(a: float, b: float, c: float) -> float:
    """Return a b + c rounded once, where the machine's C library cannot be asked."""
    if all(map(math.isfinite, (a, b, c))):
        return float(Fraction(a) * Fraction(b) + Fraction(c))
    return a * b + c


def _fma_of_c() -> Function | None:
    """Return the C library's fma, which IEEE 754 lets round in one way only; fractions are 100 times slower."""
    with suppress(OSError, TypeError, AttributeError):  # TypeError: Windows has no library of the program itself
        found: Any = ctypes.CDLL(None).fma
        found.restype, found.argtypes = ctypes.c_double, [ctypes.c_double] * 3
        return cast("Function", found)
    return None


_fma: Function = _fma_of_c() or _exact_fma


def _prefetch(a: Any, row: int, field: int, lane: int) -> None:
    """Ask for nothing."""


def _word(text: Any, at: int) -> int:
    """Return text[at : at + 8] as one integer, the first byte lowest; text is of bytes."""
    return int.from_bytes(text[at : at + 8].tobytes(), "little", signed=True)


def _where(text: Any, at: int, one: int, two: int, three: int, four: int) -> int:
    """Return 64 bits, the first lowest: which of text[at : at + 64] is one of four bytes."""
    block = text[at : at + 64]
    found = (block == one) | (block == two) | (block == three) | (block == four)
    return int.from_bytes(np.packbits(found, bitorder="little").tobytes(), "little", signed=True)


def _lowest(bits: int) -> int:
    """Return the place of the lowest bit of an integer that is not zero."""
    return (bits & -bits).bit_length() - 1


PLAIN = {
    "to_float": _to_float, "to_bits": _to_bits, "fma": _fma, "times": operator.mul, "prefetch": _prefetch,
    "word": _word, "where": _where, "lowest": _lowest,
}  # fmt: skip

if COMPILED:
    double, whole = numba.types.float64, numba.types.int64

    @intrinsic
    def to_float(_: Any, n: Any) -> Any:
        """Return the double whose bits are those of the integer n."""
        return double(whole), lambda c, b, _, a: b.bitcast(a[0], c.get_value_type(double))

    @intrinsic
    def to_bits(_: Any, x: Any) -> Any:
        """Return the integer whose bits are those of the double x."""
        return whole(double), lambda c, b, _, a: b.bitcast(a[0], c.get_value_type(whole))

    @intrinsic
    def fma(_: Any, a: Any, b: Any, c: Any) -> Any:
        """Return a b + c rounded once, on every machine."""
        return double(double, double, double), lambda _c, build, _s, v: build.fma(*v)

    @intrinsic
    def times(_: Any, a: Any, b: Any) -> Any:
        """Return a b of finite numbers: the compiler leaves b alone where it sees that a is 0."""
        return double(double, double), lambda _c, build, _s, v: build.fmul(*v, flags=("nnan", "ninf", "nsz"))

    @intrinsic
    def prefetch(_: Any, a: Any, row: Any, field: Any, lane: Any) -> Any:
        """Ask for the cache line of a[row, field, lane], which is about to be written; nothing changes."""

        def generate(context: Any, build: Any, signature: Any, values: Any) -> Any:
            kind = signature.args[0]
            array = context.make_array(kind)(context, build, values[0])
            place = cgutils.get_item_pointer(context, build, kind, array, values[1:])
            byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
            call = cgutils.get_or_insert_function(build.module, kind, "llvm.prefetch.p0i8")
            build.call(call, [build.bitcast(place, byte), word(1), word(3), word(1)])  # to write, to keep, data
            return context.get_dummy_value()

        index = numba.types.intp
        return numba.types.void(a, index, index, index), generate

    @intrinsic
    def word(_: Any, text: Any, at: Any) -> Any:
        """Return text[at : at + 8] as one integer, the first byte lowest; text is of bytes."""
        return whole(text, whole), lambda c, build, s, v: _load(c, build, s, v, ir.IntType(64))

    @intrinsic
    def where(_: Any, text: Any, at: Any, one: Any, two: Any, three: Any, four: Any) -> Any:
        """Return 64 bits, the first lowest: which of text[at : at + 64] is one of four bytes."""

        def generate(context: Any, build: Any, signature: Any, values: Any) -> Any:
            kind = ir.VectorType(ir.IntType(8), 64)
            block = _load(context, build, signature, values[:2], kind)
            found = None
            for value in values[2:]:
                byte = build.trunc(value, ir.IntType(8))
                first = build.insert_element(ir.Constant(kind, ir.Undefined), byte, ir.IntType(32)(0))
                every = build.shuffle_vector(first, first, ir.Constant(ir.VectorType(ir.IntType(32), 64), [0] * 64))
                same = build.icmp_unsigned("==", block, every)
                found = same if found is None else build.or_(found, same)
            bits = build.bitcast(found, ir.IntType(64))
            # An instruction that is none: bits of which the optimiser knows whence they are, it carries about singly.
            return build.asm(ir.FunctionType(bits.type, [bits.type]), "", "=r,0", [bits], side_effect=False)

        return whole(text, *[whole] * 5), generate

    @intrinsic
    def lowest(_: Any, bits: Any) -> Any:
        """Return the place of the lowest bit of an integer that is not zero."""
        return whole(whole), lambda _c, build, _s, v: build.cttz(v[0], ir.IntType(1)(1))

    def _load(context: Any, build: Any, signature: Any, values: Any, kind: Any) -> Any:
        array = context.make_array(signature.args[0])(context, build, values[0])
        place = build.bitcast(build.gep(array.data, [values[1]]), kind.as_pointer())
        return build.load(place, align=1)

else:
    to_float, to_bits, fma, times, prefetch = _to_float, _to_bits, _fma, operator.mul, _prefetch
    word, where, lowest = _word, _where, _lowest
