"""Perfect play: exact search with bounds that converge, and the trees that it finds."""
