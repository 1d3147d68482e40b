"""Assignments, and grades for what students hand in."""
