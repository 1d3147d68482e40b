"""The generalised game: words, rules, feedback and the table of all feedback."""
