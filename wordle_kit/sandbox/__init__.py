"""A sandbox for any program.

It runs under limits, separated from others, and everything that it starts ends with it.
"""
