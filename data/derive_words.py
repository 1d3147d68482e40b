"""Make the word lists that follow from a definition or from other lists: equations, primes, Jotto's words, chants.

Usage: python data/derive_words.py [--check]

Every list has one word per line. With --check it writes nothing, and the exit code tells whether data/words has the
lists that the definitions give.
"""

import argparse
import hashlib
import itertools
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

WORDS = Path(__file__).parent / "words"
OPERATORS = "+-*/"
BEGINNINGS = (("b", "p"), ("d", "t"), ("g", "k"))
"""The beginnings of each syllable of a chant."""

ENDINGS = tuple(tuple(vowel + last for vowel in "aeiouy") for last in ("", "r", "s"))
"""The endings of each syllable of a chant."""


def main() -> int:
    """Write or check all lists, and print their sizes and hashes as the table in data/README.md shows them."""
    parser = argparse.ArgumentParser(description="Make the word lists that need no other package.")
    parser.add_argument("--check", action="store_true", help="compare with the existing lists; write nothing")
    check = parser.parse_args().check
    same = True
    for name, words in sorted(derived_lists().items()):
        content = "".join(f"{word}\n" for word in words).encode("ascii")
        if check:
            same &= (WORDS / name).read_bytes() == content
        else:
            (WORDS / name).write_bytes(content)
        print(f"| {name} | {len(words):,} | `{hashlib.sha256(content).hexdigest()}` |")
    return 0 if same else 1


def derived_lists() -> dict[str, list[str]]:
    """Return the words of each list, by file name."""
    words = (WORDS / "wordle-2022-answers.txt").read_text(encoding="ascii").split()
    return {
        "chants-answers.txt": chants(),
        "chants-guesses.txt": sorted(refrains() + shuffled_chants(264)),
        "jotto-answers.txt": without_anagrams(words),
        "mini-nerdle-answers.txt": equations(6),
        "nerdle-answers.txt": equations(8),
        "primel-answers.txt": primes(10_000, 99_999),
    }


def equations(length: int) -> list[str]:
    """Return the true equations of this many characters, sorted.

    On the left are at least two positive numbers without leading zeros, on the right is one number, 0 included. * and /
    come before + and -. Only the result must be whole, so 1/2*4=2 is one of them.
    """
    found = []
    for right in range(1, length - 3):
        for expression in expressions(length - 1 - right):
            value = value_of(expression)
            if value.denominator == 1 and value >= 0 and len(str(value)) == right:
                found.append(f"{expression}={value}")
    return sorted(found)


def expressions(length: int) -> Iterator[str]:
    """Yield the expressions of this many characters: positive numbers with an operator between each two."""
    for digits in range(1, length - 1):
        for number in range(10 ** (digits - 1), 10**digits):
            for operator in OPERATORS:
                rest = length - digits - 1
                ends = (str(last) for last in range(10 ** (rest - 1), 10**rest))
                for end in itertools.chain(ends, expressions(rest)):
                    yield f"{number}{operator}{end}"


def value_of(expression: str) -> Fraction:
    """Return the exact value of an expression."""
    total, term, number = Fraction(0), Fraction(1), 0
    sign, operator = 1, "*"
    for character in f"{expression}+":
        if character.isdigit():
            number = 10 * number + int(character)
            continue
        term = term * number if operator == "*" else term / number
        if character in "+-":
            total += sign * term
            sign, term = (1 if character == "+" else -1), Fraction(1)
        operator, number = ("/" if character == "/" else "*"), 0
    return total


def primes(first: int, last: int) -> list[str]:
    """Return the prime numbers from the first to the last."""
    composite = bytearray(last + 1)
    for number in range(2, int(last**0.5) + 1):
        if not composite[number]:
            composite[number * number :: number] = b"\1" * len(range(number * number, last + 1, number))
    return [str(number) for number in range(first, last + 1) if not composite[number]]


def chants() -> list[str]:
    """Return the words of the invented language of `chants`: three syllables, each a beginning and an ending."""
    syllables = itertools.chain.from_iterable(zip(BEGINNINGS, ENDINGS, strict=True))
    return sorted("".join(word) for word in itertools.product(*syllables))


def refrains() -> list[str]:
    """Return words that tell one syllable: a beginning and five of its six endings, in an order that a hash draws.

    Any of the six endings is either seen or the only one that is left.
    """
    words = [
        [beginning, *(ending for ending in endings if ending != left_out)]
        for beginnings, endings in zip(BEGINNINGS, ENDINGS, strict=True)
        for beginning in beginnings
        for left_out in endings
    ]
    return ["".join(sorted(word, key=lambda part: drawn(f"{part} {word}"))) for word in words]


def shuffled_chants(count: int) -> list[str]:
    """Return this many words with the syllables of chants in another order, which a hash draws."""
    beginnings_and_endings = zip(BEGINNINGS, ENDINGS, strict=True)
    syllables = [["".join(pair) for pair in itertools.product(*both)] for both in beginnings_and_endings]
    orders = list(itertools.permutations(syllables))[1:]
    every = ["".join(word) for order in orders for word in itertools.product(*order)]
    return sorted(every, key=drawn)[:count]


def drawn(text: str) -> bytes:
    """Return the key that sorts texts at random, but always in the same order."""
    return hashlib.sha256(text.encode()).digest()


def without_anagrams(words: list[str]) -> list[str]:
    """Return the words without repeated letters, and of each set of anagrams only the last, sorted."""
    distinct = (word for word in words if len(set(word)) == len(word))
    return sorted({frozenset(word): word for word in distinct}.values())


if __name__ == "__main__":
    sys.exit(main())
