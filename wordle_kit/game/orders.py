"""The orders that a game's words can have; ties between guesses follow them."""

from typing import Literal

from wordle_kit.game.words import Alphabet, Word

Order = Literal["alphabetical", "answers-first", "as-listed", "clojure-hash"]


def ordered(answers: list[Word], others: list[Word], order: Order, alphabet: Alphabet) -> tuple[list[Word], list[Word]]:
    """Return answers and guesses in the game's order; the guesses are the answers and the others together."""
    if order == "as-listed":
        listed = set(others)
        return answers, [word for word in answers if word not in listed] + others
    hidden = set(answers)
    others = [word for word in others if word not in hidden]
    if order == "clojure-hash":
        answers = sorted(answers, key=lambda word: clojure_hash_path(alphabet.join(word)))
        return answers, sorted(answers + others, key=lambda word: clojure_hash_path(alphabet.join(word)))
    answers = sorted(answers, key=alphabet.sort_key)
    if order == "answers-first":
        return answers, answers + sorted(others, key=alphabet.sort_key)
    return answers, sorted(answers + others, key=alphabet.sort_key)


def clojure_hash_path(text: str) -> tuple[int, ...]:
    """Return where a hash map of Clojure keeps a string: its hash in groups of five bits, the lowest first.

    Such maps are gone through in this order, and with them the words of Fetterman (2022). The hash is Java's of the
    string, mixed by Murmur3 for 32-bit integers with seed 0.
    """
    code = 0
    units = text.encode("utf-16-be")
    for high, low in zip(units[::2], units[1::2], strict=True):
        code = (31 * code + 256 * high + low) & MASK
    if code == 0:
        return (0,) * 7
    mixed = _rotated(code * 0xCC9E2D51 & MASK, 15) * 0x1B873593 & MASK
    mixed = (_rotated(mixed, 13) * 5 + 0xE6546B64) & MASK
    mixed ^= 4  # the length of an integer in bytes
    mixed = (mixed ^ mixed >> 16) * 0x85EBCA6B & MASK
    mixed = (mixed ^ mixed >> 13) * 0xC2B2AE35 & MASK
    mixed ^= mixed >> 16
    return tuple(mixed >> shift & 31 for shift in range(0, 32, 5))


MASK = 2**32 - 1


def _rotated(number: int, bits: int) -> int:
    return (number << bits | number >> (32 - bits)) & MASK
