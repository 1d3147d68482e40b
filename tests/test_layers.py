"""Layers: the modules of wordle_kit import one another as docs/architecture.md says, and in no other way."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = "wordle_kit"
ERRORS = "wordle_kit.errors"
"""The first file of the core, which foundations may import too."""


def name_of(path):
    """Return the name of the module in a file, given from the root."""
    parts = Path(path).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def sources():
    """Return the text of each module by its name."""
    files = (ROOT / PACKAGE).rglob("*.py")
    return {name_of(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in files}


@cache
def candidates(text):
    """Return the names that a text imports anywhere: in functions, under TYPE_CHECKING, and by import_module.

    Each is a pair: the name if it is a module, and otherwise the module that has it.
    """
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {(alias.name, alias.name) for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports are not used"
            found |= {(f"{node.module}.{alias.name}", node.module) for alias in node.names}
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == "import_module":
            found |= {(each.value, each.value) for each in node.args if isinstance(each, ast.Constant)}
    return found


def imports(text, modules):
    """Return the modules of wordle_kit that a text imports."""
    found = {name if name in modules else home for name, home in candidates(text)}
    return {name for name in found if name == PACKAGE or name.startswith(f"{PACKAGE}.")}


class Architecture:
    """What docs/architecture.md says: the modules of each layer in their order, and what packages may import."""

    def __init__(self, text):
        self.core = self.listed(text, "## The core, in reading order", "## Words that have one meaning")
        self.foundations = self.listed(text, "## Foundations", "## Packages")
        packages = text.split("## Packages")[1].split("Their files:")[0]
        rows = re.findall(r"^\| `(\w+)` \| .* \|(.*)\|$", packages, re.MULTILINE)
        self.packages = {name: set(re.findall(r"`(\w+)`", allowed)) for name, allowed in rows}

    @staticmethod
    def listed(text, start, end):
        part = text.split(f"{start}\n")[1].split(f"{end}\n")[0]
        rows = [row.split("|")[1] for row in part.splitlines() if row.startswith("| `")]
        return [name_of(path) for row in rows for path in re.findall(r"`(wordle_kit/[\w/]+\.py)`", row)]

    def package_of(self, module):
        """Return the package that a module belongs to, or None."""
        top = module.split(".")[1] if "." in module else ""
        return top if top in self.packages else None


def is_command_line(module):
    """Return whether a module belongs to the command line."""
    return module == f"{PACKAGE}.__main__" or module.startswith(f"{PACKAGE}.cli")


def problems(modules, architecture):
    """Return a line for each violation of the architecture, given the text of each module."""
    graph = {name: imports(text, modules) for name, text in modules.items()}
    found = []
    foundations, core = set(architecture.foundations), set(architecture.core)
    for name, imported in graph.items():
        is_marker = not modules[name].strip() or bool(re.fullmatch(r'"""[^"]*"""\s*', modules[name]))
        package = architecture.package_of(name)
        layers = [name in foundations, name in core, package is not None]
        if sum(layers) != 1 and not is_marker and name != PACKAGE:
            found.append(f"{name} has {sum(layers)} places")
        found += [f"{name} and {other} import each other" for other in imported if name in graph.get(other, ())]
        for other in imported:
            their_package = architecture.package_of(other)
            if other == PACKAGE:
                found.append(f"{name} imports all of {PACKAGE}")
            if name in foundations and other not in (*foundations, ERRORS):
                found.append(f"{name}, a foundation, imports {other}")
            if name in core and their_package is not None:
                found.append(f"{name}, of the core, imports the package {their_package} ({other})")
            if package is not None and their_package not in (None, package, *architecture.packages[package]):
                found.append(f"{name} imports the package {their_package} ({other})")
            if is_command_line(other) and not is_command_line(name) and not name.endswith("commands"):
                found.append(f"{name} imports the command line ({other})")
    for order in (architecture.core, architecture.foundations):
        for place, name in enumerate(order):
            later = reached(name, graph) & set(order[place:])
            found += [f"{name} imports {other}, which is listed later" for other in sorted(later)]
    return found


def reached(name, graph):
    """Return the modules that a module imports, and those that these import, and so on."""
    waiting, seen = [name], set()
    while waiting:
        new = graph.get(waiting.pop(), set()) - seen
        seen |= new
        waiting += new
    return seen


@pytest.fixture(scope="module", name="modules")
def all_modules():
    return sources()


@pytest.fixture(scope="module", name="architecture")
def what_the_page_says():
    return Architecture((ROOT / "docs" / "architecture.md").read_text(encoding="utf-8"))


def test_modules_import_one_another_as_the_architecture_says(modules, architecture):
    assert "\n".join(problems(modules, architecture)) == ""


def test_every_module_that_is_listed_exists_and_is_listed_once(modules, architecture):
    listed = [*architecture.core, *architecture.foundations]
    assert [name for name in listed if name not in modules or listed.count(name) > 1] == []
    tops = {name.split(".")[1] for name in modules if "." in name}
    assert set(architecture.packages) <= tops


@pytest.mark.parametrize(
    ("module", "line", "problem"),
    [
        ("game.game", "from wordle_kit.trees.tree import Tree", "of the core, imports the package trees"),
        ("api", "def f():\n    from wordle_kit.isolation import limits", "of the core, imports the package isolation"),
        ("plugins", "if TYPE_CHECKING:\n    import wordle_kit.exact.search", "of the core, imports the package exact"),
        ("game.game", "import_module('wordle_kit.papers.figures')", "of the core, imports the package papers"),
        ("game.words", "from wordle_kit.strategy.strategy import Strategy", "which is listed later"),
        ("leaderboard.columns", "from wordle_kit.api import tournament", "which is listed later"),
        ("hookspecs", "from wordle_kit.tournaments.chance import Chance", "chance, which is listed later"),
        ("texts", "from wordle_kit.game.game import Game", "a foundation, imports wordle_kit.game.game"),
        ("trees.tree", "from wordle_kit.exact.search import Search", "imports the package exact"),
        ("report.page", "from wordle_kit.cli.output import tell", "imports the command line"),
        ("cli.solve", "from wordle_kit.playing import explanation", "of the core, imports the package playing"),
        ("exact.objective", "from wordle_kit.exact.search import Search", "import each other"),
        ("leaderboard.metrics", "import wordle_kit as wk", "imports all of wordle_kit"),
        ("surprise", "x = 1", "wordle_kit.surprise has 0 places"),
    ],
)
def test_an_import_that_is_not_allowed_is_found(modules, architecture, module, line, problem):
    name = f"wordle_kit.{module}"
    changed = modules | {name: f"{modules.get(name, '')}\n{line}\n"}
    assert [each for each in problems(changed, architecture) if name in each and problem in each]


def repeated_classes(texts):
    """Return the names of public classes that more than one of these modules defines."""
    modules = {}
    for name, text in texts.items():
        for node in ast.parse(text).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                modules.setdefault(node.name, set()).add(name)
    return {name: found for name, found in modules.items() if len(found) > 1}


def test_no_two_public_classes_have_the_same_name():
    assert repeated_classes(sources()) == {}


def test_a_repeated_class_is_found():
    texts = {"a": "class Known: pass", "b": "class Known: pass\nclass Other: pass", "c": "class _Known: pass"}
    assert repeated_classes(texts) == {"Known": {"a", "b"}}
