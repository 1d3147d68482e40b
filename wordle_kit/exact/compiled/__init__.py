"""The compiled search: all code of perfect play that numba compiles, and its memory."""

from wordle_kit.compiled_code import find_folder

find_folder(__file__)
