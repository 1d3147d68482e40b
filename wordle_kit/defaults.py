"""The defaults of tournaments, which help shows without loading the engine."""

DEADLINE = 10.0
"""Seconds for each decision."""

CONFIDENCE = 0.95
"""The confidence level of intervals."""
