"""`--isolate`, `--sandbox` and `--limit`: options of the commands that run other people's strategies."""

from typing import TYPE_CHECKING, Annotated, Any

from wordle_kit.cli import completion, panels
from wordle_kit.cli.output import note

if TYPE_CHECKING:
    from wordle_kit.isolation.isolation import Isolation

SandboxOption = Annotated[
    str,
    panels.isolation(
        metavar="LEVEL",
        help="auto, required (fail without bubblewrap) or plain. [default: auto]",
        autocompletion=completion.choices("auto", "required", "plain", "none"),
    ),
]


def isolate(
    isolate: Annotated[
        bool,
        panels.isolation("--isolate", help="Run each strategy in another process, which is not given the puzzles."),
    ] = False,
    sandbox: SandboxOption = "auto",
    limit: Annotated[
        list[str] | None,
        panels.isolation(
            "--limit", metavar="NAME=VALUE", help="Limit, such as memory=2048 (MB) or cpu=60 (seconds). Repeatable."
        ),
    ] = None,
) -> Any:
    """Return the Isolation of strategies, or None if they are not isolated."""
    if isolate:
        from wordle_kit.isolation.isolation import Isolation

        isolation = Isolation.read(sandbox, limit or ())
        isolation.check()
        warn_of_no_sandbox(isolation)
        return isolation
    from wordle_kit.errors import WordleKitError

    if limit or sandbox != "auto":
        raise WordleKitError("--sandbox and --limit apply to isolated strategies only; add --isolate")
    return None


def warn_of_no_sandbox(isolation: "Isolation") -> None:
    """Warn on standard error if the sandbox is missing or incomplete, or if the kernel does not count memory."""
    from wordle_kit.sandbox.cgroups import memory_warning
    from wordle_kit.sandbox.levels import warning

    for said in (warning(isolation), None if isolation.sandbox == "plain" else memory_warning()):
        if said is not None:
            note(said)
