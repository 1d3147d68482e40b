"""The compiled search: everything of perfect play that numba compiles, and the memory that it works in."""
