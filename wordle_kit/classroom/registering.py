"""The lines that register a strategy, for students whose file does not do so."""

import ast

NO_STRATEGY = (
    "it has no hooks",
    "it registers no strategy",
    "none of its files has register_strategies",
    "none of its code cells defines register_strategies",
)
"""Parts of the messages about a submission that registers no strategy."""

IMPORT = "import wordle_kit as wk"

CLASS = '''class Mine(wk.Strategy):
    """Guess the first word that may still be the answer."""

    def guess(self, position):
        return position.board.words[0]
'''

REGISTER = """@wk.hookimpl
def register_strategies(register):
    register({name}())"""


def is_unregistered(problem: str) -> bool:
    """Return whether a submission does not load because it registers no strategy."""
    return any(part in problem for part in NO_STRATEGY)


def how_to_register(code: bytes) -> str:
    """Return what to add to a file that registers no strategy, with the lines, for its own class if it has one.

    The file is read but not run. Return an empty text for a file that is not Python.
    """
    try:
        body = ast.parse(code).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    hook = next((one for one in body if isinstance(one, ast.FunctionDef) and one.name == "register_strategies"), None)
    if hook is not None and not hook.decorator_list:
        return f"Write @wk.hookimpl in a line of its own above line {hook.lineno}, `def register_strategies`."
    imports = [] if any(map(_imports_wk, body)) else [IMPORT, ""]
    name = next((one.name for one in reversed(body) if isinstance(one, ast.ClassDef) and _is_strategy(one)), None)
    if name is None:
        said, lines = "Define a class with a method `guess`, and register it", [*imports, CLASS, "", REGISTER]
    else:
        said, lines = f"Register the class {name} with these lines at the end of the file", [*imports, REGISTER]
    return "\n".join([f"{said}; see the starter:", "", *lines]).format(name=name or "Mine")


def _imports_wk(statement: ast.stmt) -> bool:
    names = statement.names if isinstance(statement, ast.Import) else []
    return any((one.name, one.asname) == ("wordle_kit", "wk") for one in names)


def _is_strategy(found: ast.ClassDef) -> bool:
    bases = [base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "") for base in found.bases]
    methods = {one.name for one in found.body if isinstance(one, ast.FunctionDef)}
    return "guess" in methods or any(base.endswith("Strategy") for base in bases)
