"""Perfect play: exact search, bounds that close, and the trees that it finds."""
