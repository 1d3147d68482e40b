"""Use an existing game for an assignment: a registered game, or a game file with its word lists and rules."""

import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path

from wordle_kit.api import load_game
from wordle_kit.classroom.new import Basis
from wordle_kit.errors import WordleKitError
from wordle_kit.files import write_file
from wordle_kit.game.files import WORD_FILE
from wordle_kit.game.game import Game
from wordle_kit.plugins import Plugins
from wordle_kit.temporary import temporary_folder
from wordle_kit.texts import markdown

EXAMPLES = 4

NAMED = ("alphabet", "answers", "guesses", "weights", "plugin", "base", "items")
"""The settings of a game that may name files."""

FILES = (WORD_FILE, ".csv", ".py", ".toml")


def adopt_game(game: str, plugins: Sequence[Path] = ()) -> Basis:
    """Return a game by its name or its file, with the files of its rules. Raises WordleKitError if one is wrong."""
    for path in plugins:
        if not path.is_file():
            raise WordleKitError(f"plugin {path}: there is no such file")
    loaded = Plugins.load([str(path.resolve()) for path in plugins], strict=True).for_game(game)
    read = load_game(game, loaded)
    files = _by_name((path.name, path.read_bytes()) for path in map(Path, loaded.requested))
    names = tuple(files)
    if game not in loaded.games:
        files = _by_name([*files.items(), *_game_files(Path(game).expanduser(), loaded)])
        _check(read, Path(game).name, files, names)
        game = Path(game).name
    origin = (
        f"is `{game}`, an existing game. If its word lists or its rule are published, strategies for it may be too."
    )
    return Basis(read, game, _story(read), origin, files, names)


def _by_name(files: Iterable[tuple[str, bytes]]) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for name, text in files:
        if found.setdefault(name, text) != text:
            raise WordleKitError(f"{name}: two different files have this name; rename one")
    return found


def _game_files(path: Path, plugins: Plugins) -> Iterable[tuple[str, bytes]]:
    """Yield the name and text of a game file, of the files that it names and of its bases, for a single folder."""
    text = path.read_text(encoding="utf-8-sig")
    fields = tomllib.loads(text)
    entries = [entry for name in NAMED for entry in _listed(fields.get(name)) if entry.endswith(FILES)]
    for entry in entries:
        if entry in plugins.games:
            continue
        file = path.parent / Path(entry).expanduser()
        for quote in "\"'":
            text = text.replace(f"{quote}{entry}{quote}", f"{quote}{file.name}{quote}")
        if file.suffix == ".toml":
            yield from _game_files(file, plugins)
        elif file.suffix != ".py":  # plugins are copied already
            yield file.name, file.read_bytes()
    yield path.name, text.encode()


def _listed(setting: object) -> list[str]:
    entries = setting if isinstance(setting, list) else [setting]
    return [entry for entry in entries if isinstance(entry, str)]


def _check(game: Game, name: str, files: dict[str, bytes], plugins: Sequence[str]) -> None:
    """Raise WordleKitError unless the files, copied to a folder of their own, define the same game."""
    with temporary_folder() as folder:
        for file, text in files.items():
            write_file(folder / file, text, make_folder=True)
        loaded = Plugins.load([str(folder / plugin) for plugin in plugins], strict=True)
        if load_game(str(folder / name), loaded).fingerprint != game.fingerprint:
            raise WordleKitError(f"{name}: defines another game when it is copied; put its word lists next to it")


def _story(game: Game) -> str:
    """Return the description of a game for students, with examples of its feedback."""
    what = "item" if game.rule.items is not None else "word"
    words = f"{len(game.answers):,} {what}s may be hidden"
    if len(game.guesses) > len(game.answers):
        words += f", and {len(game.guesses):,} may be guessed"
    boards = (
        f" Each puzzle has {game.boards} boards, and every guess is made on all of them." if game.boards > 1 else ""
    )
    rule = game.rule.legend() or (type(game.rule).__doc__ or game.rule.name).strip().partition("\n")[0]
    answer = game.answers[len(game.answers) // 2]
    step = max(1, len(game.guesses) // EXAMPLES)
    guesses = [guess for guess in game.guesses[::step] if guess != answer][:EXAMPLES]
    rows = [f"| {markdown(guess)} | {markdown(game.feedback(guess, answer).tiles)} |" for guess in guesses]
    return "\n".join(
        [
            f"Find a hidden {what} of {markdown(game.title or game.name)} with as few guesses as possible.",
            f"{words}; they are in `position.game.answers` and `position.game.guesses`.{boards} The rule is",
            f"`{game.rule.name}`: {markdown(rule.rstrip('.'))}.",
            f"If {markdown(answer)} is hidden, guesses get this feedback:",
            "",
            "| guess | feedback |",
            "|---|---|",
            *rows,
        ]
    )
