"""What counts as the same strategy: a hash of everything that can change its guesses."""

import ast
import hashlib
import importlib.util
import json
import secrets
import sys
import sysconfig
from functools import cache
from pathlib import Path

from wordle_kit.strategy.strategy import Strategy
from wordle_kit.texts import plain
from wordle_kit.tournaments.reach import Reach, functions_of, is_interactive

ENGINE = "wordle_kit."

LIBRARIES = tuple(Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib", "purelib", "platlib"))
"""The folders of Python and of installed packages, whose versions change rarely and which nobody edits."""


def identity_of(strategy: Strategy) -> tuple[str, str | None]:
    """Return a hash of everything that can change a strategy's guesses: class, version, parameters, source and files.

    Where that cannot be said, as of a notebook's function that uses an open connection, the hash is one that no other
    call returns, and the second value names what it is about.
    """
    kind = type(strategy)
    facts = [
        f"{kind.__module__}.{kind.__qualname__}",
        strategy.version,
        json.dumps(strategy.parameters(), sort_keys=True),
        *(hashlib.sha256(file.read_bytes()).hexdigest() for file in files_of(strategy)),
    ]
    unknown = None
    for base in kind.__mro__:
        if is_authored(base):
            fact, not_known = source_of(base)
            facts.append(fact)
            unknown = unknown or not_known
    inner = [*strategy.strategies.values()]
    if strategy.is_isolated:
        facts.append(strategy.identity_of_process())
    if strategy.known_here is not None:
        inner.append(strategy.known_here)
    for one in inner:
        fact, not_known = identity_of(one)
        facts.append(fact)
        unknown = unknown or not_known
    if unknown is not None:
        facts.append(secrets.token_hex())
    return hashlib.sha256(plain("|".join(facts)).encode()).hexdigest()[:16], unknown


def files_of(strategy: Strategy) -> list[Path]:
    """Return the files among the parameters of a strategy: what is in them can change its guesses."""
    values = [getattr(strategy, name) for name in type(strategy).model_fields]
    return [value for value in values if isinstance(value, Path) and value.is_file()]


def is_authored(kind: type) -> bool:
    """Return whether a class is an author's own, rather than the engine's or Python's."""
    return issubclass(kind, Strategy) and not kind.__module__.startswith(ENGINE)


def source_of(kind: type) -> tuple[str, str | None]:
    """Return a hash of the code of a class, and what in it could not be described, or None.

    Of a class in a file that is the file, with the author's other modules that it imports. Of one that was typed into a
    prompt or made by a function, what its methods reach counts too.
    """
    facts = "" if is_interactive(kind) else module_source(kind.__module__) or ""
    reach = Reach(module_source)
    if not facts:
        facts = reach.class_facts(kind)
    else:
        made_with = [
            function for function in functions_of(kind) if function.__code__.co_freevars not in ((), ("__class__",))
        ]
        facts += "".join(reach.described(function, function.__qualname__) for function in made_with)
    return hashlib.sha256(facts.encode("utf-8", "surrogatepass")).hexdigest(), reach.unknown


def module_source(name: str) -> str | None:
    """Return a hash of a module's file and of the author's modules that it imports, or its name if it is a library's.

    None stands for a module that is in no file.
    """
    file = _file_of(name)
    if file is None:
        return name if name in sys.stdlib_module_names or name in sys.builtin_module_names else None
    package = name.partition(".")[0]
    if name.startswith(ENGINE) or name == ENGINE[:-1] or (_is_library(file) and not package.startswith("wordle_kit_")):
        return name
    texts = {name: file.read_bytes()}
    waiting = [name]
    while waiting:
        module = waiting.pop()
        for other in sorted(_imports(texts[module], _package_of(module))):
            path = _file_of(other)
            if path is None or other in texts or other.startswith(ENGINE) or other == ENGINE[:-1]:
                continue
            if not _is_library(path) or other.partition(".")[0] == package:
                texts[other] = path.read_bytes()
                waiting.append(other)
    hashes = [f"{other} {hashlib.sha256(text).hexdigest()}" for other, text in sorted(texts.items()) if other != name]
    return "|".join([hashlib.sha256(texts[name]).hexdigest(), *hashes])


def _is_library(file: Path) -> bool:
    return any(file.is_relative_to(folder) for folder in LIBRARIES)


def _file_of(name: str) -> Path | None:
    """Return the Python file of a module that is loaded, or that could be."""
    module = sys.modules.get(name)
    found = getattr(module, "__file__", None)
    if module is None:
        parent = name.rpartition(".")[0]
        if parent and parent not in sys.modules:
            return None
        try:
            spec = importlib.util.find_spec(name)
        except (ImportError, ValueError, AttributeError):
            return None
        found = None if spec is None or not spec.has_location else spec.origin
    path = Path(found).resolve() if found is not None else None
    return path if path is not None and path.suffix == ".py" and path.is_file() else None


def _package_of(name: str) -> str:
    module = sys.modules.get(name)
    return str(getattr(module, "__package__", None) or name.rpartition(".")[0])


@cache
def _imports(text: bytes, package: str) -> frozenset[str]:
    """Return the names of modules that a Python file may import, at its top or inside of functions."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return frozenset()
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".") if node.level else []
            start = parts[: len(parts) - (node.level - 1)] if node.level else []
            base = ".".join([*start, *([node.module] if node.module else [])])
            names |= {base, *(f"{base}.{alias.name}" for alias in node.names)} if base else set()
    return frozenset(names)
