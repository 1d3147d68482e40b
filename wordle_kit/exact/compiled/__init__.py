"""The compiled search: everything of perfect play that numba compiles, and the memory that it works in."""

from wordle_kit.compiled_code import find_folder

find_folder(__file__)
