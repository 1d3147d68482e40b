"""What commands print: results on standard output, notes on standard error, and nothing that a terminal would obey."""

import sys

import typer

from wordle_kit.texts import line, terminal

LONGEST_NOTE = 2000
"""Characters of a note."""


def say(text: str = "", *, nl: bool = True) -> None:
    """Print a result."""
    typer.echo(terminal(text), nl=nl)


def tell(text: str) -> None:
    """Print lines on standard error."""
    print(terminal(text), file=sys.stderr, end="")


def note(text: str) -> None:
    """Print a note, on a line of standard error."""
    print(f"wordle-kit: {line(text, LONGEST_NOTE)}", file=sys.stderr)
