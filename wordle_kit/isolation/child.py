"""The program inside: loads one strategy, is told a game, and answers positions. Run by `python -m`."""

import contextlib
import os
import shutil
import signal
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from wordle_kit.game.game import Game
from wordle_kit.game.words import Alphabet
from wordle_kit.isolation.protocol import VERSION, decode, encode
from wordle_kit.lookup import configured
from wordle_kit.plugins import Plugins
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.tournaments.referee import Failure, attempt

POSITIONS_KEPT = 1024


class Book:
    """Makes positions from what was guessed and seen, and keeps the last, since the next begin with them."""

    def __init__(self, game: Game) -> None:
        self._start = Position.start(game)
        self._known: OrderedDict[tuple[object, ...], Position] = OrderedDict()

    def position(self, message: dict[str, Any]) -> Position:
        """Return the position of a message."""
        position = self._start
        key: tuple[object, ...] = ()
        for turn in message["history"]:
            codes = [0 if code is None else code for code in turn["codes"]]
            key = (*key, turn["guess"], *codes)
            if key in self._known:
                position = self._known[key]
                self._known.move_to_end(key)
                continue
            position = self._known[key] = position.after(turn["guess"], codes)
            if len(self._known) > POSITIONS_KEPT:
                self._known.popitem(last=False)
        boards = [board.copy() for board in position.boards]
        return Position(position.game, boards, position.guess_ids, message.get("seed"))


def main() -> None:
    """Answer messages until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    questions, answers = os.dup(0), os.dup(1)  # where no print and no input() of the strategy gets
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    with os.fdopen(questions, "rb") as lines, os.fdopen(answers, "wb", buffering=0) as out:
        for answer in answered(iter(lines.readline, b"")):
            line = encode(answer)
            while line:
                line = line[out.write(line) :]


def answered(lines: Iterator[bytes]) -> Iterator[dict[str, Any]]:
    """Yield the answer to each line: facts of the strategies or `loaded`, `ready` or not, and then guesses."""
    setup = decode(next(lines))
    own = _written(setup["file"]) if setup["file"] else None
    with contextlib.redirect_stdout(sys.stderr):
        plugins = Plugins.load([*setup["plugins"], *([own] if own else [])])
        if setup["strategy"] is None:
            yield _contents(plugins, own, setup["file"])
            return
        failure = next((failure.error for failure in plugins.failures if failure.origin == str(own)), None)
        if failure is not None:
            yield {"type": "problem", "problem": failure}
            return
        strategy = plugins.strategies[setup["strategy"]].value
        try:
            strategy = configured(strategy, setup["parameters"], plugins)
        except Exception as error:
            yield {"type": "problem", "problem": str(error)}
            return
    yield {"type": "strategy", "strategy": facts_of(strategy)}
    facts = decode(next(lines))
    if facts["rule"] not in plugins.rules:
        yield {"type": "unable", "problem": f"no plugin that is loaded here has the rule {facts['rule']!r}"}
        return
    game = _game(facts, plugins, setup["memory"])
    problem = _problem(strategy, game)
    if problem is not None or setup["memory"] == 0:
        yield {"type": "unable" if problem else "ready", "protocol": VERSION, "problem": problem}
        return
    _bring_kernels()
    game.table.prepare()
    yield {"type": "ready", "protocol": VERSION, "fingerprint": game.fingerprint}
    book = Book(game)
    for line in lines:
        message = decode(line)
        made = attempt(strategy, book.position(message))
        if isinstance(made, Failure):
            yield {"id": message["id"], "outcome": made.outcome, "error": made.message}
        else:
            yield {"id": message["id"], "guess": made}


def _written(file: dict[str, str]) -> Path:
    """Write the plugin to this process's folder, since its own is not in sight."""
    folder = Path(os.environ["TMPDIR"]) / "plugin"
    folder.mkdir()
    path = folder / Path(file["path"]).name
    path.write_bytes(bytes.fromhex(file["bytes"]))
    return path.resolve()


def _contents(plugins: Plugins, own: Path | None, file: dict[str, str]) -> dict[str, Any]:
    name = next((name for name, origin in plugins.origins.items() if origin == str(own)), None)
    return {
        "type": "plugin",
        "strategies": [
            {"registered": entry.name, **facts_of(entry.value)}
            for entry in plugins.strategies.values()
            if entry.plugin == name
        ],
        "others": [
            kind
            for kind, entries in (("rules", plugins.rules), ("games", plugins.games))
            if any(entry.plugin == name for entry in entries.values())
        ],
        "failures": [
            failure.error.replace(str(own), file["path"]) for failure in plugins.failures if failure.origin == str(own)
        ],
    }


def _game(facts: dict[str, Any], plugins: Plugins, memory: int) -> Game:
    alphabet = Alphabet(facts["alphabet"], facts["separator"])
    return Game(
        name=facts["name"],
        title=facts["title"],
        alphabet=alphabet,
        answers=[alphabet.split(word) for word in facts["answers"]],
        guesses=[alphabet.split(word) for word in facts["guesses"]],
        rule=plugins.rules[facts["rule"]].value,
        boards=facts["boards"],
        max_guesses=facts["max_guesses"],
        hard_mode=facts["hard_mode"],
        weights=facts["weights"],
        memory=memory,
    )


def facts_of(strategy: Strategy) -> dict[str, Any]:
    """Return what others have to know about a strategy."""
    return {
        "name": strategy.name,
        "version": strategy.version,
        "stochastic": bool(strategy.stochastic),
        "by_name_only": bool(strategy.by_name_only),
        "parameters": strategy.parameters(),
        "any_game": type(strategy).problem_with is Strategy.problem_with,
    }


def _problem(strategy: Strategy, game: Game) -> str | None:
    try:
        problem = strategy.problem_with(game)
    except Exception as error:  # its own code
        return f"it fails to say whether it can, with {type(error).__name__}: {error}"
    return None if problem is None else str(problem)


def _bring_kernels() -> None:
    """Copy the compiled kernels of wordle-kit to where numba looks for them, so that they are not compiled again."""
    with contextlib.suppress(ImportError, AttributeError, OSError):
        from numba.core.caching import _CacheLocator

        subpath: Callable[[str], str] = _CacheLocator.get_suitable_cache_subpath
        for module in ("wordle_kit.strategy", "wordle_kit_plugins"):
            source = Path(str(sys.modules[module].__file__)).with_name("kernels.py")
            place = Path(os.environ["NUMBA_CACHE_DIR"]) / subpath(str(source))
            place.mkdir(parents=True, exist_ok=True)
            for file in (source.parent / "__pycache__").glob(
                f"kernels.*.py{sys.version_info[0]}{sys.version_info[1]}.*"
            ):
                shutil.copy2(file, place)


if __name__ == "__main__":
    main()
