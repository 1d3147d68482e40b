"""wordle-kit: strategies for Wordle-like games as plugins, played head to head, with leaderboards."""

from wordle_kit.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
