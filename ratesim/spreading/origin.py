"""Where calls come from: what makes them elsewhere must be made of the same files, or its results are not ours."""

import hashlib
import os
import socket
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, Self

from .._version import __version__
from ..digests import foreign, package_sources, sources_of
from ..errors import InputError
from ..registry import load_plugin
from ..spec import Spec

JUDGING = ("analysis", "inference", "metrics")  # what workers make of forecasts and hand back, and is kept


class Origin(NamedTuple):
    """The files that a call depends on, as another process can look at its own."""

    version: str  # of ratesim
    package: str  # digest of its files that numbers depend on
    others: str  # digest of what defines specs from elsewhere
    plugins: tuple[str, ...]  # files that another process loads first

    @classmethod
    def of(cls, specs: Iterable[Spec | None], plugins: Iterable[str | Path] = ()) -> Self:
        """Return that of specs, as they are here."""
        return cls(__version__, _package(), "".join(foreign(*specs)), tuple(map(str, plugins)))

    def load(self) -> None:
        """Load the plugins, before specs are made.

        Raises
        ------
        InputError : one cannot be loaded.
        """
        for plugin in self.plugins:
            load_plugin(plugin)

    def check(self, *specs: Spec | None) -> None:
        """Refuse to play where ratesim or what defines the specs is another: for others it would pass for ours.

        A worker of a cluster may have come late, or live since before an edit.

        Raises
        ------
        InputError : it is another.
        """
        here = Origin.of(specs, self.plugins)
        if here != self:
            place = f"worker {os.getpid()} on {socket.gethostname()}"
            expected = f"{self.said}, as where the work began; start the worker anew"
            raise InputError(f"has {here.said}", where=place, expected=expected)

    @property
    def said(self) -> str:
        """The version, and in short the digests."""
        plugins = f" and plugins of sources {self.others[:8]}" if self.others else ""
        return f"ratesim {self.version} of sources {self.package[:8]}{plugins}"


def _package() -> str:
    """Return the digest of our files that numbers depend on."""
    return hashlib.sha256("".join([package_sources(), *map(sources_of, JUDGING)]).encode()).hexdigest()


_package()  # digests of files are kept: those of what is loaded now, whatever is edited before the first call comes
