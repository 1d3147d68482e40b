"""Tournaments: puzzles, the referee who knows their answers, the runner that hands out work, the store of results."""
