"""Isolation: a strategy that lives in a process of its own, with limits, and never holds an answer."""
