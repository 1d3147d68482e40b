"""Games in other languages: made from word frequencies and a dictionary that the user has."""
