"""Decision trees: the guess after each feedback, their files, and the proved trees that come with wordle-kit."""
