"""Slips in kernels that somebody else wrote, in one line: which file and line does not compile, and why."""

import builtins
import dis
import re
import types
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, cast

from .errors import InputError, nearest
from .visible import Function, functions, written

OURS = str(Path(__file__).parent)
NUMBERS = ("float", "int", "uint", "bool", "Literal[int]", "Literal[bool]")
TRUTHS = ("bool", "Literal[bool]")
MODULES = {"LOAD_ATTR", "LOAD_METHOD"}
# What the compiler says, which has no other form.
FIELD = re.compile(r"Unknown attribute '(\w+)' of type (\w+)\(.*?typing of get attribute at (.+?) \((\d+)\)", re.DOTALL)
BOUND = re.compile(r"Cannot bind 'args=\((.*)\) kws=.*?<function (\w+) at", re.DOTALL)
TYPE = re.compile(r"(\w+)(?:\([^)]*\))?")
CALLEE = re.compile(r"<function (\w+) at")
PLACE = re.compile(r"^During: [^\n]* at (.+?) \((\d+)\)$", re.MULTILINE)


def slip(function: Function, said: str) -> InputError | None:
    """Return what is wrong with one of the kernels that a function calls, None where none of somebody else's is.

    Parameters
    ----------
    function : that did not compile. said : by the compiler.
    """
    theirs = _theirs(function)
    found = [mistake for each in theirs for mistake in (*_undecorated(each), *_unknown_names(each))]
    if found or not theirs:
        return found[0] if found else None
    told = _field(said, function) or _parameters(said, theirs) or _elsewhere(said, theirs)
    return told or next((mistake for each in theirs for mistake in _no_number(each)), None)


def unfinished(function: Function) -> InputError | None:
    """Return which of the kernels that a function calls may end without a value, or K without a number."""
    for each in _theirs(function):
        if any(str(signature.return_type).startswith("Optional") for signature in _signatures(each)):
            return InputError("may end without a value", where=_at(each), expected="return on every way through it")
    for each in _gains(function):
        if any(str(signature.return_type).startswith(TRUTHS) for signature in _signatures(each)):
            return InputError("returns true or false", where=_at(each), expected="K, a number")
    return None


def _gains(function: Function) -> Iterator[Function]:
    """Yield the kernels that tell K, of policies within others too."""
    for each in functions(function):
        space = cast("types.FunctionType", written(each)).__globals__
        yield from (space[name] for name in ("GAIN", "INNER") if name in space)


def _theirs(function: Function) -> list[Function]:
    """Return the functions that are called and neither ours nor made of text."""
    return [each for each in functions(function) if each is not function and _foreign(_code(each).co_filename)]


def _foreign(file: str) -> bool:
    return Path(file).is_absolute() and not file.startswith(OURS)


def _code(function: Function) -> types.CodeType:
    return cast("types.FunctionType", written(function)).__code__


def _at(function: Function, line: int | None = None) -> str:
    code = _code(function)
    return f"{code.co_filename}, line {line or code.co_firstlineno}, kernel {code.co_name}"


def _signatures(function: Function) -> Sequence[Any]:
    return getattr(function, "nopython_signatures", ())


def _undecorated(function: Function) -> Iterator[InputError]:
    if isinstance(function, types.FunctionType):
        yield InputError("is no kernel", where=_at(function), expected="@kernel, of ratesim.jit, above it")


def _unknown_names(function: Function) -> Iterator[InputError]:
    """Yield names that nothing has, and those that a module has not."""
    code, space = _code(function), cast("types.FunctionType", written(function)).__globals__
    known, line, module = {**vars(builtins), **space}, 0, None
    for step in dis.get_instructions(code):
        line = (step.positions and step.positions.lineno) or line
        name = str(step.argval)
        if step.opname == "LOAD_GLOBAL" and name not in known:
            near = nearest(name, [*code.co_varnames, *space])
            yield InputError(f"unknown name '{name}'", where=_at(function, line), near=near)
        if module is not None and step.opname in MODULES and not hasattr(module, name):
            near = nearest(name, dir(module))
            yield InputError(f"unknown name '{module.__name__}.{name}'", where=_at(function, line), near=near)
        value = known.get(name) if step.opname == "LOAD_GLOBAL" else None
        module = value if isinstance(value, types.ModuleType) else None


def _field(said: str, function: Function) -> InputError | None:
    """Return which field no record has."""
    found = FIELD.search(said)
    if found is None or not _foreign(found[3]):
        return None
    name, record, file, line = found.groups()
    seen: Iterator[Any] = (x for each in functions(function) for x in cast("Any", written(each)).__globals__.values())
    fields = next((x._fields for x in seen if _named(x, record)), ())
    near = nearest(name, fields)
    expected = f"one of {', '.join(fields)}" if fields and not near else ""
    return InputError(f"unknown field '{name}' of {record}", where=f"{file}, line {line}", near=near, expected=expected)


def _named(x: object, record: str) -> bool:
    return isinstance(x, type) and hasattr(x, "_fields") and x.__name__ == record


def _parameters(said: str, theirs: Sequence[Function]) -> InputError | None:
    """Return which kernel has too many parameters, or too few."""
    found = BOUND.search(said)
    for each in theirs:
        if found and cast("types.FunctionType", written(each)).__qualname__ == found[2]:
            code, given = _code(each), [kind[1] for kind in TYPE.finditer(found[1])]
            takes = ", ".join(code.co_varnames[: code.co_argcount])
            expected = f"{len(given)} parameters, for {', '.join(given)}"
            return InputError(f"takes ({takes})", where=_at(each), expected=expected)
    return None


def _elsewhere(said: str, theirs: Sequence[Function]) -> InputError | None:
    """Return what else the compiler said of a line of theirs, or of a kernel."""
    files, names = {_code(each).co_filename for each in theirs}, set(CALLEE.findall(said))
    lines = (f"{place[1]}, line {place[2]}" for place in PLACE.finditer(said) if place[1] in files)
    kernels = (_at(each) for each in theirs if cast("types.FunctionType", written(each)).__qualname__ in names)
    where = next(chain(lines, kernels), None)
    first = next((line for line in said.splitlines() if line and not line.startswith("Failed in")), "")
    return None if where is None else InputError(f"does not compile ({first.rstrip('.')})", where=where)


def _no_number(function: Function) -> Iterator[InputError]:
    """Yield what a kernel returns, where that is neither a number nor a record of some."""
    for signature in _signatures(function):
        kind = str(signature.return_type)
        if not kind.startswith(NUMBERS) and not hasattr(signature.return_type, "instance_class"):
            yield InputError(f"returns {kind}", where=_at(function), expected="a number, or a record")
