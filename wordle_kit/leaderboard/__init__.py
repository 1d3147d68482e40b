"""Leaderboards: the metrics of stored plays, comparisons of strategies, and tables of metrics and comparisons."""
