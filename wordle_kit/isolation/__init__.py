"""Isolation: strategies that run in processes of their own, with limits, and never have an answer in memory."""
