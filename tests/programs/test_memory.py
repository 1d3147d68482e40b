"""What a submission leaves behind in its sandbox is gone for the next one."""

import pytest
from needs import needs_bubblewrap

import wordle_kit as wk

pytestmark = [pytest.mark.slow, needs_bubblewrap]

FOLDERS = ["/tmp", "/var/tmp", "/dev/shm", "/run", "/etc", "/", "~", "."]

LEAVES = f"""
folders = [*map(os.path.expanduser, {FOLDERS}), os.path.dirname(os.path.abspath(__import__("sys").argv[1]))]
files = [os.path.join(folder, "left-by-a-submission") for folder in folders]
found = [file for file in files if os.path.exists(file)]
wrote = [file for file in files if attempted(lambda: open(file, "w").write("fade")) == 4]
tell([found, "/tmp/left-by-a-submission" in wrote])
"""


@pytest.mark.parametrize("same", [True, False])
def test_a_file_that_a_submission_writes_is_gone_for_the_next(letters, written, tmp_path, same):
    files = [written(LEAVES, name) for name in ("one.py", "one.py" if same else "other.py")]
    for file in files:
        program = wk.Program.serving(file, wk.Sandbox())
        (play,) = wk.play(program, letters, ["fade"])
        assert "FOUND [[], True]" in play.message
        program.stop()
    assert {path.name for path in tmp_path.iterdir()} == {file.name for file in files}
