"""The documentation: every example runs and prints what it shows, links lead somewhere, nothing public is missing.

A fenced block whose first line is a comment with a file's name is written to that file. A `python` block without one
is run as a program, and a `text` block right after it is what it prints. In a `console` block, lines that begin with
`$` are run, and the lines below one are what it prints: `...` stands for anything, and times are not compared. A
command whose last line begins with `wordle-kit:` must end with exit code 2, one that shows a FAIL or names a line of a
file with 1, others 0.
"""

import ast
import contextlib
import csv
import dataclasses
import doctest
import io
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import pytest
import typer

import wordle_kit as wk
from wordle_kit import cli, hookspecs
from wordle_kit.classroom import assignment
from wordle_kit.cli.commands import all_commands
from wordle_kit.cli.help import HELP
from wordle_kit.game.files import GameDefinition, Order
from wordle_kit.leaderboard.compare import Comparison
from wordle_kit.leaderboard.metrics import METRICS
from wordle_kit.sandbox.levels import bubblewrap_problem
from wordle_kit.testing import CHECKS

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(
    page
    for folder in (".", "docs", "data", "examples", "leaderboard", "benchmarks")
    for page in (ROOT / folder).glob("*.md")
)
RUN = [
    ROOT / "README.md",
    *(
        DOCS / f"{name}.md"
        for name in ("boards", "classroom", "games", "isolation", "papers", "plugins", "priors", "protocol")
    ),
    *(
        DOCS / f"{name}.md"
        for name in (
            "dataframes",
            "debugging",
            "environments",
            "errors",
            "languages",
            "players",
            "plots",
            "puzzles",
            "researchers",
            "start",
        )
    ),
    *(DOCS / f"{name}.md" for name in ("tournaments", "trees", "tutorial")),
]
"""The pages whose examples are run."""

TUTORIAL = [DOCS / f"tutorial-{name}.md" for name in ("check", "parameters", "games", "share")]
"""The parts of the tutorial after the first. They use its files."""

INSTALL = re.compile(r"^python3 -m venv .*$", re.MULTILINE)
WRONG_LINE = re.compile(r"[\w.-]+: line \d+: ")
NOTICE = re.compile(
    r"^(wordle-kit: |\n?Played with )"
    r"no (?:sandbox|filter of system calls|control group for memory), so less is stopped: .*\n",
    re.MULTILINE,
)
"""What a command adds where part of the isolation is missing. Pages show what is printed where there is."""

FILE = re.compile(r"# ([\w./-]+\.\w+)")
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Block:
    """A fenced block of a page: its language, its text, and the line where it begins."""

    language: str
    text: str
    line: int

    @property
    def file(self):
        """Return the name of the file that the block is, if it is one."""
        match = FILE.fullmatch(self.text.partition("\n")[0])
        return match and match[1]


def blocks_of(page):
    """Return the fenced blocks of a page in their order."""
    text = page.read_text(encoding="utf-8")
    fences = re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [Block(match[1], match[2], text.count("\n", 0, match.start()) + 2) for match in fences]


def commands_of(block):
    """Return the commands of a console block, each with its expected output."""
    parts = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
    assert not parts[0].strip(), f"line {block.line}: output without a command"
    return [(command, wanted) for command, _, wanted in (part.partition("\n") for part in parts[1:])]


def without_times(text):
    """Return a text without the parts that differ between runs: times of decisions, and pytest's time.

    Lines between a table's head and body, as wide as its widest cells, are made equal too: a page may leave rows out.
    """
    text = re.sub("-{2,}", "--", text)
    text = re.sub(r"took [\d.]+ ms, .*(?=; )|passed in .*", "", text)
    lines = []
    timed = False
    for line in text.splitlines():
        timed = (timed or line.endswith("ms each")) and bool(line.strip())
        lines.append(re.sub(r"[\d.]+$", "", line) if timed else line)
    return "\n".join(lines)


def matches(wanted, got):
    """Return whether an output matches the one that a page shows."""
    return doctest.OutputChecker().check_output(without_times(wanted), without_times(got), FLAGS)


