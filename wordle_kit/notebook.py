"""HTML tables for notebooks. Text in them is never read as HTML."""

from collections.abc import Mapping, Sequence

from wordle_kit.texts import web

TILES = {"0": "⬜", "1": "🟨", "2": "🟩"}

MOST_WORDS = 12
"""The most words of a list that are shown."""

LONGEST = 4000
"""The most characters of a cell or a note that are shown."""


def table(rows: Sequence[Mapping[str, object]], notes: Sequence[str] = ()) -> str:
    """Return rows with equal keys as a table, with notes as paragraphs below it. Without rows, there is no table."""
    below = "".join(f"<p>{web(note, LONGEST)}</p>" for note in notes)
    if not rows:
        return below
    head = "".join(f'<th scope="col">{web(key)}</th>' for key in rows[0])
    body = "".join(f"<tr>{''.join(map(_cell, row.values()))}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}"


def tiles(guess: str, feedback: str) -> str:
    """Return Wordle feedback (a digit for each character of the guess) as tiles.

    Other feedback is returned unchanged.
    """
    if len(feedback) == len(guess) and set(feedback) <= TILES.keys():
        return "".join(TILES[digit] for digit in feedback)
    return feedback


def few(words: Sequence[str]) -> str:
    """Return a text with the first words of a list and the number of the others."""
    rest = f" and {len(words) - MOST_WORDS:,} more" if len(words) > MOST_WORDS else ""
    return ", ".join(words[:MOST_WORDS]) + rest


def _cell(value: object) -> str:
    text = f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
    return f"<td>{web(text, LONGEST)}</td>"
