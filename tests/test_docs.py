"""The documentation: every example runs and prints what it shows, links lead somewhere, and options exist.

A fenced block whose first line is a comment with a file's name is written to that file. A `python` block without one
is run as a program, and a `text` block right after it is what it prints. In a `console` block, lines that begin with
`$` are run, and the lines below one are what it prints: `...` stands for anything, and times are not compared. A
command whose last line begins with `wordle-kit:` must end with exit code 2, one that shows a FAIL or names a line of a
file with 1, others 0.
"""

import ast
import contextlib
import doctest
import inspect
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest
import typer

import wordle_kit as wk
from wordle_kit import cli
from wordle_kit.lazy import homes_of
from wordle_kit.programs.sandbox import problem_here

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(
    page
    for folder in (".", "docs", "data", "examples", "leaderboard", "benchmarks")
    for page in (ROOT / folder).glob("*.md")
)
RUN = [ROOT / "README.md"]
RUN += [
    DOCS / f"{name}.md"
    for name in (
        *("boards", "classroom", "debugging", "environments", "errors", "exact", "games", "isolation", "languages"),
        *("papers", "players", "plugins", "priors", "protocol", "puzzles", "results", "tournaments", "tutorial"),
    )
]
"""The pages whose examples are run."""

NOTICE = re.compile(
    r"^wordle-kit: (?:no sandbox: |the sandbox works without |\d+ of \d+ strategies played).*\n", re.MULTILINE
)
"""What a command says on standard error of this machine, and of strategies that did not play. Pages leave it out."""

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
        lines.append(re.sub(r"\d[\d.]*$", "", line) if timed else line)
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
            needs_sandbox = "--isolate" in arguments or (arguments[0] == "grade" and "-o" in arguments)
            if needs_sandbox and problem_here() is not None:
                arguments += ["--no-sandbox"]  # it would refuse; everything else is as shown
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
        wrong = re.search(r"^ *FAIL  ", shown, re.MULTILINE)
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
        pytest.importorskip("wordfreq", reason="needs wordfreq, which `tox -e slow` installs")
    blocks = blocks_of(page)
    assert any(block.language in ("console", "python") for block in blocks)
    for block, after in zip(blocks, [*blocks[1:], None], strict=True):
        reader.follow(block, after)


@pytest.mark.slow
def test_the_readme_shows_rows_of_the_leaderboard_that_its_first_command_prints(reader):
    shown = next(block for block in blocks_of(ROOT / "README.md") if block.language == "text")
    # A busy machine may take longer for the first decision of `rollout` than a deadline of 10 s.
    reader.type("wordle-kit tournament --deadline 100", shown.text, shown)


@pytest.mark.slow
def test_the_commands_of_the_readme_for_each_kind_of_reader_work(reader, monkeypatch):
    rows = re.findall(r"^\| \*\*(.+?)\*\* \| (.+?) \|", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert [kind for kind, _ in rows] == ["play", "write strategies", "teach", "do research"]
    for _, cell in rows:
        commands = re.findall("`(.+?)`", cell)
        assert 1 <= len(commands) <= 3
        for command in commands:
            shown = "...\nFAIL  ...\n" if " grade " in command else ""  # the starter does not get all points
            monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
            reader.type(command, shown, Block("console", command, 0))


def test_the_quick_start_for_teachers_joins_grades_with_a_list_of_students(reader):
    (reader.here / "grades").mkdir()
    (reader.here / "grades" / "grades.csv").write_text("name,points\nbob,5.0\neve,30.5\n", encoding="utf-8-sig")
    (reader.here / "students.csv").write_text("name,email,id\nada,a@x.org,1\nbob,b@x.org,2\n")
    (block,) = (block for block in blocks_of(DOCS / "teach.md") if block.language == "python")
    reader.follow(block, Block("text", "not on the list: eve\n", 0))
    joined = (reader.here / "points.csv").read_text().splitlines()
    assert joined == ["name,email,id,points", "ada,a@x.org,1,0", "bob,b@x.org,2,5.0"]


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
    return {"-h", "--help", *(name for option in command.params for name in (*option.opts, *option.secondary_opts))}


def every_command():
    """Yield the words that call each command, and the command."""
    program = typer.main.get_command(cli.app)
    for name in program.list_commands(typer.Context(program)):
        command = program.get_command(typer.Context(program), name)
        inner = getattr(command, "commands", None)
        yield from [((name, one), each) for one, each in inner.items()] if inner else [((name,), command)]


OPTIONS = {words: options_of(command) for words, command in every_command()}


def test_every_option_in_a_command_of_a_page_exists():
    found = [(page, *command) for page in PAGES for command in commands_in(page.read_text(encoding="utf-8"))]
    assert len(found) > 100
    wrong = []
    for page, name, words in found:
        options = [word.partition("=")[0] for word in words if re.match(r"-[a-zA-Z]$|--[a-z]", word)]
        wrong += [f"{page.name}: {' '.join(words)}" for option in options if option not in OPTIONS[name]]
    assert wrong == []


def anchors_of(page):
    """Return the anchors of a page's headings."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_reference_has_every_public_name_and_what_features_import_from_the_engine():
    text = "".join((DOCS / f"{page}.md").read_text(encoding="utf-8") for page in ("reference", "engine"))
    listed = set(re.findall(r"auto(?:data|function|module):: (\S+)", text))
    public = {f"{home}.{name}": getattr(wk, name) for name, home in homes_of(wk.__file__).items() if name[0] != "_"}
    told = {name for name, value in public.items() if inspect.isclass(value) or inspect.isfunction(value)}
    wanted = {*public, *imported_by_features()} - told - {"wordle_kit._version.__version__"}
    assert [name for name in sorted(wanted) if not {name, name.rpartition(".")[0]} & listed] == []


def imported_by_features():
    """Return the full names that the modules in plugins/ import from modules of the engine."""
    files = [ast.walk(ast.parse(path.read_text(encoding="utf-8"))) for path in (ROOT / "plugins").rglob("*.py")]
    imports = [each for file in files for each in file if isinstance(each, ast.ImportFrom)]
    imports = [each for each in imports if each.module.startswith("wordle_kit.")]
    return {f"{each.module}.{name.name}" for each in imports for name in each.names}
