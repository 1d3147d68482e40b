"""The strategies, rules and games that come with wordle-kit: plugins like anyone else's, on public names only."""
