"""`--isolate` and `--no-sandbox`: options of the commands that run other people's strategies."""

from typing import Annotated, Any

from wordle_kit.cli import options


def isolate(
    isolate: Annotated[
        bool,
        options.run("--isolate", help="Run the files of -p in a sandbox, each strategy in a process of its own."),
    ] = False,
    no_sandbox: Annotated[
        bool, options.advanced("--no-sandbox", help="With --isolate: run them as plain processes, as yourself.")
    ] = False,
) -> Any:
    """Return a function that makes programs of the files of -p, by their names, or None without --isolate."""
    from wordle_kit.errors import WordleKitError

    if no_sandbox and not isolate:
        raise WordleKitError("--no-sandbox is for --isolate; add it")
    if not isolate:
        return None
    from wordle_kit.cli.output import note
    from wordle_kit.programs.program import isolated_files
    from wordle_kit.programs.sandbox import Sandbox

    sandbox = None if no_sandbox else Sandbox()
    lacks = "no sandbox: strategies run as yourself, with your files" if sandbox is None else sandbox.lacks()
    if lacks is not None:
        note(lacks)
    return lambda files: isolated_files(files, sandbox)
