"""What our pages print: commands with what they say, and files to be written first."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

PROGRAMS = {"bash", "curl", "git", "mypy", "pip", "pre-commit", "pytest", "python", "python3", "ratesim", "ruff", "run"}
FENCE = re.compile(r"^```(\{code-block\} *)?([\w-]+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CAPTION = re.compile(r":caption: (\S+)\n(?::\S+:.*\n)*\n*")
SHELL = {"sh", "bash", "console"}
ENDS = {"|", ">", ">>", "&&"}


@dataclass
class Command:
    """A line of a shell block, and the lines that the page prints below it; none where it does not say."""

    line: str
    said: list[str] = field(default_factory=list)

    @property
    def words(self) -> list[str]:
        """Words up to a pipe or a redirection, the program without its path."""
        words = shlex.split(self.line, comments=True)
        end = next((k for k, word in enumerate(words) if word in ENDS), len(words))
        return [Path(words[0]).name, *words[1:end]]

    def __str__(self) -> str:
        return shlex.join(self.words)


@dataclass
class Text:
    """A block whose caption is the name of a file."""

    name: str
    text: str


def printed(page: Path) -> Iterator[Command | Text]:
    """Yield the commands and the captioned files of a page, in its order."""
    for directive, language, body in FENCE.findall(page.read_text(encoding="utf-8")):
        caption = CAPTION.match(body) if directive else None
        if caption:
            yield Text(caption[1], body[caption.end() :])
        elif language == "console":
            yield from console(body)
        elif language in SHELL:
            yield from (Command(line) for line in joined(body) if not line.startswith("#"))


def commands(page: Path) -> list[Command]:
    """Return the commands of a page."""
    return [each for each in printed(page) if isinstance(each, Command)]


def console(body: str) -> list[Command]:
    """Return commands, which follow a prompt, each with what is printed below it."""
    found: list[Command] = []
    for line in joined(body, blank=True):
        if line.startswith("$ "):
            found.append(Command(line[2:]))
        elif found:
            found[-1].said.append(line)
    return found


def joined(body: str, *, blank: bool = False) -> list[str]:
    """Return the lines of a block, continued ones as one."""
    return [line.rstrip() for line in body.replace("\\\n", " ").splitlines() if blank or line.strip()]
