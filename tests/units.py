"""With `pytest -n 4`, the tests of a file run in one process, except for the files named here and those in browsers."""

from xdist.scheduler import LoadScopeScheduling

LONGEST = (
    "browser/test_access.py",
    "browser/puzzles/test_everyone.py",
    "environments/test_language_model.py",
    "clusters/test_clusters.py",
    "classroom/test_environment.py",
    "plugins/test_every_strategy.py",
    "environments/test_values.py",
    "classroom/test_memory.py",
    "tournaments/test_threads.py",
    "exact/test_crowds.py",
    "classroom/test_grade.py",
    "isolation/test_attacks.py",
    "papers/test_reproduce.py",
    "test_docs.py",
    "isolation/test_isolation.py",
    "classroom/test_contest.py",
    "tournaments/test_interruptions.py",
)
"""The files that take longest, which are started first; the longest come first. A folder starts with its first file."""

SPREAD = {
    "isolation/test_attacks.py",
    "isolation/test_isolation.py",
    "isolation/test_secrets.py",
    "classroom/test_small_classes.py",
    "papers/test_reproduce.py",
    "test_docs.py",
    "test_packages.py",
    "test_published_leaderboards.py",
    "tournaments/test_interruptions.py",
}
"""Files of long tests that share nothing: any process may run any of them."""


class Units(LoadScopeScheduling):
    """Hands out tests in units: the next unit goes to the first process that is idle."""

    def _split_scope(self, nodeid):
        file = nodeid.partition("::")[0].removeprefix("tests/")
        if file.startswith("browser/"):  # each process starts a browser, which has several itself
            return file.rpartition("/")[0]
        return nodeid if file in SPREAD else file
