"""Which file of a student is graded; and that remembering words gains nothing."""

import io
import os
import zipfile

import pytest
from classroom_texts import source
from needs import needs_linux
from wordle_kit_plugins.classroom.submissions import LARGEST, collect


def collected(folder):
    """Return the submissions of a folder by name."""
    return {one.name: one for one in collect(folder)}


def zipped(**files):
    """Return the bytes of a zip."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name.replace("__", "/") + ".py", text)
    return content.getvalue()


def test_a_file_a_folder_and_a_zip_each_are_a_submission(tmp_path):
    (tmp_path / "ada.py").write_text(source())
    (tmp_path / "Jörg Ångström").mkdir()
    (tmp_path / "Jörg Ångström" / "solution.py").write_text(source())
    (tmp_path / "Jörg Ångström" / "helper.py").write_text("WORDS = []\n")
    (tmp_path / "李.zip").write_bytes(zipped(src__mine=source(), src__test_mine="import wordle_kit.Strategy\n"))
    (tmp_path / ".DS_Store").write_bytes(b"\0")
    found = collected(tmp_path)
    assert set(found) == {"ada", "Jörg Ångström", "李"}
    assert {one.file for one in found.values()} == {"ada.py", "solution.py", "src/mine.py"}
    assert {one.code.decode() for one in found.values()} == {source()}
    assert not any(one.problem for one in found.values())


@pytest.mark.parametrize("handed_in", ["mine.py", "Mine.IPYNB", "src/mine.py"])
def test_a_folder_as_a_learning_platform_writes_it_has_one_file_that_counts(tmp_path, handed_in):
    folder = tmp_path / "Zoë Ünal_48213_assignsubmission_file_"
    files = [handed_in, ".ipynb_checkpoints/mine-checkpoint.ipynb", "__pycache__/x.py", "__MACOSX/._mine.py", "a.pdf"]
    for name in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(source())
    (one,) = collected(tmp_path).values()
    assert (one.name, one.file, one.problem) == (folder.name, handed_in, "")
    assert one.code.decode() == source()
    assert one.is_notebook == (handed_in == "Mine.IPYNB")


@needs_linux
def test_what_cannot_be_graded_has_a_reason_and_the_others_stay(tmp_path):
    (tmp_path / "ada.py").write_text(source())
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "one.py").write_text(source())
    (tmp_path / "two" / "other.py").write_text(source())
    (tmp_path / "none").mkdir()
    (tmp_path / "essay.docx").write_bytes(b"PK\3\4")
    (tmp_path / "large.py").write_bytes(b"#" * (LARGEST + 1))
    (tmp_path / "bomb.zip").write_bytes(zipped(mine="#" * (2 * LARGEST)))
    (tmp_path / "broken.zip").write_bytes(zipped(mine=source())[:60])
    (tmp_path / "link.py").symlink_to("/etc/passwd")
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "twice.py").write_text(source())
    (tmp_path / "twice").mkdir()
    (tmp_path / "twice" / "mine.py").write_text(source())
    found = collected(tmp_path)
    assert found["ada"].code
    reasons = {name: one.problem for name, one in found.items() if name != "ada"}
    assert all(reasons.values())
    assert all(reason.isprintable() and len(reason) <= 400 for reason in reasons.values())
    assert "link" in reasons["link"]
    assert f"{LARGEST:,}" in reasons["large"]
    assert f"{LARGEST:,}" in reasons["bomb"]
    assert "one.py, other.py" in reasons["two"]


REMEMBERING = """
known = {known}
word = known.get("last") if len(position.guesses) == 0 else None
board = position.board
if len(board) == 1:
    {keep}
return word if word is not None else board.words[0]
"""


@pytest.mark.slow
@pytest.mark.parametrize("stochastic", [False, True], ids=["deterministic", "random"])
@pytest.mark.parametrize("where", ["global", "file"])
def test_a_program_that_remembers_words_gains_nothing(hand_in, grade, tmp_path, where, stochastic):
    """It begins each puzzle with the last word that it knew to be the answer."""
    if where == "global":
        body = REMEMBERING.format(known="KNOWN", keep="KNOWN['last'] = board.words[0]")
        head = "KNOWN = {}"
    else:
        file = tmp_path / "kept.txt"
        body = REMEMBERING.format(known="read()", keep=f"open({str(file)!r}, 'w').write(board.words[0])")
        head = (
            f"import pathlib\ndef read():\n    path = pathlib.Path({str(file)!r})\n"
            "    return {'last': path.read_text()} if path.exists() else {}"
        )
    opener = "position.rng.choice(position.game.answers)" if stochastic else "position.board.words[0]"
    hand_in(
        honest=source(f"return position.board.words[0] if position.guesses else {opener}", stochastic=stochastic),
        remembers=source(body, stochastic=stochastic, head=head),
    )
    rows = grade()
    difference = float(rows["honest"]["guesses"]) - float(rows["remembers"]["guesses"])
    assert difference < (0.15 if stochastic else 1e-9)
