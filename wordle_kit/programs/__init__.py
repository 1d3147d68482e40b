"""Strategies outside of this process: programs that speak the public line protocol, with or without a sandbox."""
