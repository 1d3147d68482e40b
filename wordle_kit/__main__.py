"""`python -m wordle_kit` is the same as `wordle-kit`. It handles Ctrl-C even during the imports, which take a while."""

import sys


def main() -> None:
    """Run the command line. Even while it starts, Ctrl-C ends it with exit code 130, and too little memory with 2."""
    try:
        from wordle_kit.cli import main as run

        run()
    except KeyboardInterrupt:
        print("wordle-kit: stopped", file=sys.stderr)
        sys.exit(130)
    except MemoryError:
        print("wordle-kit: there is not enough memory to start", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
