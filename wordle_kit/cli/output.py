"""What commands print: results on standard output, notes on standard error, and nothing that a terminal would obey."""

import sys
from typing import TYPE_CHECKING

import typer

from wordle_kit.errors import WordleKitError
from wordle_kit.texts import line, terminal

if TYPE_CHECKING:
    from rich.text import Text

LONGEST_NOTE = 2000
"""Characters of a note."""


class Stopped(Exception):  # noqa: N818 - it is not an error
    """Ctrl-C in a command that a person types into; the message says what is lost."""


def say(text: str = "", *, nl: bool = True) -> None:
    """Print a result."""
    typer.echo(terminal(text), nl=nl)


def tell(text: str) -> None:
    """Print lines on standard error."""
    print(terminal(text), file=sys.stderr, end="")


def note(text: str) -> None:
    """Print a note, on a line of standard error."""
    print(f"wordle-kit: {line(text, LONGEST_NOTE)}", file=sys.stderr)


def show(text: "Text") -> None:
    """Print a text of several styles; colours only on a terminal, and not if NO_COLOR is set."""
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True)
    console.print(text)


def width() -> int:
    """Return the number of columns that standard output has."""
    from rich.console import Console

    return Console().width


def on_terminal() -> bool:
    """Return whether a person sees standard output on a terminal."""
    return sys.stdout.isatty()


def can_show(text: str) -> bool:
    """Return whether the encoding of standard output has these characters."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def ask(prompt: str) -> str | None:
    """Return the line that a person types, or the next line of a pipe, which is shown; None at the end of both.

    Raises WordleKitError for what is not UTF-8.
    """
    try:
        typed = input(terminal(prompt))
    except EOFError:
        say()
        return None
    except UnicodeDecodeError as error:
        raise WordleKitError("standard input: is not UTF-8 text; type or pipe text in UTF-8") from error
    if not sys.stdin.isatty():
        say(typed)
    return typed
