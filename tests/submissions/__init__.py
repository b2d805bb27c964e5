"""Submissions to grade: one engine, other searches by its rules, and planted faults that change one thing of it."""

from pathlib import Path

HERE = Path(__file__).parent
PLAIN = (HERE / "engine.py").read_text()
"""A correct engine: plain minimax that copies boards deeply."""


def with_search(search: str) -> str:
    """Return the engine with another search; what that imports goes to the top, where imports belong."""
    lines = search.splitlines(keepends=True)
    imports = [line for line in lines if line.startswith(("import ", "from "))]
    rest = "".join(line for line in lines if line not in imports).strip()
    rules = PLAIN[: PLAIN.index("def minimax(")].replace("import math\n", "".join(imports), 1)
    return f"{rules}{rest}\n"


CORRECT = {
    "plain_deepcopy": PLAIN,
    **{file.stem: with_search(file.read_text()) for file in sorted((HERE / "correct").glob("*.py"))},
}
"""Correct submissions by the way they search."""
