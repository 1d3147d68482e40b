"""Strategies that run outside this process: programs that use the public line protocol, with or without a sandbox."""