class Reader:
    """A reader who follows a page in an empty folder: writes its files, and runs its programs and commands."""

    def __init__(self, folder, monkeypatch):
        self.monkeypatch = monkeypatch
        self.here, self.installed = folder / "here", folder / "installed"
        self.has_pytest = False
        self.here.mkdir()
        monkeypatch.chdir(self.here)
        monkeypatch.setenv("WORDLE_KIT_STORE", str(folder / "results.sqlite"))
        monkeypatch.delenv("WORDLE_KIT_PLUGINS", raising=False)

    def follow(self, block, after):
        """Do what a block says; `after` is the block after it, or None."""
        if block.file:
            path = self.here / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
            if block.language == "python":
                compile(block.text, block.file, "exec")
        elif block.language == "python":
            shown = after.text if after is not None and after.language == "text" and not after.file else ""
            self.compare(block, "python", shown, *in_a_process("-c", block.text))
        elif block.language == "console":
            for command, shown in commands_of(block):
                self.type(command, shown, block)

    def type(self, command, shown, block):
        """Run a command line, and compare its output and exit code with the page."""
        program, *arguments = shlex.split(command)
        if program == "wordle-kit":
            plays_submissions = arguments[0] in ("grade", "class-tournament") and "--self" not in arguments
            if plays_submissions and bubblewrap_problem() is not None:
                arguments += ["--sandbox", "plain"]  # it would refuse; everything else is as shown
            code, printed = in_this_process(arguments)
            self.compare(block, command, shown, code, NOTICE.sub("", printed))
        elif program == "pytest":
            assert self.has_pytest, f"line {block.line}: the page does not say how to install pytest"
            self.compare(block, command, shown, *in_a_process("-m", "pytest", "-p", "no:cacheprovider", *arguments))
        elif command == "pip install pytest":  # it runs these tests, so it is installed
            self.has_pytest = True
        else:
            assert command == "pip install .", f"{command}: nothing here runs that"
            self.install()

    @staticmethod
    def compare(block, command, shown, code, printed):
        """Fail unless a command printed the output shown and ended with the exit code that follows from it."""
        last = shown.strip().rpartition("\n")[2]
        wrong = re.search(r"\n *FAIL  ", shown) or WRONG_LINE.match(shown)
        wanted = 2 if last.startswith("wordle-kit: ") else 1 if wrong else 0
        where = f"line {block.line}: {command}"
        assert code == wanted, f"{where}: exit code {code}\n{printed}"
        assert not shown.strip() or matches(shown, printed), f"{where}: shown\n{shown}\nprinted\n{printed}"

    def install(self):
        """Install the project in the folder as pip would, but without a network: its modules and entry points."""
        project = tomllib.loads((self.here / "pyproject.toml").read_text(encoding="utf-8"))
        name, version = project["project"]["name"], project["project"]["version"]
        info = self.installed / f"{name.replace('-', '_')}-{version}.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        lines = []
        for group, entries in project["project"]["entry-points"].items():
            lines += [f"[{group}]", *(f"{key} = {value}" for key, value in entries.items())]
        (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
        for module in project["tool"]["setuptools"]["py-modules"]:
            shutil.copy(self.here / f"{module}.py", self.installed)
            self.monkeypatch.delitem(sys.modules, module, raising=False)
        self.monkeypatch.syspath_prepend(self.installed)


def in_this_process(arguments):
    """Return the exit code of a `wordle-kit` command, and what it printed on either stream."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        code = cli.run(arguments)
    return code, printed.getvalue()


def in_a_process(*arguments):
    """Return the exit code of a Python program, and what it printed on either stream."""
    command = [sys.executable, *arguments]
    environment = os.environ | {"PYTHONIOENCODING": "utf-8"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "encoding": "utf-8"}
    ran = subprocess.run(command, env=environment, timeout=60, **pipes)
    return ran.returncode, ran.stdout


@pytest.fixture
def reader(tmp_path, monkeypatch):
    """Return a reader with an empty folder and one core, because the other cores run other tests."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0}, raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    return Reader(tmp_path, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("page", RUN, ids=lambda page: page.stem)
def test_every_example_runs_as_the_page_says(page, reader):
    if page.stem == "languages":
        pytest.importorskip("wordfreq", reason="needs wordfreq, which `tox -e tests` installs")
    for part in (page, *(TUTORIAL if page.stem == "tutorial" else ())):
        follow(part, reader)


@pytest.mark.slow
def test_the_page_on_isolation_is_right_without_bubblewrap_too(reader, without_bubblewrap):
    follow(DOCS / "isolation.md", reader)


def follow(page, reader):
    """Have a reader follow all steps of a page."""
    blocks = blocks_of(page)
    assert any(block.language in ("console", "python") for block in blocks)
    for block, after in zip(blocks, [*blocks[1:], None], strict=True):
        reader.follow(block, after)


@pytest.mark.parametrize(
    "text",
    ["$ wordle-kit --version\nwordle-kit 99\n", "$ wordle-kit nonsense\n", "$ wordle-kit games\nwordle-kit: no\n"],
)
def test_a_command_with_another_result_is_noticed(reader, text):
    with pytest.raises(AssertionError, match="line 7"):
        reader.follow(Block("console", text, 7), None)


def test_a_program_with_other_output_is_noticed(reader):
    with pytest.raises(AssertionError, match="shown"):
        reader.follow(Block("python", "print(1)", 1), Block("text", "2", 1))


@pytest.mark.slow
def test_the_readme_shows_rows_of_the_leaderboard_that_its_first_command_prints(reader):
    shown = next(block for block in blocks_of(ROOT / "README.md") if block.language == "text")
    rows = [line for line in shown.text.splitlines() if line != "..."]
    names = [line.split()[0] for line in rows[2 : rows.index("")]]
    assert len(names) > 5
    # A busy machine may take longer for the first decision of `rollout` than a deadline of 10 s.
    command = f"wordle-kit tournament --deadline 100 -s {' -s '.join(names)}"
    reader.type(command, "\n".join(rows), shown)


def test_the_readme_has_exactly_two_commands_to_install_and_run_each_in_a_block_of_its_own():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = INSTALL.findall(readme)
    assert commands == [
        "python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/wordle-kit tournament",
        "python3 -m venv .venv && .venv/bin/pip install -q tox && .venv/bin/tox -qq",
    ]
    assert [block.text.strip() for block in blocks_of(ROOT / "README.md")][:2] == commands
    assert readme.count("python3 -m venv") == 2
    assert all(readme[: readme.index(command)].count("\n") < 25 for command in commands)


@pytest.mark.slow
def test_the_commands_of_the_readme_for_each_kind_of_reader_work(reader, monkeypatch):
    rows = re.findall(r"^\| \*\*(.+?)\*\* \| (.+?) \|", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert [kind for kind, _ in rows] == ["play", "write strategies", "teach", "do research"]
    for _, cell in rows:
        commands = re.findall("`(.+?)`", cell)
        assert 1 <= len(commands) <= 3
        for command in commands:
            if " grade " in command:
                (reader.here / "submissions").mkdir()
                shutil.copy(reader.here / "letters" / "starter.py", reader.here / "submissions" / "ada.py")
            monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
            reader.type(command, "", Block("console", command, 0))


@pytest.mark.parametrize("page", ["README", "tutorial"])
def test_the_first_strategy_is_ten_lines_and_a_docstring(page):
    path = next(path for path in RUN if path.stem == page)
    first = next(block for block in blocks_of(path) if block.language == "python")
    tree = ast.parse(first.text)
    docstrings = [
        node for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    ]
    lines = [line for line in first.text.splitlines() if line.strip() and not line.startswith("#")]
    assert len(lines) - len(docstrings) == 10


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_relative_link_leads_to_a_file(page):
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    links = re.findall(r"\]\(([^)\s]+)\)", text)
    missing = []
    for link in links:
        path, _, anchor = link.partition("#")
        if "://" in path:
            continue
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors_of(target)):
            missing.append(link)
    assert not missing


def commands_in(text):
    """Return the words of every `wordle-kit` command with a known name in a text: in blocks and in code style."""
    text = re.sub(r"(`wordle-kit [^`\n]*)\n *", r"\1 ", text)
    lines = re.findall(r"(?:^\$ |^ *|`|&& )wordle-kit ([a-z].*?)(?=`|$)", text, re.MULTILINE)
    found = []
    for line in lines:
        words = line.partition("  #")[0].replace("\\|", "|").split()
        name = next((name for name in (tuple(words[:2]), tuple(words[:1])) if name in OPTIONS), None)
        if name is not None:
            found.append((name, words))
    return found


def options_of(command):
    """Return the names of a command's options."""
    return {*HELP, *(name for option in command.params for name in (*option.opts, *option.secondary_opts))}


def every_command():
    """Yield the words that call each command, and the command."""
    program = typer.main.get_command(cli.app)
    for name in program.list_commands(typer.Context(program)):
        command = program.get_command(None, name)
        inner = getattr(command, "commands", None)
        yield from [((name, one), each) for one, each in inner.items()] if inner else [((name,), command)]


OPTIONS = {words: options_of(command) for words, command in every_command()}


def test_every_option_in_a_command_of_a_page_exists():
    found = [(page, *command) for page in PAGES for command in commands_in(page.read_text(encoding="utf-8"))]
    assert len(found) > 300
    wrong = []
    for page, name, words in found:
        options = [word.partition("=")[0] for word in words if re.match(r"-[a-zA-Z]$|--[a-z]", word)]
        wrong += [f"{page.name}: {' '.join(words)}" for option in options if option not in OPTIONS[name]]
    assert wrong == []


def anchors_of(page):
    """Return the anchors of a page's headings."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_page_can_be_found_from_the_index():
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    assert [page.name for page in DOCS.glob("*.md") if f"({page.name})" not in index and page.name != "index.md"] == []
    assert "(docs/index.md)" in (ROOT / "README.md").read_text(encoding="utf-8")


def read(name):
    """Return the text of a page in docs/."""
    return (DOCS / f"{name}.md").read_text(encoding="utf-8")


def missing_from(text, names):
    """Return the names that a text does not have in code style, by themselves or before a bracket."""
    return [name for name in names if not re.search(rf"`(?:[\w.]+\.)?{re.escape(name)}(?:\(.*?\))?`", text)]


def public_of(kind):
    """Return the public attributes and methods that a class itself defines, with all fields of a data class."""
    fields = {field.name for field in dataclasses.fields(kind)} if dataclasses.is_dataclass(kind) else set()
    own = {*vars(kind), *vars(kind).get("__annotations__", {}), *fields}
    return sorted(name for name in own if not name.startswith(("_", "model_")))


def attributes_of(made):
    """Return the public attributes that an object's constructor sets."""
    return [name for name in vars(made) if not name.startswith("_")]


def test_every_public_name_is_documented():
    everything = "\n".join(page.read_text(encoding="utf-8") for page in DOCS.glob("*.md"))
    assert missing_from(everything, wk.__all__) == []


def test_every_hook_is_documented_with_its_signature():
    hooks = [name for name in vars(hookspecs) if name.startswith("register_")]
    assert hooks
    assert missing_from(read("plugins"), hooks) == []


@pytest.mark.parametrize(
    "kind", [wk.Strategy, wk.PartitionStrategy, wk.Position, wk.Board, wk.Feedback, wk.Rule, wk.MarksRule, wk.Game]
)
def test_everything_that_a_plugin_author_can_use_is_documented(kind):
    assert missing_from(read("plugins"), public_of(kind)) == []


@pytest.mark.parametrize("kind", [wk.Metric, wk.Host, wk.Format, wk.StoredRun, wk.RunFacts])
def test_the_table_of_a_class_has_every_member_and_no_other(kind):
    table = read("plugins").partition(f"\n## {kind.__name__}\n")[2].partition("\n## ")[0]
    members = re.findall(r"`(\w+)(?:\(.*?\))?`", " ".join(re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)))
    assert sorted(members) == public_of(kind)


