"""What tournaments take by default. Help shows it without loading the engine."""

DEADLINE = 10.0
"""Seconds for each decision."""

CONFIDENCE = 0.95
"""The confidence of intervals."""
