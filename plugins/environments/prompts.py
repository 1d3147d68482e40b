"""Prompts for language models: the rules and a position as text, and the guess in a model's answer."""

import re
from contextlib import suppress

import wordle_kit as wk
from wordle_kit.game.rules import mark_labels
from wordle_kit.texts import number_of

ASK = "Think as long as you like. Then write a last line with GUESS: and the {noun}."
"""A request to append to a prompt. `{noun}` is the game's term for a word. `word_in` reads the answer."""


def prompt_of(position: wk.Position, limit: int | None = None) -> str:
    """Return the rules of a position's game and its state as text, with at most `limit` guesses.

    The default limit is that of the game.
    """
    game = position.game
    noun, symbol = game.nouns
    limit = game.max_guesses if limit is None else limit
    task = f"One {noun} is hidden, out of {len(game.answers):,}. Find it"
    if game.boards > 1:
        each = f"Each hides one {noun} out of {len(game.answers):,}, and a guess counts on all of them. Find them"
        task = f"There are {game.boards} boards. {each}"
    size = f" of {game.length} {symbol}s" if game.length > 1 else ""
    lines = [
        f"{game.title}. {task} with at most {limit} guesses.",
        f"A guess is one of {len(game.guesses):,} {noun}s{size}, such as {game.guesses[0]}.",
        "Hard mode: each guess must use what earlier feedback has shown." if game.hard_mode else "",
        legend_of(game),
    ]
    return "\n".join([*filter(None, lines), "", state_of(position, limit)])


def state_of(position: wk.Position, limit: int) -> str:
    """Return the guesses so far with their feedback, and the number of guesses left, as text."""
    lines = [
        f"{turn}. {guess} {' / '.join(feedback_of(position, turn))}"
        for turn, guess in enumerate(position.guesses, start=1)
    ]
    return "\n".join([*lines, left_of(position, limit)])


def left_of(position: wk.Position, limit: int) -> str:
    """Return a sentence with the number of guesses left."""
    return f"{number_of(max(0, limit - len(position.guess_ids)), 'guess is', 'guesses are')} left."


def feedback_of(position: wk.Position, turn: int) -> list[str]:
    """Return the feedback on the guess with this number, counted from 1, as a text for each board.

    Each text has a letter for each mark. If the rule has no marks, the text is the one that the rule shows.
    """
    rule, length = position.game.rule, position.game.length
    texts = []
    for board in position.boards:
        if turn > len(board.codes):
            texts.append("solved")
        elif isinstance(rule, wk.MarksRule):
            texts.append("".join(signs_of(rule)[mark] for mark in rule.digits(board.codes[turn - 1], length)))
        else:
            texts.append(rule.show(board.codes[turn - 1], length))
    return texts


def legend_of(game: wk.Game) -> str:
    """Return a sentence that explains feedback."""
    rule = game.rule
    if not isinstance(rule, wk.MarksRule):
        return rule.legend(tiles=False)
    meanings = ", ".join(map("{} {}".format, signs_of(rule), mark_labels(rule)))
    return f"Feedback has a sign for each {game.nouns[1]} of the guess, in their order: {meanings}."


def signs_of(rule: wk.MarksRule) -> str:
    """Return a letter for each mark of a rule, or digits if some marks have no letter."""
    return rule.letters if len(rule.letters) == rule.base else "0123456789"[: rule.base]


ANSWER = re.compile(r"guess\W*?:\s*(\S.*)", re.IGNORECASE)
TAG = re.compile(r"<[^<>\s]*>")
"""A tag or token that ends a model's answer, such as `</s>`."""

QUOTES, BRACKETS = "`'\".“”‘’«»", "()[]{}<>"
MARKUP = ["", *(f" \t\r\n{marks}" for marks in ("", QUOTES, QUOTES + BRACKETS, QUOTES + BRACKETS + "*_!"))]
"""Sets of characters to strip from a word. The later sets contain characters that may be symbols of a game."""


def word_in(answer: str, game: wk.Game) -> str:
    """Return the guess in the last line of an answer that contains GUESS.

    White space, quotes, brackets, tags and end tokens around the guess are removed. If the line has no guess of the
    game, return its text. If there is no such line, return the whole answer.
    """
    found = ANSWER.findall(answer)
    said = found[-1] if found else answer
    for text in (said, TAG.sub(" ", said)):
        for marks in MARKUP:
            with suppress(wk.GameError):
                return game.guesses[game.index_of_guess(text.strip(marks))]
    return said.strip(MARKUP[-1])
