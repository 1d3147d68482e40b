"""wordle-kit: strategies for Wordle-like games as plugins, played head to head, with leaderboards."""

from importlib import import_module

from wordle_kit._version import __version__ as __version__

TYPE_CHECKING = False  # importing it from typing takes as long as starting Python
if TYPE_CHECKING:
    from typing import Any

    from wordle_kit.api import load_game as load_game
    from wordle_kit.api import load_puzzles as load_puzzles
    from wordle_kit.api import load_strategy as load_strategy
    from wordle_kit.api import play as play
    from wordle_kit.api import read_leaderboard as read_leaderboard
    from wordle_kit.api import read_leaderboards as read_leaderboards
    from wordle_kit.api import sweep as sweep
    from wordle_kit.api import tournament as tournament
    from wordle_kit.clusters.cluster import Cluster as Cluster
    from wordle_kit.errors import GameError as GameError
    from wordle_kit.errors import PluginError as PluginError
    from wordle_kit.errors import PuzzleError as PuzzleError
    from wordle_kit.errors import StoreError as StoreError
    from wordle_kit.errors import StrategyError as StrategyError
    from wordle_kit.errors import TreeError as TreeError
    from wordle_kit.errors import WordleKitError as WordleKitError
    from wordle_kit.exact.optimal import Solution as Solution
    from wordle_kit.exact.optimal import optimal as optimal
    from wordle_kit.game.game import Game as Game
    from wordle_kit.game.items import Column as Column
    from wordle_kit.game.items import Items as Items
    from wordle_kit.game.rules import Codes as Codes
    from wordle_kit.game.rules import Feedback as Feedback
    from wordle_kit.game.rules import MarksRule as MarksRule
    from wordle_kit.game.rules import Rule as Rule
    from wordle_kit.game.table import Floats as Floats
    from wordle_kit.game.table import Ids as Ids
    from wordle_kit.game.words import Alphabet as Alphabet
    from wordle_kit.game.words import SymbolIds as SymbolIds
    from wordle_kit.game.words import Word as Word
    from wordle_kit.hookspecs import hookimpl as hookimpl
    from wordle_kit.isolation.command import Command as Command
    from wordle_kit.isolation.isolation import Isolation as Isolation
    from wordle_kit.leaderboard.leaderboard import Leaderboard as Leaderboard
    from wordle_kit.leaderboard.metrics import Metric as Metric
    from wordle_kit.plugins import Isolator as Isolator
    from wordle_kit.plugins import Plugins as Plugins
    from wordle_kit.sandbox.limits import Limits as Limits
    from wordle_kit.strategy.board import Board as Board
    from wordle_kit.strategy.costs import PartCost as PartCost
    from wordle_kit.strategy.partition import Bits as Bits
    from wordle_kit.strategy.partition import Combine as Combine
    from wordle_kit.strategy.partition import PartitionStrategy as PartitionStrategy
    from wordle_kit.strategy.partition import Pool as Pool
    from wordle_kit.strategy.partition import Ties as Ties
    from wordle_kit.strategy.position import BoardChoice as BoardChoice
    from wordle_kit.strategy.position import Position as Position
    from wordle_kit.strategy.strategy import Strategy as Strategy
    from wordle_kit.strategy.strategy import per_instance as per_instance
    from wordle_kit.tables import Format as Format
    from wordle_kit.tournaments.host import Host as Host
    from wordle_kit.tournaments.outcome import Outcome as Outcome
    from wordle_kit.tournaments.outcome import Play as Play
    from wordle_kit.tournaments.puzzles import Puzzles as Puzzles
    from wordle_kit.tournaments.runs import RunFacts as RunFacts
    from wordle_kit.tournaments.runs import StoredRun as StoredRun
    from wordle_kit.trees.files import known_tree as known_tree
    from wordle_kit.trees.files import read_tree as read_tree
    from wordle_kit.trees.tree import Node as Node
    from wordle_kit.trees.tree import Tree as Tree
    from wordle_kit.workers import Machines as Machines

_HOMES = {
    "api": [
        "load_game",
        "load_puzzles",
        "load_strategy",
        "play",
        "read_leaderboard",
        "read_leaderboards",
        "sweep",
        "tournament",
    ],
    "clusters.cluster": ["Cluster"],
    "errors": ["GameError", "PluginError", "PuzzleError", "StoreError", "StrategyError", "TreeError", "WordleKitError"],
    "exact.optimal": ["Solution", "optimal"],
    "game.game": ["Game"],
    "game.items": ["Column", "Items"],
    "game.rules": ["Codes", "Feedback", "MarksRule", "Rule"],
    "game.table": ["Floats", "Ids"],
    "game.words": ["Alphabet", "SymbolIds", "Word"],
    "hookspecs": ["hookimpl"],
    "isolation.isolation": ["Isolation"],
    "sandbox.limits": ["Limits"],
    "isolation.command": ["Command"],
    "leaderboard.leaderboard": ["Leaderboard"],
    "workers": ["Machines"],
    "leaderboard.metrics": ["Metric"],
    "plugins": ["Isolator", "Plugins"],
    "strategy.board": ["Board"],
    "strategy.costs": ["PartCost"],
    "strategy.partition": ["Bits", "Combine", "PartitionStrategy", "Pool", "Ties"],
    "strategy.position": ["BoardChoice", "Position"],
    "strategy.strategy": ["Strategy", "per_instance"],
    "tournaments.puzzles": ["Puzzles"],
    "tables": ["Format"],
    "tournaments.host": ["Host"],
    "tournaments.outcome": ["Outcome", "Play"],
    "trees.files": ["known_tree", "read_tree"],
    "tournaments.runs": ["RunFacts", "StoredRun"],
    "trees.tree": ["Node", "Tree"],
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted(["__version__", *_HOME_OF])


def __getattr__(name: str) -> "Any":
    if name not in _HOME_OF:
        raise AttributeError(f"module 'wordle_kit' has no attribute {name!r}")
    value = getattr(import_module(f"wordle_kit.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
