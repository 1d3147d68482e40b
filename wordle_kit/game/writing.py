"""Games written to files: a TOML file with the settings, and lists of words beside it."""

import json

from wordle_kit.game.game import Game


def files_of(game: Game, notice: str = "") -> dict[str, str]:
    """Return the texts of a game's files by file name: NAME.toml, and lists of words such as answers.txt.

    `notice` becomes comments in NAME.toml. If the rule is a plugin's, the game can be read only with that plugin.
    """
    lists = {"answers": game.answers}
    if game.weights is not None:
        lists["answers"] = tuple(map("{}\t{!r}".format, game.answers, game.weights))
    if game.guesses != game.answers:
        lists["guesses"] = game.guesses
    settings = {
        "name": game.name,
        "title": game.title,
        "nouns": game.nouns,
        "alphabet": game.alphabet.symbols,
        "separator": game.alphabet.separator,
        "length": game.length,
        **{name: f"{name}.txt" for name in lists},
        "order": "as-listed",
        "rule": game.rule.name,
        "boards": game.boards,
        "max_guesses": game.max_guesses,
        "hard_mode": game.hard_mode,
    }
    lines = [f"# {line}".rstrip() for line in notice.splitlines()]
    lines += [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in settings.items()]
    texts = {f"{game.name}.toml": lines, **{f"{name}.txt": words for name, words in lists.items()}}
    return {file: "".join(f"{line}\n" for line in text) for file, text in texts.items()}
