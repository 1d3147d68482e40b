"""What all tests share: a store of results of their own, and no plugins from the environment."""

import signal

import pytest

# Whoever starts the tests in the background of a script has them ignore Ctrl-C, which some tests press.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def own_store(tmp_path, monkeypatch):
    """Return the path of a store that only this test has; nothing is there yet."""
    path = tmp_path / "results.sqlite"
    monkeypatch.setenv("WORDLE_KIT_STORE", str(path))
    monkeypatch.delenv("WORDLE_KIT_PLUGINS", raising=False)
    return path
