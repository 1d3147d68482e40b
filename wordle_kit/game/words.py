"""Alphabets, which turn texts into words and back."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from wordle_kit.errors import GameError, listed
from wordle_kit.texts import short_repr

Word = tuple[str, ...]
"""A word as the rules see it: its symbols in order."""

SymbolIds = npt.NDArray[np.uint8] | npt.NDArray[np.uint16]
"""Words as the kernels see them: indices of symbols, with one row per word and one column per place."""

Array = TypeVar("Array", bound=npt.NDArray[Any])


class Alphabet:
    """An ordered list of symbols, and the text form of the words made of them.

    A symbol is a string of one or more characters. If some symbols have several characters, a text is split into the
    longest possible symbols, from left to right. If words have a `separator` between symbols, they are split there.
    """

    def __init__(self, symbols: Iterable[str], separator: str = "") -> None:
        if isinstance(symbols, str) and not any(map(is_jamo, symbols)):
            symbols = unicodedata.normalize("NFC", symbols)  # a letter and its accent are one symbol
        symbols = listed(symbols) if not isinstance(symbols, str) else [*symbols]
        if not all(isinstance(symbol, str) for symbol in symbols):
            raise GameError(f"alphabet is {short_repr(symbols)}; give the symbols as a text, or as a list of texts")
        # A mark that is its own symbol must not be joined to the letter before it.
        self._form: Literal["NFC", "NFD"] = "NFD" if any(map(joins_previous, symbols)) else "NFC"
        self.symbols = tuple(unicodedata.normalize(self._form, symbol) for symbol in symbols)
        self.separator = separator
        self.index = {symbol: i for i, symbol in enumerate(self.symbols)}
        if not self.symbols:
            raise GameError("alphabet: has no symbols; list at least one")
        if len(self.index) < len(self.symbols):
            twice = next(symbol for symbol in self.symbols if self.symbols.count(symbol) > 1)
            raise GameError(f"alphabet: {twice!r} occurs twice; list every symbol once")
        for symbol in self.symbols:
            if not symbol or any(map(str.isspace, symbol)) or (separator and separator in symbol):
                raise GameError(f"alphabet: {symbol!r} cannot be a symbol; use text without spaces or separator")
        if separator.isspace() and separator != " ":
            raise GameError(f"separator: {separator!r} ends a line; use a space or a visible character")
        if len(self.symbols) > 2**16:
            raise GameError(f"alphabet: has {len(self.symbols)} symbols; at most {2**16} can be told apart")

    def split(self, text: str) -> Word:
        """Return the symbols of a text.

        Raises GameError, which names the first part of the text that is not a symbol.
        """
        if not isinstance(text, str):
            raise GameError(f"{short_repr(text)} is not a word; give a text")
        text = unicodedata.normalize(self._form, text)
        if self.separator:
            word = tuple(text.split(self.separator))
        else:
            word = tuple(text if self._single_characters else self._pattern.findall(text))
        if all(map(self.index.__contains__, word)):
            return word
        if self._folds and text != self.lower(text):
            return self.split(self.lower(text))
        wrong = next(symbol for symbol in word if symbol not in self.index)
        raise GameError(f"{text!r} has {wrong!r}, which is not in the alphabet")

    def lower(self, text: str) -> str:
        """Return a text in lower case: I becomes ı, and İ becomes i, in alphabets with a dotless ı."""
        if "ı" in self.index:
            text = text.replace("İ", "i").replace("I", "ı")
        return text.lower()

    def join(self, word: Sequence[str]) -> str:
        """Return the text of a word."""
        return self.separator.join(word)

    def encode(self, words: Sequence[Word]) -> SymbolIds:
        """Return the symbols' indices, uint8[n_words, length], or uint16 for an alphabet of more than 256 symbols."""
        ids = np.array([[self.index[symbol] for symbol in word] for word in words]).reshape(len(words), -1)
        return ids.astype(np.uint8) if len(self.symbols) <= 256 else ids.astype(np.uint16)

    def decode(self, words: SymbolIds) -> list[Word]:
        """Return words, [n_words, length], given as the indices of their symbols."""
        return [tuple(self.symbols[index] for index in word) for word in words.tolist()]

    def sort_key(self, word: Word) -> tuple[int, ...]:
        """Return the key that sorts a word alphabetically, in the order of this alphabet."""
        return tuple(map(self.index.__getitem__, word))

    @property
    def has_long_symbols(self) -> bool:
        """Whether a text could be split into symbols in more than one way."""
        return not self.separator and not self._single_characters

    @cached_property
    def _folds(self) -> bool:
        """Whether the alphabet has no capitals, so that capitals are read as lower case."""
        return all(symbol == symbol.lower() for symbol in self.symbols)

    @cached_property
    def _single_characters(self) -> bool:
        return all(len(symbol) == 1 for symbol in self.symbols)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """The pattern of the longest possible symbol, or of a character that begins no symbol."""
        longest_first = sorted(self.symbols, key=len, reverse=True)
        return re.compile("|".join([*map(re.escape, longest_first), "."]), re.DOTALL)


def joins_previous(symbol: str) -> bool:
    """Return whether a symbol begins with a mark or jamo that is joined to the character before it."""
    return bool(symbol) and (unicodedata.category(symbol[0]).startswith("M") or is_jamo(symbol[0]))


def is_jamo(character: str) -> bool:
    """Return whether a character is a conjoining vowel or final consonant of Hangul."""
    return "\u1160" <= character <= "\u11ff" or "\ud7b0" <= character <= "\ud7ff"


def evenly_spaced(n_words: int, count: int) -> list[int]:
    """Return `count` evenly spaced indices of words, or all if there are fewer words."""
    count = min(count, n_words)
    return [i * n_words // count for i in range(count)]


def frozen(array: Array) -> Array:
    """Make an array read-only and return it.

    All arrays of a game are read-only, so that each kernel is compiled for only one kind of array.
    """
    array.setflags(write=False)
    return array
