"""Playing by hand: a game as a value, what is known of each symbol, help with a puzzle, a result to share."""
