"""Games written to files: reading the files gives the game back."""

import pytest
from hypothesis import HealthCheck, given, settings
from strategies import small_games

import wordle_kit as wk
from wordle_kit.game.writing import files_of


def written(game, folder):
    for file, text in files_of(game, "A notice.").items():
        (folder / file).write_text(text, encoding="utf-8")
    return wk.load_game(folder / f"{game.name}.toml")


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(game=small_games(boards=(1, 2), weighted=True))
def test_a_game_is_read_back_from_its_files(tmp_path, game):
    assert written(game, tmp_path) == game


@pytest.mark.parametrize("name", ["glyphs", "mini-nerdle", "elements", "mastermind", "wordle-nyt"])
def test_a_bundled_game_is_read_back_with_its_title_and_nouns(tmp_path, name):
    game = wk.load_game(name).replace(hard_mode=name == "glyphs")
    copied = written(game, tmp_path)
    assert (copied, copied.title, copied.nouns) == (game, game.title, game.nouns)
