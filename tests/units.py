"""With `pytest -n 4`, the tests of a file run in one process, except for the files named here and those in browsers."""

from xdist.scheduler import LoadScopeScheduling

LONGEST = (
    "exact/test_crowds.py",
    "isolation/test_attacks.py",
    "papers/test_reproduce.py",
    "classroom/test_grade.py",
    "isolation/test_isolation.py",
    "classroom/test_everyone.py",
    "classroom/test_small_classes.py",
    "tournaments/test_interruptions.py",
)
"""The files that take longest, which are started first; the longest come first.

The first one begins exact search, so that most others find it compiled.
"""

SPREAD = {
    "isolation/test_attacks.py",
    "isolation/test_isolation.py",
    "isolation/test_secrets.py",
    "classroom/test_small_classes.py",
    "papers/test_reproduce.py",
    "test_docs.py",
    "test_published_leaderboards.py",
    "tournaments/test_interruptions.py",
}
"""Files of long tests that share nothing: any process may run any of them."""

TOGETHER = {
    "analysis/test_openers.py": "exact search",
    "exact/test_crowds.py": "exact search",
    "exact/test_facts.py": "exact search",
    "exact/test_stopping.py": "exact search",
    "plugins/test_games.py": "exact search",
}
"""Files that one process runs, so that exact search, which takes half a minute to compile, is compiled once."""

SEARCHING = ("exact_search", "can_play_the_game_now[elements]")
"""Parts of the names of tests that one process runs for the same reason, although their files are spread."""


class Units(LoadScopeScheduling):
    """Hands out tests in units: the next unit goes to the first process that is idle."""

    def _split_scope(self, nodeid):
        file = nodeid.partition("::")[0].removeprefix("tests/")
        if file.startswith("browser/"):  # each process starts a browser, which has several itself
            return file.rpartition("/")[0]
        if file in SPREAD and any(part in nodeid for part in SEARCHING):
            return "exact search"
        return nodeid if file in SPREAD else TOGETHER.get(file, file)
