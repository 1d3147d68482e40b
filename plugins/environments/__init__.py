"""Environments: games for players that learn, with rewards that say what each guess was worth."""

from wordle_kit.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
