"""Families of faulty answers: one that gives every answer which a function gave names its mistake."""
