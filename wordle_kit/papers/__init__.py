"""Papers: the figures that they published, and playing their strategies to reproduce them."""
