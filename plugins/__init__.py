"""What comes with wordle-kit besides the engine: rules, games, strategies and features, all of them plugins."""
