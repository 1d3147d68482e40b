"""Tests mirror the source: each module has a test file of its own, or a reason says which one tests it."""

import ast
import sys
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests"

ELSEWHERE = [
    # Modules, the file that tests them, and why they have none of their own.
    ("wordle_kit/*__.py", "cli/test_cli.py", "the program that is run"),
    ("wordle_kit/*/commands.py", "cli/test_cli.py", "commands are tested one by one beside those of the core"),
    ("wordle_kit/_version.py", "cli/test_cli.py", "one line, which the command prints"),
    ("wordle_kit/defaults.py", "cli/test_help.py", "two numbers, which help shows"),
    ("wordle_kit/api.py", "test_public.py", "public names, tested where their work is tested"),
    ("wordle_kit/arguments.py", "test_public.py", "mistakes in arguments are seen in public functions"),
    ("wordle_kit/errors.py", "cli/test_options.py", "each message is tested where it is raised"),
    ("wordle_kit/hookspecs.py", "test_plugins.py", "hooks do nothing without plugins"),
    ("wordle_kit/plugin_sources.py", "test_plugins.py", "the sources of plugins"),
    ("wordle_kit/sources.py", "tournaments/test_identity.py", "source code is part of an identity"),
    ("wordle_kit/cli/output.py", "cli/test_cli.py", "all commands print with it"),
    ("wordle_kit/cli/values.py", "cli/test_options.py", "options are tested with the objects that they describe"),
    ("wordle_kit/clusters/*.py", "clusters/test_clusters.py", "a cluster is only seen as a whole, from outside"),
    ("wordle_kit/exact/*.py", "exact/test_optimal.py", "only the whole search can be compared with brute force"),
    ("wordle_kit/isolation/*.py", "isolation/test_isolation.py", "processes are only seen together, from outside"),
    ("wordle_kit/sandbox/*.py", "isolation/test_isolation.py", "a sandbox is seen through the processes in it"),
    ("wordle_kit/strategy/costs.py", "strategy/test_kernels.py", "it calls the kernels"),
    ("wordle_kit/strategy/specs.py", "plugins/test_specs.py", "specs are of strategies that plugins register"),
    ("wordle_kit/strategy/board.py", "strategy/test_position.py", "a board is part of a position"),
    ("wordle_kit/tournaments/chance.py", "isolation/test_secrets.py", "seeds must not be found by trying"),
    ("wordle_kit/tournaments/tournament.py", "tournaments/test_runner.py", "a value that the runner plays"),
    ("wordle_kit/tournaments/chunks.py", "tournaments/test_runner.py", "parts of a run"),
    ("wordle_kit/tournaments/runs.py", "tournaments/test_runner.py", "the results of the runner"),
    ("plugins/metrics.py", "leaderboard/test_own_metrics.py", "it registers the metrics of the core"),
    ("plugins/command.py", "isolation/test_command.py", "a line for the engine's own class"),
    ("plugins/hosts.py", "tournaments/test_host.py", "hosts answer guesses"),
    ("plugins/formats.py", "leaderboard/test_leaderboard.py", "the formats are those of a leaderboard"),
    ("plugins/kernels.py", "plugins/test_rules.py", "each kernel is compared with its slow rule"),
    ("plugins/partition.py", "plugins/test_textbook.py", "the textbook heuristics"),
    ("wordle_kit/game/items.py", "plugins/test_attributes.py", "the rule compares items"),
    ("data/make_elements.py", "plugins/test_attributes.py", "run by hand; its file is read"),
    ("data/derive_words.py", "plugins/test_games.py", "its lists are those of bundled games"),
    ("data/make_words.py", "game/test_files.py", "run by hand; its lists are tested"),
    ("data/make_prior.py", "game/test_files.py", "run by hand; its list is tested"),
]

