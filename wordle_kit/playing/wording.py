"""What players read: the meaning of feedback, and the name for the words of a game."""

from wordle_kit.game.game import Game
from wordle_kit.game.rules import MarksRule, Rule


def mark_names(rule: MarksRule) -> list[str]:
    """Return the name of each mark of a rule: its meaning if the rule says it, otherwise its number."""
    return [*rule.mark_names[: rule.base], *(f"mark {mark}" for mark in range(len(rule.mark_names), rule.base))]


def legend(rule: Rule, *, tiles: bool = True) -> str:
    """Return a sentence that explains the feedback of a rule, or an empty text for the usual marks.

    Without `tiles`, it explains feedback in characters only.
    """
    if not isinstance(rule, MarksRule) or rule.legend(tiles=tiles) or mark_names(rule) == list(MarksRule.mark_names):
        return rule.legend(tiles=tiles)
    meanings = [f"{mark} {name}" for mark, name in enumerate(mark_names(rule))]
    return f"Marks: {', '.join(meanings)}."


def noun(game: Game) -> str:
    """Return `word`, or `item` in a game of items."""
    return "word" if game.rule.items is None else "item"
