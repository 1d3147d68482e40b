"""The formats of tables: for a terminal, JSON, CSV, Parquet, and those of tabulate, such as Markdown and LaTeX."""

from collections.abc import Callable

import wordle_kit as wk
from wordle_kit.tables import BUNDLED, Format


@wk.hookimpl
def register_formats(register: Callable[[Format], None]) -> None:
    """Register the formats of every `--format`."""
    for each in BUNDLED.values():
        register(each)
