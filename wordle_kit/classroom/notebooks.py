"""Extract from a notebook the Python code of the cell that registers a strategy, without running any code."""

import json
import re

from wordle_kit.texts import plain

REGISTERS = re.compile(r"^[ \t]*(async[ \t]+)?def[ \t]+register_strategies\b", re.MULTILINE)
IMPORTS = re.compile(r"^[ \t]*(import|from)[ \t]+wordle_kit\b", re.MULTILINE)
"""Spaces and tabs only: other white space would match all following empty lines, again from each of them."""

MAGIC = re.compile(r"^(\s*)(%%?[A-Za-z]|!|\?\w|[\w.]+\?+\s*$)")
"""Lines that only a notebook understands; the last alternative is a query such as `Strategy?`."""

OTHER_LANGUAGE = re.compile(r"^\s*%%(?!time\b|timeit\b|capture\b|prun\b|writefile\s+\S+\.py\b)")
"""The beginning of a cell that is not Python."""


class NotebookError(ValueError):
    """Raised for a notebook without a strategy, with the reason in a few words."""


def code_of(notebook: bytes) -> bytes:
    """Return the code of the one cell that registers a strategy, as a Python file.

    Unless that cell imports wordle_kit itself, the code cells before it come first. Lines that only a notebook
    understands are left out. Raises NotebookError if there is no such cell, or more than one.
    """
    cells = _code_cells(notebook)
    registering = [number for number, cell in enumerate(cells) if REGISTERS.search(cell)]
    if not registering:
        raise NotebookError("none of its code cells defines register_strategies")
    if len(registering) > 1:
        raise NotebookError(
            f"{len(registering)} of its code cells define register_strategies; keep the one that counts"
        )
    (number,) = registering
    first = number if IMPORTS.search(cells[number]) else 0
    return plain("\n\n".join(cells[first : number + 1]) + "\n").encode()


def _code_cells(notebook: bytes) -> list[str]:
    """Return the Python code of each code cell."""
    try:
        read = json.loads(notebook)
    except (ValueError, RecursionError) as error:
        raise NotebookError("it is not a notebook") from error
    cells = read.get("cells") if isinstance(read, dict) else None
    if not isinstance(cells, list):
        raise NotebookError("it is not a notebook of version 4")
    codes = []
    for cell in cells:
        if isinstance(cell, dict) and cell.get("cell_type") == "code":
            source = cell.get("source")
            lines = [source] if isinstance(source, str) else source
            if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
                raise NotebookError("it is not a notebook of version 4")
            code = "".join(lines)
            if not OTHER_LANGUAGE.match(code):
                codes.append("\n".join(map(_without_magic, code.split("\n"))))
    return codes


def _without_magic(line: str) -> str:
    """Return a line, or a line without effect instead of one that only a notebook understands."""
    match = MAGIC.match(line)
    return f"{match[1]}pass  # {line.strip()}" if match else line
