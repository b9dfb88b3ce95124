"""What settings lost, kept as it is found: a tuning that is interrupted, or asked for more, plays no setting again."""

import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import polars as pl

from .provenance import address, canonical
from .replaying.pairs import Pair
from .store import Store
from .sweep import Swept
from .tuning.folds import Ints

EVERY = 1.0  # seconds between two files, so that a million settings are not as many


class Recalled:
    """The memory of a tuning (`tuning.api.Memory`): sums of losses in a store, by the digest of what they depend on.

    Parameters
    ----------
    made_of : what they depend on, beside the settings and the games that are judged.
    """

    def __init__(self, store: Store, made_of: Mapping[str, Any]) -> None:
        self.store, self.made_of = store, made_of

    @contextmanager
    def over(self, bucket: Ints) -> Iterator["Kept"]:
        """Open what is known over so many first games in these buckets; what is new is kept, however the block ends."""
        digest = hashlib.sha256(np.ascontiguousarray(bucket, dtype="<i4").data).hexdigest()
        kept = Kept(self.store, address({**self.made_of, "games": digest}), int(bucket.max()) + 1)
        try:
            yield kept
        finally:
            kept.write()


class Kept:
    """What settings lost over some games, in buckets.

    Parameters
    ----------
    key : the address of all that it depends on but the setting.
    """

    def __init__(self, store: Store, key: str, buckets: int) -> None:
        self._store, self._key, self._buckets = store, key, buckets
        self._new: dict[str, Swept] = {}
        self._wrote = time.monotonic()
        self._known: dict[str, Swept] = {}
        for frame in store.swept(key):
            names = frame["setting"].gather_every(buckets).to_list()
            sums = (frame[each].to_numpy().reshape(-1, 1, buckets) for each in Swept._fields)
            self._known |= {name: Swept(*each) for name, *each in zip(names, *sums, strict=True)}

    def known(self, pairs: Sequence[Pair]) -> dict[int, Swept]:
        """Return what settings lost, by their places among the pairs."""
        names = map(_name, pairs) if self._known else ()
        return {n: self._known[name] for n, name in enumerate(names) if name in self._known}

    def add(self, pairs: Sequence[Pair], lost: Swept) -> None:
        """Keep what settings lost, at once or with those of the next second."""
        self._new |= {_name(pair): lost.of(slice(n, n + 1)) for n, pair in enumerate(pairs)}
        if time.monotonic() - self._wrote > EVERY:
            self.write()

    def write(self) -> None:
        """Write what is not written yet."""
        if not self._new:
            return
        names, rows = [*self._new], [*self._new.values()]
        sums = {name: np.concatenate([getattr(row, name).ravel() for row in rows]) for name in Swept._fields}
        frame = pl.DataFrame({"setting": np.repeat(names, self._buckets), **sums})
        self._store.keep_swept(self._key, address({"settings": names}), frame)
        self._new, self._wrote = {}, time.monotonic()


def _name(pair: Pair) -> str:
    """Return the digest of a setting, long enough for a million of them."""
    system, policy = pair
    said = canonical([system.canonical(), policy.canonical() if policy else None])
    return hashlib.sha256(said.encode()).hexdigest()[:32]
