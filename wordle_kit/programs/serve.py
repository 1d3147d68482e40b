"""`python -m wordle_kit.programs.serve FILE`: answer messages of the protocol with a file's strategy."""

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
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np

from wordle_kit.errors import WordleKitError
from wordle_kit.faults import error_line, listening
from wordle_kit.game.game import Game
from wordle_kit.game.words import Alphabet
from wordle_kit.lazy import needed
from wordle_kit.programs.protocol import VERSION, Message, encode
from wordle_kit.strategy.costs import load_kernels
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.tournaments.calls import Failure, call_guess, call_prepare


def main() -> None:
    """Answer messages until there are no more."""
    read = argparse.ArgumentParser(prog="wordle_kit.programs.serve")
    read.add_argument("file", type=Path)
    read.add_argument("--allow", help="The modules that the file may import, separated by commas.")
    read.add_argument("--forbid", action="append", default=[], help="A name that the file may not use.")
    read.add_argument("--name", help="The name of the file in messages. [default: its own name]")
    wanted = read.parse_args()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that asks ends this one
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
    """Yield the answer to each message: first whether the game can be played, and then guesses."""
    facts = next(messages)
    told: list[str] = []
    try:
        game = _game(facts)
        strategy = strategy_of(wanted.file, wanted.name or wanted.file.name, wanted.allow, wanted.forbid)
        problem = strategy.problem_with(game)
    except WordleKitError as error:
        problem = str(error)
    except BaseException as error:  # raised by the file
        problem = error_line(error)
    if problem is not None:
        yield {"type": "unable", "problem": str(problem)}
        return
    _copy_kernels(facts.get("kernels") or {})
    if facts["table"]:
        with contextlib.suppress(OSError):  # on an error, the codes are computed
            game.table.adopt(np.load(facts["table"], mmap_mode="r"))
    game.table.prepare()
    load_kernels(game)
    with listening(told.append):
        unprepared = call_prepare(strategy, game)
    said = {"protocol": VERSION, "version": strategy.version, "stochastic": bool(strategy.stochastic)}
    yield {"type": "ready", **said, **(_error(unprepared, told) if unprepared else {})}
    gc.freeze()  # what has been loaded lives as long as the process

    for message in messages:
        position = Position.start(game)
        for turn in message["history"]:  # the code on a board that was solved before is null, and is ignored
            position = position.after(turn["guess"], tuple(code or 0 for code in turn["codes"]))
        position = replace(position, seed=message.get("seed"), deadline=facts["deadline"])
        told.clear()
        with listening(told.append):
            made = call_guess(strategy, position)
        yield {"id": message["id"], **(_error(made, told) if isinstance(made, Failure) else {"guess": made})}


def _error(failure: Failure, told: list[str]) -> Message:
    """Return the part of an answer that says what went wrong, with the traceback if there is one."""
    return {"outcome": str(failure.outcome), "error": failure.message, **({"traceback": told[0]} if told else {})}


def _game(facts: Message) -> Game:
    for plugin in facts["rule_files"][:1]:
        from wordle_kit.plugin_files import load_file

        load_file(Path(plugin))  # so that its classes can be unpickled
    same = ("name", "title", "answers", "guesses", "boards", "max_guesses", "hard_mode", "weights", "memory")
    return Game(
        **{name: facts[name] for name in same},
        alphabet=Alphabet(facts["alphabet"], facts["separator"]),
        rule=pickle.loads(bytes.fromhex(facts["rule_pickle"])),  # noqa: S301 - from whoever started this process
    )


def _copy_kernels(folders: dict[str, str]) -> None:
    """Copy compiled kernels to where numba looks for them, so that they are not compiled again."""
    cache = os.environ.get("NUMBA_CACHE_DIR")
    for kept, folder in folders.items() if cache else ():
        with contextlib.suppress(OSError):  # on an error, they are compiled
            shutil.copytree(kept, Path(cache or "", folder), ignore=shutil.ignore_patterns("*.pyc"))


# The file


NOTEBOOK = ".ipynb"

CELL = "cell "
"""The beginning of the name of a notebook's cell in messages. The number of the cell follows."""


def strategy_of(path: Path, name: str, allow: str | None, forbid: Iterable[str]) -> Strategy:
    """Return the one strategy of a Python file or a notebook, which messages call `name`.

    It is the one that the file registers or, without a hook, an instance of its one class. Raises WordleKitError if
    there is none or more than one, or if the file imports or names something forbidden. Exceptions of the file are
    passed on.
    """
    sources = sources_of(path, name)
    for source, text in sources:
        problem = breach(ast.parse(text, source), allow, forbid)
        if problem is not None:
            raise WordleKitError(f"{source}, {problem}")
    module = ModuleType("submission")
    sys.modules[module.__name__] = module
    if path.suffix.lower() == NOTEBOOK:
        vars(module).update(dict.fromkeys(("display", "input", "get_ipython"), _Ignored()))
    for source, text in sources:
        exec(compile(text, source, "exec"), vars(module))  # noqa: S102 - that is what it is for
    found: list[Strategy] = []
    hook = getattr(module, "register_strategies", None)
    if callable(hook):
        hook(lambda strategy, *_, **__: found.append(strategy))
    else:
        found = [kind() for kind in _own_classes(module)]
    if len(found) != 1 or not isinstance(found[0], Strategy):
        names = ", ".join(getattr(strategy, "name", type(strategy).__name__) for strategy in found)
        has = f"{len(found)} strategies, {names}" if found else "no strategy"
        raise WordleKitError(f"{name} has {has}; it must have one class that is a Strategy")
    return found[0]


class _Ignored:
    """A substitute for functions that only notebooks have, such as `display`. It does nothing."""

    def __getattr__(self, name: str) -> "_Ignored":
        return self

    def __call__(self, *given: object, **named: object) -> "_Ignored":
        return self


def sources_of(path: Path, name: str) -> list[tuple[str, bytes]]:
    """Return the code of a file, or of each cell of a notebook, with the name that messages give it.

    Raises WordleKitError for a file that is not a notebook, or if IPython, which reads notebooks, is not installed.
    """
    if path.suffix.lower() != NOTEBOOK:
        return [(name, path.read_bytes())]
    reader = needed("IPython.core.inputtransformer2", "notebooks", "notebooks").TransformerManager()
    try:
        cells = json.loads(path.read_bytes())["cells"]
        texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        raise WordleKitError(f"{name} is not a notebook: {error_line(error)}") from error
    transformed = ((number, reader.transform_cell(text)) for number, text in enumerate(texts, start=1))
    return [(f"{CELL}{number}", text.encode(errors="replace")) for number, text in transformed]


def _own_classes(module: ModuleType) -> list[Callable[[], Strategy]]:
    """Return the strategies that a module defines, except base classes of the others."""
    own = [
        kind
        for kind in vars(module).values()
        if inspect.isclass(kind) and issubclass(kind, Strategy) and kind.__module__ == module.__name__
    ]
    own = [kind for kind in dict.fromkeys(own) if not inspect.isabstract(kind)]
    return [kind for kind in own if not any(kind in other.__mro__[1:] for other in own)]


def breach(tree: ast.Module, allow: str | None, forbid: Iterable[str]) -> str | None:
    """Return a message about a line of code that imports or names something forbidden, or None.

    This is a rule for honest people, not a barrier: code can hide what it does.
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
