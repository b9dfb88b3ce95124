"""Whether a replay from disk is the replay in memory, bit for bit."""

import numpy as np
import polars as pl

import ratesim as rs


def bits(values) -> bytes:
    return np.ascontiguousarray(values, dtype=np.float64).tobytes()


def same_frame(a: pl.DataFrame, b: pl.DataFrame) -> bool:
    numbers = [name for name, dtype in a.schema.items() if dtype.is_numeric()]
    return a.drop(numbers).equals(b.drop(numbers)) and all(bits(a[name]) == bits(b[name]) for name in numbers)


def hold(run: rs.StreamedRun, whole: rs.Run, folder, *, save: bool = True) -> None:
    """Hold a run from disk to one in memory."""
    assert bits(run.forecast) == bits(whole.forecast)
    assert same_frame(run.ratings(), whole.ratings())
    assert run.diagnostics == whole.diagnostics
    if save:
        for each, name in ((run, "disk"), (whole, "memory")):
            each.save(folder / name)
        assert (folder / "disk").read_bytes() == (folder / "memory").read_bytes()
        assert same_frame(run.ratings(), whole.ratings())  # saving changes nothing
