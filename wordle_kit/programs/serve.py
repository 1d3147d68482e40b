"""`python -m wordle_kit.programs.serve FILE`: answers with the one strategy of a Python file, by the protocol."""

import argparse
import ast
import contextlib
import gc
import inspect
import json
import os
import pickle
import shutil
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from types import ModuleType

import numpy as np

from wordle_kit.errors import WordleKitError
from wordle_kit.faults import blamed_line, listening
from wordle_kit.game.game import Game
from wordle_kit.game.words import Alphabet
from wordle_kit.lazy import needed
from wordle_kit.pool import use_one_core
from wordle_kit.programs.protocol import VERSION, Message, encode
from wordle_kit.strategy.costs import load_kernels
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.texts import raised
from wordle_kit.tournaments.referee import Failure, attempt, prepared

POSITIONS_KEPT = 1024

Turns = tuple[tuple[str, tuple[int, ...]], ...]
"""The guesses of a position, each with the code of its feedback on each board."""


def main() -> None:
    """Answer messages until no more come."""
    read = argparse.ArgumentParser(prog="wordle_kit.programs.serve")
    read.add_argument("file", type=Path)
    read.add_argument("--allow", help="The modules that the file may import, with commas between them.")
    read.add_argument("--forbid", action="append", default=[], help="A name that the file may not use.")
    read.add_argument("--name", help="What messages call the file. [default: its own name]")
    wanted = read.parse_args()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever asks ends this process
    use_one_core()  # its limits may not allow threads
    questions, answers = os.dup(0), os.dup(1)  # out of reach of the strategy's print() and input()
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    with os.fdopen(questions, "rb") as lines, os.fdopen(answers, "wb") as out:
        for answer in answers_to(map(json.loads, lines), wanted):
            with contextlib.suppress(Exception):  # the strategy may have replaced it
                sys.stdout.flush()  # so that output is counted with the decision that printed it
            out.write(encode(answer))
            out.flush()


def answers_to(messages: Iterator[Message], wanted: argparse.Namespace) -> Iterator[Message]:
    """Yield the answer to each message: whether the game can be played, then guesses."""
    facts = next(messages)
    told: list[str] = []
    try:
        game = _game(facts)
        strategy = strategy_of(wanted.file, wanted.name or wanted.file.name, wanted.allow, wanted.forbid)
        problem = strategy.problem_with(game)
    except WordleKitError as error:
        problem = str(error)
    except BaseException as error:  # raised by the file
        where = blamed_line(error)
        problem = f"{raised(error)} ({where})" if where else raised(error)
    if problem is not None:
        yield {"type": "unable", "problem": str(problem)}
        return
    _copy_kernels(facts.get("kernels") or {})
    if facts["table"]:
        game.table.adopt(np.load(facts["table"], mmap_mode="r"))
    game.table.prepare()
    load_kernels(game)
    with listening(told.append):
        unprepared = prepared(strategy, game)
    said = {"protocol": VERSION, "version": strategy.version, "stochastic": bool(strategy.stochastic)}
    yield {"type": "ready", **said, **(_error(unprepared, told) if unprepared else {})}
    gc.freeze()  # what has been loaded lives as long as the process

    @lru_cache(POSITIONS_KEPT)
    def reached(turns: Turns) -> Position:
        """Return the position after these turns. The latest are kept, since the next positions begin with them."""
        return reached(turns[:-1]).after(*turns[-1]) if turns else Position.start(game)

    for message in messages:
        # The code on a board that was solved before is null, and is ignored.
        turns = tuple((turn["guess"], tuple(code or 0 for code in turn["codes"])) for turn in message["history"])
        known = reached(turns)
        boards = [board.copy() for board in known.boards]  # which the strategy may change
        told.clear()
        position = Position(game, boards, known.guess_ids, message.get("seed"), deadline=facts["deadline"])
        with listening(told.append):
            made = attempt(strategy, position)
        yield {"id": message["id"], **(_error(made, told) if isinstance(made, Failure) else {"guess": made})}


def _error(failure: Failure, told: list[str]) -> Message:
    """Return the part of an answer that says what went wrong, with the traceback if there is one."""
    return {"outcome": str(failure.outcome), "error": failure.message, **({"traceback": told[0]} if told else {})}


def _game(facts: Message) -> Game:
    for plugin in facts["rule_files"][:1]:
        from wordle_kit.plugins import load_file

        load_file(Path(plugin))  # then its classes can be unpickled
    alphabet = Alphabet(facts["alphabet"], facts["separator"])
    return Game(
        **{name: facts[name] for name in ("name", "title", "boards", "max_guesses", "hard_mode", "weights", "memory")},
        alphabet=alphabet,
        answers=[alphabet.split(word) for word in facts["answers"]],
        guesses=[alphabet.split(word) for word in facts["guesses"]],
        rule=pickle.loads(bytes.fromhex(facts["rule_pickle"])),  # noqa: S301 - from whoever started this process
    )


