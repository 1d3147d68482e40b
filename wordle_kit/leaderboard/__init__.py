"""Leaderboards: metrics of stored plays, comparisons, and tables of both."""
