"""Positions, and strategies that turn them into guesses."""
