"""`python -m wordle_kit` is `wordle-kit`. It heeds Ctrl-C before it imports the rest, which takes a while."""

import sys


def main() -> None:
    """Run the command line. Also while it starts, Ctrl-C ends it with exit code 130 and too little memory with 2."""
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
