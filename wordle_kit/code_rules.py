"""Rules for what the code of a plugin's file may import and name. They are checked in its text and while it runs.

The rules apply only to the author's code, not to what numpy or wordle-kit import themselves. They are the rules of a
course, and no barrier to attackers: code that hides what it does can break them. Only a sandbox confines such code.
"""

import ast
import builtins
import importlib.abc
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from wordle_kit.sources import IMPORTS, MODULE_OF_FILE, loaded_files, parsed

KIT = "wordle_kit"

BY_NAME = ("import_module", "__import__")
"""The functions that import a module given its name as a text."""

EXCUSES = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}
"""Exceptions whose handlers show that the code works without a module."""


class NotAllowedError(ImportError):
    """Raised in a plugin's code when it imports or names something forbidden.

    The code may handle it and go on without.
    """


@dataclass(frozen=True)
class CodeRules:
    """The modules that a plugin's file may import besides Python's and wordle-kit, and the names it may not use."""

    allow: tuple[str, ...] = ()
    forbid: tuple[str, ...] = ()

    @property
    def allowed(self) -> str:
        """A text that lists what may be imported."""
        names = [*self.allow, KIT]
        return f"{', '.join(names)} and Python's standard library"

    def import_problem(self, name: str) -> str | None:
        """Return why a module may not be imported, or None if it may be."""
        if name.startswith("."):
            return f"imports {name}; the file must not need another one"
        parts = name.split(".")
        for part in parts:
            if part in self.forbid:
                return self.name_problem(part)
        top = parts[0]
        if top in (KIT, *self.allow) or top in sys.stdlib_module_names:
            return None
        return f"imports {top}; allowed are {self.allowed}"

    def name_problem(self, name: str) -> str | None:
        """Return why a name may not be used, or None if it may be."""
        return f"uses {name}, which is forbidden here" if name in self.forbid else None

    def breach(self, text: bytes) -> str | None:
        """Return a text about the first line of a Python file that breaks the rules, or None.

        Imports do not count if the file works without them, or if they are not carried out when it is loaded as a
        plugin.
        """
        tree = parsed(text)
        found = [] if tree is None else sorted(_uses(tree, self), key=lambda use: use[0])
        return f"line {found[0][0]} {found[0][1]}" if found else None

    def builtins(self) -> dict[str, Any]:
        """Return Python's built-in names without the forbidden ones."""
        return {name: value for name, value in vars(builtins).items() if name not in self.forbid}

    def check_import(self, name: str) -> None:
        """Raise NotAllowedError if a module may not be imported."""
        if (problem := self.import_problem(name)) is not None:
            raise NotAllowedError(problem, name=name)

    def seen(self, module: ModuleType) -> ModuleType:
        """Return a module as code under these rules may see it. A module of wordle-kit lacks the forbidden names."""
        of_kit = f"{module.__name__}.".startswith(f"{KIT}.")
        return Window(module, self) if self.forbid and of_kit else module


def _uses(tree: ast.Module, rules: CodeRules) -> Iterator[tuple[int, str]]:
    """Yield the line of each breach of the rules, with a text that says what it does."""
    waiting: list[tuple[ast.AST, bool]] = [(tree, True)]
    while waiting:
        node, counts = waiting.pop()
        if isinstance(node, ast.stmt | ast.expr):
            imported = _imported(node)
            if imported and counts:
                yield from ((node.lineno, text) for name in imported if (text := rules.import_problem(name)))
            for name in _named(node):
                if (problem := rules.name_problem(name)) is not None:
                    yield node.lineno, problem
        for field, child in ast.iter_fields(node):
            excused = field == "body" and _excuses(node)
            waiting += [
                (one, counts and not excused)
                for one in (child if isinstance(child, list) else [child])
                if _is_node(one)
            ]


def _is_node(value: object) -> bool:
    return isinstance(value, ast.AST)


def _imported(node: ast.AST) -> list[str]:
    """Return the names of the modules that a syntax node imports."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [f"{'.' * node.level}{node.module or ''}" if node.level else node.module or ""]
    if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", None)
        name = node.args[0].value
        return [name] if called in BY_NAME and isinstance(name, str) and name else []
    return []


def _named(node: ast.AST) -> list[str]:
    """Return the names that a syntax node uses, including texts that are names, as in `getattr`."""
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, ast.Attribute):
        return [node.attr]
    if isinstance(node, ast.ImportFrom):
        return [alias.name for alias in node.names]
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def _excuses(node: ast.AST) -> bool:
    """Return whether imports in the body of a statement are not needed to load the file as a plugin."""
    if isinstance(node, ast.Try):
        caught = [name for handler in node.handlers for name in _caught(handler)]
        return any(name in EXCUSES for name in caught)
    if isinstance(node, ast.If):
        test = node.test
        if isinstance(test, ast.Compare):
            return getattr(test.left, "id", None) == "__name__" and isinstance(test.ops[0], ast.Eq)
        return getattr(test, "attr", getattr(test, "id", None)) == "TYPE_CHECKING"
    return False


def _caught(handler: ast.ExceptHandler) -> list[str]:
    if handler.type is None:
        return ["BaseException"]
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return [kind.id for kind in kinds if isinstance(kind, ast.Name)]


class Window(ModuleType):
    """A module of wordle-kit as code under rules sees it, without the forbidden names."""

    def __init__(self, module: ModuleType, rules: CodeRules) -> None:
        super().__init__(module.__name__, module.__doc__)
        self.__dict__["_seen"] = (module, rules)

    def __getattr__(self, name: str) -> Any:
        """Return the attribute with this name. Raises NotAllowedError if the name is forbidden."""
        module, rules = self.__dict__["_seen"]
        if (problem := rules.name_problem(name)) is not None:
            raise NotAllowedError(problem, name=name)
        value = getattr(module, name)
        if name == "__all__":  # for `from wordle_kit import *`
            return [public for public in value if public not in rules.forbid]
        return rules.seen(value) if isinstance(value, ModuleType) else value


# The files that have rules in this process


_rules: dict[str, CodeRules] = {}


def restrict(path: Path, rules: CodeRules | None) -> None:
    """Apply these rules, or none, to the code of a file whenever this process loads it from now on."""
    if rules is None:
        _rules.pop(os.path.realpath(path), None)
        return
    _rules[os.path.realpath(path)] = rules
    if not any(isinstance(finder, Gate) for finder in sys.meta_path):
        sys.meta_path.insert(0, Gate())


def rules_of(path: str | Path) -> CodeRules | None:
    """Return the rules for the code of a file, or None if it has no rules."""
    return _rules.get(os.path.realpath(path)) if _rules else None


class Gate(importlib.abc.MetaPathFinder):
    """Finds no module. It prevents code under rules from importing a forbidden module without an import statement."""

    def find_spec(self, fullname: str, path: object, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return None. Raises NotAllowedError if code under rules is importing a forbidden module."""
        module = _importer(sys._getframe(1))
        rules = rules_of(loaded_files[module][0]) if module in loaded_files else None
        if rules is not None and not fullname.startswith(MODULE_OF_FILE):  # except its own modules
            rules.check_import(fullname)
        return None


def _importer(frame: FrameType | None) -> str:
    """Return the name of the module whose code is importing something, given the frame of the finder."""
    while frame is not None:
        name = str(frame.f_globals.get("__name__"))
        is_machinery = frame.f_code.co_filename.startswith(IMPORTS) or name == "importlib"
        if not (is_machinery or name == "wordle_kit.plugin_modules"):
            return name
        frame = frame.f_back
    return ""
