"""The version of wordle-kit, read by the build as well as by the package."""

__version__ = "0.1.0"
