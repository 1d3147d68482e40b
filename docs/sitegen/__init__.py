"""What the site has that no page in Markdown has: tables of contents, references, leaderboards and puzzles."""
