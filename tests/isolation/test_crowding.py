"""A strategy that was slow beside others is judged by what it does alone."""

import pytest

import wordle_kit as wk
from wordle_kit.classroom.examine import Examiner, examine_all
from wordle_kit.isolation.loading import load_isolated
from wordle_kit.tournaments.deadline import Allotment

ONCE = """
import os, time
import wordle_kit as wk

class SlowOnce(wk.Strategy):
    def guess(self, position):
        try:
            os.close(os.open(FLAG, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return position.board.words[0]
        time.sleep(600)

class Prompt(wk.Strategy):
    def guess(self, position):
        return position.board.words[0]

@wk.hookimpl
def register_strategies(register):
    register(SlowOnce())
    register(Prompt())
"""


@pytest.mark.parametrize(("workers", "outcomes"), [(2, {"solved"}), (1, {"timed out"})])
def test_a_group_that_timed_out_beside_others_is_played_again_alone(
    letters, open_folder, isolation_at, workers, outcomes
):
    path = open_folder / "once.py"
    path.write_text(ONCE.replace("FLAG", repr(str(open_folder / "flag"))))
    plugins = load_isolated([path], [], isolation_at("plain"), strict=True)
    board = wk.tournament(letters, ["slow-once", "prompt"], 4, plugins=plugins, deadline=1.0, workers=workers)
    assert {str(play.outcome) for play in board.plays("slow-once")} == outcomes
    assert {str(play.outcome) for play in board.plays("prompt")} == {"solved"}


def test_a_submission_that_lacked_time_beside_others_is_examined_again_alone(letters, open_folder, isolation_at):
    submissions = {}
    for name, left_out in (("once", "    register(Prompt())\n"), ("prompt", "    register(SlowOnce())\n")):
        path = open_folder / f"{name}.py"
        path.write_text(ONCE.replace("FLAG", repr(str(open_folder / "flag"))).replace(left_out, ""))
        submissions[name] = (path, name)
    examiner = Examiner(
        game=letters,
        requested=(),
        deadline=2.0,
        checks=True,
        isolation=isolation_at("plain"),
        time=Allotment(300.0, "all was spent"),
        secret="0",
    )
    for examined in examine_all(examiner, submissions, None, 2).values():
        assert (examined.problem, examined.unfinished) == ("", "")
        assert [finding.check for finding in examined.findings if not finding.passed] == []
