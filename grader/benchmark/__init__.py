"""Searches compared, and how that is shown."""
