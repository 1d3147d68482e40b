"""What players read: the meaning of feedback, and the name for the words of a game."""

from wordle_kit.game.game import Game
from wordle_kit.game.rules import MarksRule, Rule
from wordle_kit.pages.html import mark_names


def legend(rule: Rule, *, tiles: bool = True) -> str:
    """Return a sentence that explains the feedback of a rule, or an empty text for the usual marks.

    Without `tiles`, it explains feedback in characters only.
    """
    names = mark_names(rule)
    if rule.legend(tiles=tiles) or not names or names == list(MarksRule.mark_names):
        return rule.legend(tiles=tiles)
    return f"Marks: {', '.join(f'{mark} {name}' for mark, name in enumerate(names))}."


def noun(game: Game) -> str:
    """Return `word`, or `item` in a game of items."""
    return "word" if game.rule.items is None else "item"
