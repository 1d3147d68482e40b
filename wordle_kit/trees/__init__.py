"""Decision trees: what is guessed after each feedback, their files, and the proved ones that come with wordle-kit."""
