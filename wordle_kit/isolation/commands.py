"""`--isolate`, `--sandbox` and `--limit`: options of the commands that run other people's strategies."""

from typing import Annotated, Any

from wordle_kit.cli import options

SandboxOption = Annotated[
    str,
    options.advanced(
        metavar="LEVEL",
        help="auto, required (fail without bubblewrap) or plain. [default: auto]",
        autocompletion=options.complete_choices("auto", "required", "plain", "none"),
    ),
]


def isolate(
    isolate: Annotated[
        bool,
        options.run("--isolate", help="Run each strategy in a separate process, without the puzzles."),
    ] = False,
    sandbox: SandboxOption = "auto",
    limit: Annotated[
        list[str] | None,
        options.advanced(
            "--limit", metavar="NAME=VALUE", help="Limit, such as memory=2048 (MB) or cpu=60 (seconds). Repeatable."
        ),
    ] = None,
) -> Any:
    """Return the Isolation of strategies, or None if they are not isolated."""
    if isolate:
        from wordle_kit.isolation.isolation import Isolation

        isolation = Isolation.read(sandbox, limit or ())
        isolation.check()
        return isolation
    from wordle_kit.errors import WordleKitError

    if limit or sandbox != "auto":
        raise WordleKitError("--sandbox and --limit apply to isolated strategies only; add --isolate")
    return None