ABOUT_MANY = {
    # Test files of no module, and the question that they ask of many.
    "analysis/test_weights.py": "do expected figures count answers with their weights?",
    "cli/test_assist.py": "does `assist` do what its help says?",
    "cli/test_completion.py": "what does the Tab key offer after the words of a command line?",
    "cli/test_debugging.py": "can authors stop in a strategy, and what is said where they cannot?",
    "cli/test_explain.py": "does `explain` do what its help says?",
    "cli/test_openers.py": "does `openers` do what its help says?",
    "cli/test_play.py": "does `play` do what its help says?",
    "cli/test_plot.py": "does `plot` do what its help says?",
    "cli/test_puzzle.py": "does `puzzle` do what its help says?",
    "cli/test_report.py": "does `report` do what its help says?",
    "cli/test_reproduce.py": "does `reproduce` do what its help says?",
    "cli/test_cache.py": "does `cache` do what its help says?",
    "cli/test_strategies.py": "does `strategies` do what its help says?",
    "cli/test_stores.py": "does `store` do what its help says?",
    "cli/test_tree.py": "does `tree` do what its help says?",
    "environments/test_inspect.py": "does the example for Inspect score a strategy as a tournament does?",
    "environments/test_language_model.py": "does a model that copies a strategy get its figures, whatever goes wrong?",
    "browser/*": "is the HTML page right in a real browser?",
    "classroom/test_environment.py": "does a fault of the machine ever become a grade?",
    "classroom/test_everyone.py": "is everyone graded, whatever they hand in?",
    "classroom/test_memory.py": "does a submission gain anything by remembering?",
    "classroom/test_small_classes.py": "what is kept, limited and isolated when a class is graded?",
    "classroom/test_rules.py": "what may students import and name, in class and at home?",
    "game/test_promises.py": "is a rule that breaks a promise named, whatever plays?",
    "game/test_orders.py": "which words does a game have, and in which order?",
    "languages/test_spreadsheet.py": "does `new game --items` do what its help says?",
    "papers/test_published.py": "are the published figures complete, and is a wrong file refused?",
    "leaderboard/test_significance.py": "are p-values those of the definition?",
    "leaderboard/test_own_metrics.py": "are metrics of plugins shown wherever bundled ones are?",
    "plugins/test_aliases.py": "do old names of strategies still work?",
    "test_notebook.py": "does the notebook run, and what do notebooks show of objects?",
    "exact/test_facts.py": "are published facts about perfect play found?",
    "exact/test_stopping.py": "what is left of a search that is stopped?",
    "isolation/test_attacks.py": "what do dishonest strategies achieve?",
    "isolation/test_cgroups.py": "what do control groups count and end, whoever made them?",
    "isolation/test_channels.py": "what can a strategy learn or leave behind?",
    "isolation/test_crowding.py": "does a busy machine change a result?",
    "isolation/test_secrets.py": "can anyone find the hidden words?",
    "isolation/test_users.py": "do two processes ever run as the same user?",
    "isolation/test_views.py": "what can a strategy see of the machine?",
    "plugins/test_every_strategy.py": "does every bundled strategy keep its promises?",
    "plugins/test_gallery.py": "do the strategies of the gallery take the guesses that its page says?",
    "plugins/test_odd_files.py": "are plugins of odd names and kinds found or named?",
    "plugins/test_specs.py": "are specs of strategies read back?",
    "plugins/test_textbook.py": "do the textbook heuristics play as published?",
    "plugins/test_printed_sums.py": "are sums added in the order of a paper, to the last digit?",
    "strategy/test_parameters.py": "are parameters of any kind written alike in every process?",
    "strategy/test_score_cache.py": "which scores are kept, and which are dropped?",
    "strategy/test_ties.py": "which of several equal guesses is played?",
    "test_docs.py": "does the documentation tell the truth?",
    "test_environments.py": "is every test run by what CI runs?",
    "test_layers.py": "do modules import one another as the architecture says?",
    "test_mirror.py": "do tests mirror the source?",
    "test_pictures.py": "does the documentation have the pictures that are drawn now?",
    "test_packages.py": "does everything else work without a package?",
    "test_references.py": "are the references of the documentation complete, and do their examples run?",
    "test_public.py": "does every public name work and explain itself?",
    "test_published_leaderboards.py": "are the published leaderboards up to date?",
    "tournaments/test_damaged_stores.py": "does a damaged store ever give a wrong figure?",
    "tournaments/test_engine_time.py": "does the engine's own work count as a strategy's time?",
    "tournaments/test_identity.py": "does an identity change with whatever can change a guess?",
    "tournaments/test_interruptions.py": "is nothing lost when a tournament ends early?",
    "tournaments/test_known_figures.py": "do tournaments give figures that are known?",
    "tournaments/test_threads.py": "do other threads change or stop a tournament?",
    "tournaments/test_playing_once.py": "is nothing played twice without need, and everything again that must be?",
}


