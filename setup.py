"""Packages: the engine, its data, and every folder of plugins/ as a part of wordle_kit_plugins."""

from setuptools import find_namespace_packages, setup


def below(package: str, folder: str) -> list[str]:
    """Return a package and the packages in its folder. Folders of data count, or setuptools warns about each."""
    return [package, *(f"{package}.{name}" for name in find_namespace_packages(folder, exclude=["*__pycache__*"]))]


setup(
    packages=[
        *below("wordle_kit", "wordle_kit"),
        *below("wordle_kit_data", "data"),
        *below("wordle_kit_plugins", "plugins"),
    ]
)
