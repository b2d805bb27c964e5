"""One student's grade, to answer a question about it: a text that can be mailed, or a page."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from grader.classroom.changes import find
from grader.classroom.closing import feedback_text, student_page
from grader.classroom.entries import Attempt
from grader.classroom.records import Record
from grader.core.errors import GRADED, UserError
from grader.core.files import write
from grader.report.text import number


def run(arguments: Sequence[str], program: str) -> int:
    """Print what a student's grade is made of; nothing in the class's folder changes."""
    options = _parser(program).parse_args(arguments)
    if options.html and not options.html.resolve().parent.is_dir():
        raise UserError("no such folder to write to", file=options.html)
    record = find(options.folder, options.name)
    if not options.html:
        print(answer(record, hidden=options.all), end="")
        return GRADED
    text = student_page(options.folder, record, hidden=options.all)
    if text is None:
        raise UserError(f"{record.student} has no page: {record.in_short}")
    write(options.html, text)
    print(f"wrote {options.html}")
    return GRADED


def _parser(program: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"{program} student",
        description="Show one student's grade: each lost point with its reason, decisions, lateness and "
        "attempts. Nothing is graded and nothing in the folder changes.",
        epilog=f"example:\n  {program} student grades 'Ada Lovelace' > answer.txt",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the folder of a graded class (--out)")
    parser.add_argument("name", metavar="NAME", help="the student, as the gradebook or grades/ has the name")
    parser.add_argument("--all", action="store_true", help="with hidden cases: for instructors, not to mail")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a page instead of the text")
    return parser


def answer(record: Record, *, hidden: bool = False) -> str:
    """Return the text about a student's grade."""
    lines = [feedback_text(record, hidden=hidden).rstrip(), "", f"Handed in: {record.submission}"]
    lines += [f"Also handed in, and not counted: {_attempt(one)}" for one in record.attempts]
    return "\n".join(lines) + "\n"


def _attempt(attempt: Attempt) -> str:
    total = "" if attempt.total is None else f" ({number(attempt.total)} points)"
    return f"{attempt.submission}{total}"
