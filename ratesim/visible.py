"""What a compiled function can see: its code, constants and globals, all the way down."""

import dis
import enum
import functools
import hashlib
import sys
import types
from _ctypes import CFuncPtr
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

Function = Callable[..., Any]
LIBRARIES = {"math", "numba", "numpy"}
GLOBALS = {"LOAD_GLOBAL", "LOAD_NAME"}


def digest(function: types.FunctionType, beside: tuple[str, ...]) -> str:
    """Return the digest of all that a function can see, and of some texts beside.

    Raises
    ------
    TypeError : it sees something whose value cannot be told, so that an edit of it would go unnoticed.
    """
    h = hashlib.sha256()
    for piece in (*beside, *pieces(function, set())):
        h.update(piece.encode())
        h.update(b"\0")
    return h.hexdigest()[:24]


def written(x: object) -> object:
    """Return the Python function that a compiled one was made of; anything else as it is."""
    return getattr(x, "py_func", x)


def pieces(x: object, seen: set[int]) -> Iterator[str]:
    """Yield whatever of code, constants and globals a compiled function can see, all the way down.

    Raises
    ------
    TypeError : it sees something whose value cannot be told, so that an edit of it would go unnoticed.
    """
    x = written(x)
    definition = getattr(x, "_defn", None)  # of an intrinsic
    match x:
        case _ if definition is not None:
            yield definition.__code__.co_code.hex() + "".join(c.co_code.hex() for c in codes(definition.__code__))
        case _ if _of_library(x):
            yield f"{type(x).__qualname__} {getattr(x, '__name__', '')}"  # their versions are in the digest
        case types.FunctionType():
            if id(x) not in seen:
                seen.add(id(x))
                yield from _home(x)
                inside = tuple(visible(x.__code__, x.__globals__))
                yield from pieces((x.__code__, x.__defaults__, x.__kwdefaults__, *inside, *_cells(x)), seen)
        case types.CodeType():
            yield from pieces((x.co_code, x.co_names, x.co_varnames, x.co_freevars, *x.co_consts), seen)
        case enum.EnumMeta():
            members: tuple[object, ...] = tuple((name, x[name].value) for name in x.__members__)
            yield from pieces((x.__module__, x.__qualname__, *members), seen)
        case tuple():
            yield f"{type(x).__qualname__} {len(x)}"
            for item in x:
                yield from pieces(item, seen)
        case dict():
            yield from pieces(tuple(x.items()), seen)
        case _:
            yield _piece(x)


def _home(function: types.FunctionType) -> Iterator[str]:
    """Yield the module of a function that is not ours: what is compiled looks for it there, also once it has moved."""
    module = function.__module__ or ""
    if module.partition(".")[0] != __package__:
        yield module


def _cells(function: types.FunctionType) -> tuple[object, ...]:
    """Return what a function has from those around it."""
    return tuple(cell.cell_contents for cell in function.__closure__ or ())


def _plain(x: type) -> bool:
    """Whether a class is told by its name and fields: a named tuple, or one of Python's own."""
    return hasattr(x, "_fields") or x.__module__.partition(".")[0] in sys.stdlib_module_names


def _of_library(x: object) -> bool:
    return str(getattr(x, "__module__", None)).partition(".")[0] in LIBRARIES


def visible(code: types.CodeType, space: dict[str, Any]) -> Iterator[tuple[str, object]]:
    """Yield the globals that code names, and of modules among them the attributes that it may read."""
    for name in sorted(names(code)):
        value = space.get(name)
        if isinstance(value, types.ModuleType):
            yield name, value
            yield from ((f"{name}.{n}", getattr(value, n)) for n in sorted(_attributes(code)) if hasattr(value, n))
        elif name in space:
            yield name, value


def _piece(x: object) -> str:
    match x:
        case frozenset():
            text = repr(sorted(map(repr, x)))
        case np.ndarray() | np.generic():
            text = f"{x.dtype}{x.shape}{hashlib.sha256(np.ascontiguousarray(x).tobytes()).hexdigest()}"
        case enum.Enum():
            text = f"{type(x).__qualname__}.{x.name}={x.value!r}"
        case type() if _plain(x):
            text = repr((x.__module__, x.__qualname__, getattr(x, "_fields", ())))
        case types.ModuleType() | types.BuiltinFunctionType():
            text = x.__name__
        case CFuncPtr():  # fma of the C library, in the place of a kernel's where nothing is compiled
            text = f"{type(x).__qualname__}.{getattr(x, '__name__', '')}"
        case bool() | int() | float() | complex() | str() | bytes() | None:
            text = repr(x)
        case _:
            raise TypeError(f"a kernel sees {x!r}, a {type(x).__qualname__}, and an edit of it would go unnoticed")
    return text


@functools.cache  # a kernel is looked at again for each that calls it
def names(code: types.CodeType) -> frozenset[str]:
    """Return the names of globals that code reads, functions within it included."""
    read = {str(step.argval) for step in dis.get_instructions(code) if step.opname in GLOBALS}
    return frozenset(read.union(*map(names, codes(code))))


def _attributes(code: types.CodeType) -> set[str]:
    """Return the names of attributes that code may read, of globals too, functions within it included."""
    return set(code.co_names).union(*map(_attributes, codes(code)))


def codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """Yield the functions within code."""
    return (c for c in code.co_consts if isinstance(c, types.CodeType))


def functions(function: Function) -> Iterator[Function]:
    """Yield a function and those that it can see, compiled ones as such, each once."""
    seen: set[int] = set()
    waiting: list[object] = [function]
    while waiting:
        x = waiting.pop()
        inside = written(x)
        if isinstance(x, tuple):
            waiting += x
        elif isinstance(inside, types.FunctionType) and id(inside) not in seen and not _of_library(inside):
            seen.add(id(inside))
            yield x  # type: ignore[misc]  # it is the function, or what was made of it
            waiting += [value for _, value in visible(inside.__code__, inside.__globals__)]
            waiting += _cells(inside)


def mentioned(function: Function) -> set[str]:
    """Return the names of globals and attributes that a function mentions, and those that it calls."""
    codes_of = (written(each).__code__ for each in functions(function))  # type: ignore[attr-defined]  # of functions
    return set().union(*map(_attributes, codes_of))
