"""`python -m wordle_kit` is `wordle-kit`."""

from wordle_kit.cli import main

main()
