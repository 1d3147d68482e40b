"""Word files, which list one word per line."""

from pathlib import Path

from wordle_kit.errors import GameError
from wordle_kit.game.words import Alphabet


def read_word_file(path: Path, alphabet: Alphabet | None = None) -> list[tuple[int, str]]:
    """Return the lines of a word file that hold a word, each with its line number, counted from 1.

    Blank lines and lines that begin with `#` are skipped; if # is in the alphabet, only lines that begin with `# ` are.
    Raises GameError if the file cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise GameError(f"{path}: line {line}: is not UTF-8 text; save the file as UTF-8") from error
    except (OSError, ValueError) as error:  # a ValueError for a name that no file can have
        raise GameError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    comment = "# " if alphabet is not None and any("#" in symbol for symbol in alphabet.symbols) else "#"
    lines = enumerate(map(str.strip, text.splitlines()), start=1)
    return [(number, line) for number, line in lines if line and not (line + " ").startswith(comment)]
