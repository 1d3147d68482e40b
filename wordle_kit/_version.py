"""The version of wordle-kit. The build and the package read it here."""

__version__ = "0.1.0"