def test_every_attribute_of_a_position_a_board_and_a_game_is_documented():
    position = wk.Position.start(wk.load_game("mastermind"))
    for thing in (position, position.board, position.game):
        assert missing_from(read("plugins"), attributes_of(thing)) == []


def test_every_check_is_documented():
    assert missing_from(read("plugins"), CHECKS) == []


def test_every_setting_of_a_game_file_and_each_of_its_choices_is_documented():
    assert missing_from(read("games"), [*GameDefinition.model_fields, *get_args(Order)]) == []


def test_every_setting_of_an_assignment_is_documented():
    tests = get_args(get_args(assignment.AnyTest)[0])
    names = {
        name for kind in (assignment.AssignmentDefinition, assignment.Sample, *tests) for name in kind.model_fields
    }
    names |= {get_args(kind.model_fields["kind"].annotation)[0] for kind in tests}
    assert missing_from(read("classroom"), sorted({*names, *get_args(assignment.Visibility)})) == []


def test_the_tables_of_bundled_games_and_rules_are_complete_and_right():
    plugins = wk.Plugins.load()
    for name in plugins.games:
        game = wk.load_game(name, plugins)
        counts = f"{len(game.answers):,} | {len(game.guesses):,} | {game.length} | {game.boards} | {game.max_guesses}"
        assert f"| `{name}` | {game.title} | {counts} | `{game.rule.name}` |" in read("games")
    assert missing_from(read("games"), plugins.rules) == []