def modules():
    """Return the modules of the engine, the plugins and the data."""
    return sorted(
        str(path.relative_to(ROOT))
        for folder in ("wordle_kit", "plugins", "data")
        for path in (ROOT / folder).rglob("*.py")
        if path.name != "__init__.py"
    )


def own_test(module):
    """Return the test file that mirrors a module."""
    path = Path(module.removeprefix("wordle_kit/"))
    return str(path.with_name(f"test_{path.name}"))


def files_testing(module):
    """Return the files that test a module."""
    own = own_test(module)
    return [own] if (TESTS / own).is_file() else [test for pattern, test, _ in ELSEWHERE if fnmatch(module, pattern)]


def imported_by(module):
    """Return the packages of others that a module imports."""
    found = set()
    for node in ast.walk(ast.parse((ROOT / module).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name.partition(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module.partition(".")[0])
    return {name for name in found - sys.stdlib_module_names if not name.startswith(("wordle_kit", "_"))}


def files_about_packages():
    """Return the files that test modules which import packages of others, besides numpy, which half of all import."""
    return {test for module in modules() if imported_by(module) - {"numpy"} for test in files_testing(module)}


def files_of_tests():
    """Return the test files, without their folder."""
    return {str(path.relative_to(TESTS)) for path in TESTS.rglob("test_*.py")}


def test_every_module_has_a_test_file_or_a_reason_why_another_one_tests_it():
    found = files_of_tests()
    without = [module for module in modules() if own_test(module) not in found]
    assert [module for module in without if not any(fnmatch(module, pattern) for pattern, *_ in ELSEWHERE)] == []


def test_no_reason_is_out_of_date():
    found = files_of_tests()
    without = [module for module in modules() if own_test(module) not in found]
    stale = [pattern for pattern, *_ in ELSEWHERE if not any(fnmatch(module, pattern) for module in without)]
    assert stale == []
    assert [test for _, test, _ in ELSEWHERE if test not in found] == []


def test_every_test_file_mirrors_a_module_or_a_package_or_asks_a_question_of_many():
    mirrored = {own_test(module) for module in modules()}
    packages = {f"{path.name}/test_{path.name}.py" for path in (ROOT / "wordle_kit").iterdir() if path.is_dir()}
    others = files_of_tests() - mirrored - packages
    assert [test for test in sorted(others) if not any(fnmatch(test, pattern) for pattern in ABOUT_MANY)] == []
    assert [pattern for pattern in ABOUT_MANY if not any(fnmatch(test, pattern) for test in others)] == []


def test_the_packages_that_modules_import_are_seen():
    assert imported_by("plugins/kernels.py") == {"numba", "numpy"}
    assert imported_by("wordle_kit/trees/tree.py") == set()
    found = files_about_packages()
    assert {"plugins/test_rules.py", "cli/test_help.py", "game/test_files.py", "test_tables.py"} <= found
    assert {"trees/test_tree.py", "plugins/test_liu.py"}.isdisjoint(found)
