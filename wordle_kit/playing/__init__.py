"""Play games yourself: puzzles as web pages, and how people rank beside strategies."""
