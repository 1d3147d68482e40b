"""A sandbox for any program: it runs under limits, apart from others, and everything that it starts ends with it."""
