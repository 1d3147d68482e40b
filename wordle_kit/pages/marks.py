"""The names of a rule's marks, as legends and screen readers have them."""

from wordle_kit.game.rules import MarksRule, Rule


def mark_names(rule: Rule | None) -> list[str]:
    """Return the name of each mark: its meaning if the rule says it, otherwise its number. Other rules have none."""
    if not isinstance(rule, MarksRule):
        return []
    return [*rule.mark_names[: rule.base], *(f"mark {mark}" for mark in range(len(rule.mark_names), rule.base))]