def test_every_key_of_the_json_is_documented():
    (board,) = [wk.tournament("mastermind", ["first-consistent"], ["1234"], workers=1)]
    keys = [*board.as_dict(), *(metric.name for metric in METRICS), *Comparison.__dataclass_fields__]
    assert missing_from(read("tournaments"), keys) == []


def test_the_schema_of_a_store_is_documented_as_it_is(tmp_path):
    path = tmp_path / "store.sqlite"
    wk.tournament("mastermind", ["random-consistent"], ["1234"], workers=1, store=path)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        schema = {
            table: connection.execute(f"SELECT name, type FROM pragma_table_info('{table}')").fetchall()
            for table in tables
        }
        marks = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
    text = read("researchers")
    parts = re.findall(r"^The table `(\w+)` [^|]*((?:^\|.*\n)+)", text, re.MULTILINE)
    documented = {table: re.findall(r"^\| `(\w+)` \| ([A-Z]+) \|", rows, re.MULTILINE) for table, rows in parts}
    assert documented == schema
    assert f"the `application_id` {marks[0]} (`WKIT`) and the `user_version` {marks[1]}." in text


def test_every_column_that_says_where_figures_come_from_is_documented():
    (board,) = [wk.tournament("mastermind", ["entropy"], ["1234"], workers=1)]
    columns = next(csv.reader(io.StringIO(board.table("csv"))))
    origin = [*board.facts[0].origin, *(name for name in columns if name == "param_endgame")]
    assert len(origin) == 8
    assert missing_from(read("researchers"), origin) == []
    assert missing_from(read("tournaments"), [*board.as_dict(), "source"]) == []


