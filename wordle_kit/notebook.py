"""What notebooks show of an object: tables of HTML in which all text is text."""

from collections.abc import Mapping, Sequence

from wordle_kit.texts import web

TILES = {"0": "⬜", "1": "🟨", "2": "🟩"}

MOST_WORDS = 12
"""Words of a list that are shown."""

LONGEST = 4000
"""Characters of a cell or a note that are shown."""


def table(rows: Sequence[Mapping[str, object]], notes: Sequence[str] = ()) -> str:
    """Return rows with the same keys as a table, with paragraphs of notes below it."""
    head = "".join(f'<th scope="col">{web(key)}</th>' for key in (rows[0] if rows else ()))
    body = "".join(f"<tr>{''.join(map(_cell, row.values()))}</tr>" for row in rows)
    below = "".join(f"<p>{web(note, LONGEST)}</p>" for note in notes)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}"


def tiles(guess: str, feedback: str) -> str:
    """Return feedback in digits of Wordle, one for each character of the guess, as tiles; any other as it is."""
    if len(feedback) == len(guess) and set(feedback) <= TILES.keys():
        return "".join(TILES[digit] for digit in feedback)
    return feedback


def few(words: Sequence[str]) -> str:
    """Return the first words of a list, and how many more there are."""
    rest = f" and {len(words) - MOST_WORDS:,} more" if len(words) > MOST_WORDS else ""
    return ", ".join(words[:MOST_WORDS]) + rest


def _cell(value: object) -> str:
    text = f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
    return f"<td>{web(text, LONGEST)}</td>"
