"""Tournaments: puzzles, the referee, the runner that hands out chunks, and the store of results."""
