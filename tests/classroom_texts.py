"""Texts of submissions."""

import textwrap

FIRST = "return position.board.words[0]"

SMALLEST = "return min(position.board.words, key=lambda w: max(map(len, position.board.split(w).values())))"

RANDOM = "return position.rng.choice(position.board.words)"


def source(body=FIRST, *, stochastic=False, head=""):
    """Return a file with one strategy, without a hook."""
    text = textwrap.indent(textwrap.dedent(body).strip("\n"), " " * 8)
    kind = f"class Mine(wk.Strategy):\n    stochastic = {stochastic}\n    def guess(self, position):\n{text}\n"
    return f"{head}\nimport wordle_kit as wk\n\n{kind}"
