"""Help in panels with examples, `--help-all`, and options such as `--json` as short forms of `--format`."""

import inspect
from collections.abc import Iterable, Iterator
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from wordle_kit.cli.output import say
from wordle_kit.texts import number_of

GAME = "Game"
RUN = "Run"
OUTPUT = "Output"
ADVANCED = "Advanced"
GENERAL = "General"
PANELS = (GAME, RUN, OUTPUT, ADVANCED, GENERAL)
"""The panels of options in their order. `--help` leaves out the advanced panel, `--help-all` shows it."""

SHORT_FORMATS = ("json", "csv")
"""The formats that have an option as a short form: --json is short for --format json."""

WIDEST = 100
"""The most columns that help uses on a wide terminal."""

EXAMPLES = "For example:"
"""The line of a docstring that introduces its examples, one per line."""

SPACING = 2


HELP = ("-h", "--help", "--help-all")
"""The options that show help. Only the last one shows advanced options."""

ALL_OPTIONS = "wordle_kit.all_options"
"""The key in a command's context that says whether help shows all options."""


class _WithExamples:
    """A command or a group whose help ends with the examples in its docstring."""

    def __init__(self, **settings: Any) -> None:
        settings["help"], self.examples = _split(settings.get("help") or "")
        super().__init__(**settings)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples."""
        if self.examples:
            with formatter.section("Examples"):
                for example in self.examples:
                    formatter.write(f"{'':{formatter.current_indent}}{example}\n")


class HelpfulCommand(_WithExamples, TyperCommand):
    """A command whose help has its options in panels."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for parameter in self.params:
            if parameter.name == "format":  # the help text lists the formats of this command
                known = [name for name in SHORT_FORMATS if name in getattr(parameter, "help", "")]
                parameter.secondary_opts = [f"--{name}" for name in known]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments, and note whether help should show all options.

        An option that takes one value and is given twice is refused. --format may be given again by a short form.
        """
        ctx.meta[ALL_OPTIONS] = HELP[-1] in args
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        for parameter in order:
            once = not (parameter.multiple or parameter.is_flag) if parameter.param_type_name == "option" else False
            if once and parameter.name != "format" and order.count(parameter) > 1:
                raise typer.BadParameter("it is given twice; give it once", ctx=ctx, param=parameter)
        return super().parse_args(ctx, args)

    def make_parser(self, ctx: typer.Context) -> Any:  # type: ignore[override]  # Typer's own class has no public name
        """Return a parser that accepts the short forms of --format. If there are several, the last one counts."""
        parser: Any = super().make_parser(ctx)
        for parameter in self.params:
            if parameter.name == "format":
                for short in parameter.secondary_opts:
                    parser.add_option(
                        obj=parameter, opts=[short], dest="format", action="store_const", const=short.removeprefix("--")
                    )
        return parser

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the parts of the usage after the command's name, with optional arguments in brackets."""
        arguments = [parameter for parameter in self.params if parameter.param_type_name == "argument"]
        names = [f"{(one.metavar or '').removesuffix('...')}{'...' * (one.nargs == -1)}" for one in arguments]
        return ["[OPTIONS]", *(n if one.required else f"[{n}]" for n, one in zip(names, arguments, strict=True))]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, and the options by panel. Advanced options are written only for --help-all."""
        panels = _panels(self.get_params(ctx))
        advanced = panels.get(ADVANCED, [])
        if advanced and not ctx.meta.get(ALL_OPTIONS):
            del panels[ADVANCED]
            panels[GENERAL].append((HELP[-1], f"Also show {number_of(len(advanced), 'advanced option')}, and exit."))
        _write(formatter, panels)


class HelpfulGroup(_WithExamples, TyperGroup):
    """A group of commands, whose help shows them in panels."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Without arguments, show the help and end with exit code 2, since no command was named."""
        if not args and not ctx.resilient_parsing:
            say(ctx.get_help())
            raise typer.Exit(2)
        return super().parse_args(ctx, args)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the commands, and then the options of the group itself."""
        _write(formatter, {**self.command_panels(ctx), **_panels(self.get_params(ctx), GENERAL)})

    def command_panels(self, ctx: Any) -> dict[str, list[tuple[str, str]]]:
        """Return the names and summaries of the commands, by panel."""
        return {"Commands": [(name, summary(self.commands[name].help)) for name in self.list_commands(ctx)]}


def group(text: str) -> typer.Typer:
    """Return a Typer application for a group of commands, with `text` as its help."""
    return typer.Typer(help=text, cls=HelpfulGroup, callback=lambda: None, add_completion=False, rich_markup_mode=None)


def summary(text: str | None) -> str:
    """Return the first line of a help text, without its full stop."""
    return inspect.cleandoc(text or "").partition("\n")[0].rstrip(".")


def _split(text: str) -> tuple[str, list[str]]:
    """Return a docstring without its examples, and then the examples."""
    said, _, examples = inspect.cleandoc(text).partition(EXAMPLES)
    return said.strip(), [line.strip() for line in examples.splitlines() if line.strip()]


def _panels(parameters: Iterable[Any], usual: str = RUN) -> dict[str, list[tuple[str, str]]]:
    """Return the rows of help by panel. A parameter that names no panel is in the panel `usual`."""
    panels: dict[str, list[tuple[str, str]]] = {name: [] for name in ("Arguments", *PANELS)}
    for parameter in parameters:
        if getattr(parameter, "hidden", False):
            continue
        if parameter.param_type_name == "argument":
            panels["Arguments"].append((parameter.metavar or parameter.name.upper(), _said(parameter)))
        elif "--help" in parameter.opts:
            panels[GENERAL].append((", ".join(HELP[:2]), _said(parameter)))
        else:
            panel = getattr(parameter, "rich_help_panel", None) or usual
            panels.setdefault(panel, []).extend(_rows(parameter))
    return {name: rows for name, rows in panels.items() if rows}


def _rows(option: Any) -> Iterator[tuple[str, str]]:
    """Yield the rows of an option: its names and help text, then a row for each short form."""
    names = ", ".join(sorted(option.opts, key=len))
    if option.is_flag:
        yield " / ".join([names, *option.secondary_opts]), _said(option)
        return
    yield f"{names} {option.metavar or 'VALUE'}", _said(option)
    if option.secondary_opts:
        *words, last = [short.removeprefix("--") for short in option.secondary_opts]
        yield ", ".join(option.secondary_opts), f"Short for --format {', '.join(words)}{' or ' * bool(words)}{last}."


def _said(parameter: Any) -> str:
    """Return a parameter's help text. The default is added unless the text names it."""
    said = parameter.help or ""
    default = parameter.default
    if parameter.required and parameter.param_type_name == "option":
        return f"{said} [required]"
    if default in (None, "", [], ()) or isinstance(default, bool) or "[default" in said:
        return str(said)
    return f"{said} [default: {f'{default:g}' if isinstance(default, float) else default}]"


def _write(formatter: Any, panels: dict[str, list[tuple[str, str]]]) -> None:
    """Write panels. Their second columns are aligned with each other."""
    widest = max(len(first) for rows in panels.values() for first, _ in rows)
    for name, rows in panels.items():
        with formatter.section(name):
            formatter.write_dl([(f"{first:{widest}}", said) for first, said in rows], widest, SPACING)
