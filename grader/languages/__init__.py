"""The catalogues: a `.po` for people and its `.mo` for the grader, by the code of the language."""
