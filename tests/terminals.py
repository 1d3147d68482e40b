"""A pseudo-terminal with a program in it: what a person would see and type, and a picture of it."""

import codecs
import fcntl
import html
import itertools
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time

from rich.cells import cell_len
from rich.console import Console
from rich.terminal_theme import SVG_EXPORT_THEME, TerminalTheme
from rich.text import Text

PATIENCE = 120.0
"""Seconds to wait for what a program should print, on a machine that may be busy."""

SVG = """<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: {char_height}px;
line-height: {line_height}px; font-variant-east-asian: full-width; }}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: arial; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal"><rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""
"""As rich has it, but without fonts from the network."""

CELL = 12.2
"""The width of a cell in rich's pictures."""

TEXT = re.compile(
    r'<text class="(?P<style>[^"]+)" x="(?P<x>[^"]+)" y="(?P<y>[^"]+)" textLength="[^"]+" (?P<rest>[^>]*)>'
    r"(?P<text>[^<]*)</text>"
)
"""A text in rich's pictures."""

PALETTE = [tuple(colour) for colour in SVG_EXPORT_THEME.ansi_colors._colors]
OVERWRITTEN = re.compile(r"[^\n]*\r\x1b\[2K")
"""Matches the part of a line that was replaced, such as a progress bar."""

COLOURS = TerminalTheme((24, 24, 24), (230, 230, 230), [(0, 0, 0), *PALETTE[1:8]], PALETTE[8:])
"""Rich's colours, with a black that can be read on green and yellow."""


class Terminal:
    """A command line of wordle-kit in a terminal of its own, 80 columns wide."""

    def __init__(self, *arguments, columns=80, **environment):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        settings = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
        settings |= {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "utf-8"} | environment
        settings.pop("COLUMNS", None)
        command = [sys.executable, "-m", "wordle_kit", *map(str, arguments)]
        self.process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=settings,
            start_new_session=True,
            preexec_fn=_take_terminal,
        )
        os.close(slave)
        self.shown = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.master)

    def wait_for(self, text, since=0):
        """Read until the terminal shows a text, and return what it has shown since then."""
        end = time.monotonic() + PATIENCE
        while text not in self.plain[since:]:
            assert time.monotonic() < end, f"never showed {text!r}, only {self.plain[since:]!r}"
            if not self._read():
                assert text in self.plain[since:], f"ended without {text!r}: {self.plain[since:]!r}"
        return self.plain[since:]

    def type(self, text, until):
        """Type a line, and return what is shown up to a given text."""
        since = len(self.plain)
        os.write(self.master, f"{text}\n".encode())
        return self.wait_for(until, since)

    def press(self, keys, until):
        """Press keys, and return what is shown up to a given text.

        After Ctrl-C press Enter: Python notices a signal that arrives just before a read only after that read.
        """
        since = len(self.plain)
        os.write(self.master, keys)
        return self.wait_for(until, since)

    def ended(self):
        """Read to the end, and return the exit code."""
        while self._read():
            pass
        return self.process.wait(PATIENCE)

    @property
    def plain(self):
        """All that was shown, without colours."""
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", self.shown).replace("\r", "")

    def svg(self, title):
        """Return what is on the terminal as a picture: all that was shown and not overwritten."""
        lines = OVERWRITTEN.sub("", self.shown).replace("\r", "").strip("\n")
        console = Console(width=80, record=True, file=open(os.devnull, "w"), color_system="truecolor")  # noqa: SIM115, PTH123
        with console.file:
            console.print(Text.from_ansi(lines), soft_wrap=False)
            return in_cells(console.export_svg(title=title, code_format=SVG, theme=COLOURS, unique_id="play"))

    def _read(self):
        if not select.select([self.master], [], [], 1.0)[0]:
            return True
        try:
            read = os.read(self.master, 4096)
        except OSError:  # Linux's error if nobody has the other end open
            read = b""
        self.shown += self._decoder.decode(read)
        return bool(read)


def _take_terminal():
    """Make standard input the terminal of this process, so that Ctrl-C reaches it."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def in_cells(svg):
    """Return a picture of rich with every wide character drawn by itself, as wide as its two cells in any font.

    Rich reserves one cell for each character of a text, so that wide ones would overlap what follows.
    """

    def apart(match):
        text = html.unescape(match["text"])
        if len(text) == cell_len(text) or not text.strip():
            return match[0]
        parts, x = [], float(match["x"])
        for is_wide, run in itertools.groupby(text, key=lambda one: cell_len(one) > 1):
            for part in run if is_wide else ["".join(run)]:
                width = CELL * cell_len(part)
                how = ' lengthAdjust="spacingAndGlyphs"' if is_wide else ""
                shown = html.escape(part).replace(" ", "&#160;")
                begin = f'<text class="{match["style"]}" x="{x:g}" y="{match["y"]}" textLength="{width:g}"{how}'
                parts.append(f"{begin} {match['rest']}>{shown}</text>")
                x += width
        return "".join(parts)

    return TEXT.sub(apart, svg)
