"""Packages: the engine, its data, and every folder of plugins/ as a part of wordle_kit_plugins."""

from setuptools import find_packages, setup

features = [f"wordle_kit_plugins.{name}" for name in find_packages("plugins")]
setup(packages=[*find_packages(include=["wordle_kit*"]), "wordle_kit_data", "wordle_kit_plugins", *features])
