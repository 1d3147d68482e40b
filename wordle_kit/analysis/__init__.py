"""Analysis of guesses: first guesses ranked, how a guess splits the remaining words, and how often symbols occur."""
