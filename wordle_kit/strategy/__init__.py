"""Positions, and the strategies that turn them into guesses."""
