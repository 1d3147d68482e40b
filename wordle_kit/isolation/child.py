"""The child program: it loads one strategy, receives a game, and answers positions."""

import contextlib
import gc
import os
import signal
import sys
from collections.abc import Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from wordle_kit.compiled_code import report_compiling
from wordle_kit.errors import PluginError
from wordle_kit.faults import listening, refuse_breakpoints
from wordle_kit.game.game import Game
from wordle_kit.game.words import Alphabet
from wordle_kit.isolation.plugin_file import PluginFile
from wordle_kit.isolation.protocol import VERSION, decode, encode
from wordle_kit.isolation.remote import Remote
from wordle_kit.isolation.shared import copy_kernels, receive_table
from wordle_kit.machine import use_one_core
from wordle_kit.plugins import Plugins
from wordle_kit.sources import opened_here
from wordle_kit.strategy.costs import load_kernels
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.texts import raised
from wordle_kit.tournaments.player import Failure, attempt, prepared

POSITIONS_KEPT = 1024

Turns = tuple[tuple[str, tuple[int, ...]], ...]
"""The guesses of a position, each with the code of its feedback on each board."""


def main() -> None:
    """Answer messages until no more come."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    use_one_core()  # its limits may not allow threads
    refuse_breakpoints()
    table = receive_table(int(sys.argv[1])) if len(sys.argv) > 1 else None  # before any code of the strategy runs
    questions, answers = os.dup(0), os.dup(1)  # out of reach of the strategy's print() and input()
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    with os.fdopen(questions, "rb") as lines, os.fdopen(answers, "wb", buffering=0) as out:
        for answer in answers_to(iter(lines.readline, b""), table):
            with contextlib.suppress(Exception):  # the strategy may have replaced it
                sys.stdout.flush()  # so that output is counted with the decision that printed it
            line = encode(answer)
            while line:
                line = line[out.write(line) :]
            if not gc.isenabled():  # no code of the strategy has run
                gc.freeze()  # modules live as long as the process
                gc.enable()


def answers_to(lines: Iterator[bytes], table: bytes | None = None) -> Iterator[dict[str, Any]]:
    """Yield the answer to each line: set up, facts about strategies, whether the game can be played, then guesses.

    No code of the strategy runs before the first answer, so whatever prevents that answer is the machine's fault.

    `table` has the codes of the game's feedback table, if they were given.
    """
    setup = decode(next(lines))
    own = None
    report: dict[str, Any] = {"type": "set up"}
    with contextlib.redirect_stdout(sys.stderr):
        trusted, report["problem"] = _trusted(setup["plugins"])
        if setup["file"]:
            try:
                own = _write(setup["file"], "plugin")
            except OSError as error:
                report["unwritten"] = error.strerror
    yield report
    setup |= decode(next(lines))
    with contextlib.redirect_stdout(sys.stderr):
        try:
            plugins = Plugins.load([*trusted, *([own] if own else [])])
        except PluginError as error:  # another plugin has the same name
            text = str(error) if own is None else str(error).replace(str(own), setup["file"]["name"])
            yield {"type": "problem", "problem": text, "failures": [text]}
            return
        while setup["strategy"] is None:
            yield _contents(plugins, own, setup["file"])
            setup |= decode(next(lines))  # one of them may be loaded
        failure = next((failure.error for failure in plugins.failures if failure.origin == str(own)), None)
        if failure is not None:
            yield {"type": "problem", "problem": failure}
            return
        strategy = plugins.strategies[setup["strategy"]].value
        try:
            strategy = plugins.configure(strategy, setup["parameters"])
        except Exception as error:
            yield {"type": "problem", "problem": str(error)}
            return
    yield {"type": "strategy", "strategy": facts_of(strategy) | {"opened": opened_here()}}
    facts = decode(next(lines))
    if facts["rule"] not in plugins.rules:
        why = "; ".join([f"no loaded plugin has the rule {facts['rule']!r}", *plugins.replaced])
        yield {"type": "unable", "problem": why}
        return
    game = _game(facts, plugins, setup["memory"])
    problem = _problem(strategy, game)
    if problem is not None or setup["memory"] == 0:
        yield {"type": "unable" if problem else "ready", "protocol": VERSION, "problem": problem}
        return
    if table is not None:
        game.table.adopt(table)
    copy_kernels(setup["kernels"], Path(os.environ["NUMBA_CACHE_DIR"]))
    game.table.prepare()
    if _needs_kernels(strategy):
        load_kernels(game)
    told: list[str] = []
    with listening(told.append):
        unprepared = prepared(strategy, game)
    ready = {"type": "ready", "protocol": VERSION, "fingerprint": game.fingerprint}
    if unprepared is not None:
        yield ready | _error(unprepared, told)
        return
    yield ready
    report_compiling(partial(print, file=sys.stderr, flush=True))  # what it prints is shown if it is late

    @lru_cache(POSITIONS_KEPT)
    def reached(turns: Turns) -> Position:
        """Return the position after these turns. The latest are kept, since the next positions begin with them."""
        return reached(turns[:-1]).after(*turns[-1]) if turns else Position.start(game)

    for line in lines:
        message = decode(line)
        # The code on a board that was solved before is null, and is ignored.
        turns = tuple((turn["guess"], tuple(code or 0 for code in turn["codes"])) for turn in message["history"])
        for end in range(len(turns) + 1):  # so that `reached` never calls itself more than once
            known = reached(turns[:end])
        boards = [board.copy() for board in known.boards]  # which the strategy may change
        told.clear()
        position = Position(game, boards, known.guess_ids, message.get("seed"), deadline=facts["deadline"])
        with listening(told.append):
            made = attempt(strategy, position)
        answer = _error(made, told) if isinstance(made, Failure) else {"guess": made}
        yield {"id": message["id"], **answer}


def _error(failure: Failure, told: list[str]) -> dict[str, Any]:
    """Return the part of an answer that says what went wrong, with the traceback if there is one."""
    return {"outcome": failure.outcome, "error": failure.message} | ({"traceback": told[0]} if told else {})


def _trusted(plugins: list[Any]) -> tuple[list[str | Path], str | None]:
    """Load the trusted plugins, and return them as they can be loaded again, with the reason if one fails.

    Plugins that are files are written to this process's folder first, since this user may not be able to read them.
    """
    here: list[str | Path] = []
    names: dict[str, str] = {}
    try:
        for number, plugin in enumerate(plugins):
            here.append(plugin if isinstance(plugin, str) else _write(plugin, f"trusted-{number}"))
            names |= {} if isinstance(plugin, str) else {str(here[-1]): plugin["name"]}
        problem = "; ".join(str(failure) for failure in Plugins.load(here).failures if failure.named)
    except (OSError, PluginError) as error:
        problem = str(error)
    for copy, name in names.items():
        problem = problem.replace(copy, name)
    return here, problem or None


def _write(file: dict[str, Any], name: str) -> Path:
    """Write a plugin and its data files to a folder of this process, since their own folder is not visible."""
    return PluginFile.received(file).write(Path(os.environ["TMPDIR"], name))


def _contents(plugins: Plugins, own: Path | None, file: dict[str, str]) -> dict[str, Any]:
    name = next((name for name, origin in plugins.origins.items() if origin == str(own)), None)
    programs = {name: entry for name, entry in plugins.strategies.items() if isinstance(entry.value, Remote)}
    return {
        "type": "plugin",
        "strategies": [
            {"registered": entry.name, "aliases": entry.aliases, "opened": opened_here(), **facts_of(entry.value)}
            for entry in plugins.strategies.values()
            if entry.plugin == name
        ],
        "others": [
            kind
            for kind, entries in (("rules", plugins.rules), ("games", plugins.games), ("programs", programs))
            if any(entry.plugin == name for entry in entries.values())
        ],
        "failures": [
            failure.error.replace(str(own), file["name"]) for failure in plugins.failures if failure.origin == str(own)
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
    """Return the facts about a strategy that the referee's side needs."""
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
        return f"problem_with() failed with {raised(error)}"
    return None if problem is None else str(problem)


def _needs_kernels(strategy: Strategy) -> bool:
    """Return whether the file of a strategy mentions compiled kernels, which then have to be loaded beforehand.

    A strategy that uses them in another way waits for them in its first decision.
    """
    if any(map(_needs_kernels, strategy.strategies.values())):
        return True
    modules = {base.__module__ for base in type(strategy).__mro__ if issubclass(base, Strategy)} - {Strategy.__module__}
    files = (getattr(sys.modules.get(name), "__file__", None) for name in modules)
    texts = (Path(file).read_bytes() for file in files if file is not None and Path(file).is_file())
    return any(name in text for text in texts for name in (b"costs", b"kernels", b"load_strategy"))
