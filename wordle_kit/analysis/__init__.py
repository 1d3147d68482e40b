"""Looking closer: first guesses ranked, how a guess splits what is left, how often symbols stand where."""