def _copy_kernels(folders: dict[str, str]) -> None:
    """Copy compiled kernels to where numba looks for them, so that they are not compiled again."""
    cache = os.environ.get("NUMBA_CACHE_DIR")
    for kept, folder in folders.items() if cache else ():
        with contextlib.suppress(OSError):  # then they are compiled
            shutil.copytree(kept, Path(cache or "", folder), ignore=shutil.ignore_patterns("*.pyc"))


# The file


NOTEBOOK = ".ipynb"

CELL = "cell "
"""How the name of a notebook's cell begins, as messages show it. A number follows."""


def strategy_of(path: Path, name: str, allow: str | None, forbid: Iterable[str]) -> Strategy:
    """Return the one strategy of a Python file or a notebook, which messages call `name`.

    It is the one that the file registers or, without a hook, that of its one class. Raises WordleKitError if there is
    none or more than one, or if the file imports or names what it may not. Whatever the file raises passes through.
    """
    sources = sources_of(path, name)
    for source, text in sources:
        problem = breach(ast.parse(text, source), allow, forbid)
        if problem is not None:
            raise WordleKitError(f"{source}, {problem}")
    module = ModuleType("submission")
    sys.modules[module.__name__] = module
    if path.suffix.lower() == NOTEBOOK:
        vars(module).update(dict.fromkeys(("display", "input", "get_ipython"), _Nothing()))
    for source, text in sources:
        exec(compile(text, source, "exec"), vars(module))  # noqa: S102 - that is what it is for
    found: list[Strategy] = []
    hook = getattr(module, "register_strategies", None)
    if callable(hook):
        hook(lambda strategy, *_, **__: found.append(strategy))
    else:
        found = [kind() for kind in _own_classes(module)]
    if len(found) != 1 or not isinstance(found[0], Strategy):
        names = ", ".join(getattr(one, "name", type(one).__name__) for one in found)
        has = f"{len(found)} strategies, {names}" if found else "no strategy"
        raise WordleKitError(f"{name} has {has}; it must have one class that is a Strategy")
    return found[0]


class _Nothing:
    """Stands for what a notebook has and a file has not, such as `display`. It does nothing."""

    def __getattr__(self, name: str) -> "_Nothing":
        return self

    def __call__(self, *given: object, **named: object) -> "_Nothing":
        return self


def sources_of(path: Path, name: str) -> list[tuple[str, bytes]]:
    """Return the code of a file, or of each cell of a notebook, with the name that messages give it.

    Raises WordleKitError for a file that is no notebook, or if IPython, which reads notebooks, is not installed.
    """
    if path.suffix.lower() != NOTEBOOK:
        return [(name, path.read_bytes())]
    reader = needed("IPython.core.inputtransformer2", "notebooks", "notebooks").TransformerManager()
    try:
        cells = json.loads(path.read_bytes())["cells"]
        texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        raise WordleKitError(f"{name} is not a notebook: {raised(error)}") from error
    transformed = ((number, reader.transform_cell(text)) for number, text in enumerate(texts, start=1))
    return [(f"{CELL}{number}", text.encode(errors="replace")) for number, text in transformed]


def _own_classes(module: ModuleType) -> list[Callable[[], Strategy]]:
    """Return the strategies that a module defines, except those from which its others are derived."""
    own = [
        kind
        for kind in vars(module).values()
        if inspect.isclass(kind) and issubclass(kind, Strategy) and kind.__module__ == module.__name__
    ]
    own = [kind for kind in dict.fromkeys(own) if not inspect.isabstract(kind)]
    return [kind for kind in own if not any(kind in other.__mro__[1:] for other in own)]


def breach(tree: ast.Module, allow: str | None, forbid: Iterable[str]) -> str | None:
    """Return which line of some code imports or names what it may not, or None.

    This is a rule for honest people, and no barrier: code that hides what it does can break it.
    """
    forbidden = set(forbid)
    allowed = None if allow is None else {*filter(None, allow.split(",")), "wordle_kit"}
    for node in ast.walk(tree):
        imported: list[str] = []
        named: list[str] = []
        if isinstance(node, ast.Import):
            imported = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            imported, named = [node.module or "."] if not node.level else ["."], [alias.name for alias in node.names]
        elif isinstance(node, ast.Name | ast.Attribute):
            named = [node.id if isinstance(node, ast.Name) else node.attr]
        at = f"line {getattr(node, 'lineno', 0)}"
        for name in [part for module in imported for part in module.split(".")] + named:
            if name in forbidden:
                return f"{at} uses {name}, which is forbidden here"
        for module in imported:
            top = module.partition(".")[0]
            if allowed is not None and top not in allowed and top not in sys.stdlib_module_names:
                may = ", ".join(sorted(allowed))
                return f"{at} imports {top or 'another file'}; allowed are {may} and Python's own modules"
    return None


if __name__ == "__main__":
    main()
