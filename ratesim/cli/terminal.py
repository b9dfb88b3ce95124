"""What a person sees while an experiment runs: a bar on a terminal, notes as lines, all on stderr."""

import logging
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

EVERY = 60  # seconds between lines on progress where there is no terminal, as in the log of a batch


class GamesPerSecond(ProgressColumn):
    """How fast games are played."""

    def render(self, task: Task) -> Text:
        """Return the speed since the last few runs."""
        return Text(f"{task.speed:,.0f} games/s" if task.speed else "", style="progress.data.speed")


class Lines(logging.Handler):
    """Log records as plain lines, above the bar."""

    def __init__(self, console: Console) -> None:
        super().__init__(logging.INFO)
        self.console = console
        self.said: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        """Print the message, once: two threads that need one kernel both say that they compile it."""
        if (line := record.getMessage()) not in self.said:
            self.said.add(line)
            self.console.print(line, soft_wrap=True)


class Terminal:
    """The watch of `ratesim run` and `ratesim tune`; silent but for notes where stderr is no terminal."""

    def __init__(self) -> None:
        self.console = Console(stderr=True, markup=False, highlight=False)
        self.progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.completed:,.0f} of {task.total:,.0f} games"),
            GamesPerSecond(),
            TimeRemainingColumn(),
            console=self.console,
            transient=True,
            disable=not sys.stderr.isatty(),
        )
        self.task = self.progress.add_task("", total=None, visible=False)
        self.lines = Lines(self.console)
        self.log = logging.getLogger("ratesim")
        self.level = self.log.level

    def __enter__(self) -> Self:
        self.log.addHandler(self.lines)
        self.log.setLevel(logging.INFO)
        self.progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.progress.stop()
        self.log.removeHandler(self.lines)
        self.log.setLevel(self.level)

    def note(self, line: str) -> None:
        """Print what reading a stream found."""
        self.console.print(line, soft_wrap=True)

    def begin(self, runs: int, found: int, games: int) -> None:
        """Say what is done already, and show the bar."""
        if found:
            self.note(f"{found} of {runs} runs are finished already" if runs > 1 else "the run is finished already")
        self.runs, self.finished = runs - found, 0
        self._begin("begins", games)

    def done(self, label: str, games: int) -> None:
        """Move the bar on."""
        self.finished += 1
        self._go_on(label, games, f"{self.finished:,} of {self.runs:,} runs")
        if self.progress.finished:
            self.progress.update(self.task, description="judging and drawing")

    def tuning(self, label: str, games: int) -> None:
        """Show a bar of a tuning."""
        self.label = label
        self._begin(label, games)

    def tried(self, games: int) -> None:
        """Move it on."""
        self._go_on(self.label, games, self.label)

    def _begin(self, label: str, games: int) -> None:
        self.progress.reset(self.task, description=label, total=games, visible=games > 0)
        self.games, self.played = games, 0
        self.began = self.told = time.monotonic()

    def _go_on(self, label: str, games: int, said: str) -> None:
        """Move the bar on or, where there is no terminal, say once a minute what was done."""
        self.played += games
        self.progress.update(self.task, description=label, advance=games)
        now = time.monotonic()
        if self.progress.disable and now - self.told > EVERY:
            self.told = now
            speed = self.played / (now - self.began)
            left = (self.games - self.played) / speed / 60 if speed else 0.0
            self.note(f"{said}, {speed:,.0f} games/s, about {left:,.0f} min left")


@contextmanager
def counting() -> Iterator[Callable[[int], None]]:
    """Yield what is told how many games are in; a terminal shows it, with how fast they come."""
    columns = (TextColumn("{task.completed:,.0f} games read"), GamesPerSecond())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("", total=None)
        yield lambda games: progress.update(task, completed=games)
