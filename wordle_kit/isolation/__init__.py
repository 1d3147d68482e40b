"""Isolation: strategies that run in processes of their own, with limits, and are not given the answers."""
