"""The word lists and games that come with wordle-kit; README.md beside this file gives their sources and licences."""

from pathlib import Path

FOLDER = Path(__file__).parent
"""The folder with `words/*.txt` and `games/*.toml`."""
