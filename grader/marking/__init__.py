"""A person marks: a page on this machine, decisions on disk."""