def test_the_strategies_that_play_only_if_they_are_named_are_documented():
    strategies = wk.Plugins.load().strategies
    named = {name for name, entry in strategies.items() if entry.value.by_name_only}
    paragraph = next(part for part in read("tournaments").split("\n\n") if "play only if `-s` names them" in part)
    assert set(re.findall(r"`([a-z][a-z-]+)`", paragraph)) == named
    assert f"{ {5: 'Five', 6: 'Six', 7: 'Seven'}[len(named)] } bundled strategies" in paragraph
    assert f"The {len(strategies) - len(named)} bundled strategies" in read("report")


def test_every_outcome_is_documented():
    assert missing_from(read("tournaments"), [outcome.value for outcome in wk.Outcome]) == []


def test_every_dependency_is_documented_with_its_lower_bound():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needed = [*project["build-system"]["requires"], *project["project"]["dependencies"]]
    needed += [name for extra in project["project"]["optional-dependencies"].values() for name in extra]
    needed += re.findall(r"^ +([a-z-]+>=[\d.]+)$", (ROOT / "tox.ini").read_text(encoding="utf-8"), re.MULTILINE)
    needed += re.findall(r"^deps = ([a-z-]+>=[\d.]+)$", (ROOT / "tox.ini").read_text(encoding="utf-8"), re.MULTILINE)
    needed = [name.partition(";")[0] for name in needed]  # without the systems that it is for
    assert len(needed) > 10
    assert missing_from(read("dependencies"), needed) == []


def test_every_module_has_its_place_in_the_architecture():
    files = [*(ROOT / "wordle_kit").rglob("*.py"), *(ROOT / "plugins").glob("*.py"), *(ROOT / "data").glob("*.py")]
    names = [str(path.relative_to(ROOT)) for path in files if path.name != "__init__.py"]
    assert missing_from(read("architecture"), names) == []


def test_every_command_is_in_the_index():
    names = [name for name in all_commands(()) if " " not in name]
    assert [name for name in names if f"`wordle-kit {name}" not in read("index")] == []


def test_every_public_name_is_in_the_index():
    assert missing_from(read("index").partition("\n## Python\n")[2], wk.__all__) == []


def test_every_environment_of_tox_is_in_contributing():
    listed = re.findall(r"^\[testenv:(\w+)\]", (ROOT / "tox.ini").read_text(encoding="utf-8"), re.MULTILINE)
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert [name for name in [*listed, "tests"] if f"`tox -e {name}`" not in text] == []


def test_the_readme_is_short():
    assert (ROOT / "README.md").read_text(encoding="utf-8").count("\n") <= 100
