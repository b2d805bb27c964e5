"""The arguments of the command, grouped by job."""

import argparse
import math
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from grader import __version__
from grader.core.errors import UserError
from grader.course.shipped import FOR_STUDENTS
from grader.places.names import PACKED_FOR, WRITTEN_FOR

STUDENT: Final = "student"
"""The job that shows one student of a graded class; a folder of that name is ./student."""

SCHEMAS: Final = ("rubric", "fixture", "grade", "adjustments")
_OF_ONE: Final = ("all", "html", "json", "junitxml", "fail_under", "write")
_OF_A_CLASS: Final = ("out", "regrade", "diff", "similarity", "jobs")
_OTHER_JOBS: Final = ("play", "audit", "benchmark", "plot")
_NOT_WITH: Final = {
    "a class": (*_OF_ONE, "time_first_move", "watch"),
    "--play": (*_OF_ONE, "student", "out", "benchmark", "plot", "audit"),
    "--pack": (*_OF_ONE, *_OF_A_CLASS, *_OTHER_JOBS, "student", "watch", "build", "run", "patient"),
    "--mark": (*_OF_ONE, *_OF_A_CLASS, *_OTHER_JOBS, "student", "watch", "course", "pack"),
}
"""The options that do not go with a job."""

_EPILOG: Final = """\
examples:
  {0}                          grade the reference engine, or what lies in submission/ in its place
  {0} path/to/tictactoe.py     grade a student's file
  {0} alice.py --student       what the student may see
  {0} alice.py --json -        the grade as JSON, for a pipe
  {0} alice.py --html a.html   a page, with the game that beats it and a board to play on
  {0} submissions.zip          grade a whole class into grades/
  {0} folder --course cpsc352  play a terminal program in any language, and grade it
  {0} student grades NAME      one student's grade and the reason of each lost point, to mail
  {0} --pack gradescope a.zip  a grader to upload there, by the rubric; --write is for a grade
  {0} --pack site folder       a page on which students check themselves, in their browser
  {0} --play                   play against the reference
  {0} --courses                the courses whose rules are known; --course NAME grades by one
  {0} --init mine              a rubric and cases of your own, to change

exit codes:
  0  graded                        2  bad input or configuration; nobody was graded
  1  graded, below --fail-under    3  the grader itself failed
"""


def parser() -> argparse.ArgumentParser:
    """Return the reader of the command line: options are grouped by job, the common ones first."""
    name = called()
    reader = argparse.ArgumentParser(
        prog=name,
        usage="%(prog)s [PATH ...] [options]",
        description="Grade a Tic-Tac-Toe submission against the solved game, and say why.",
        epilog=_EPILOG.format(name),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=False,
    )
    reader.add_argument(
        "paths",
        nargs="*",
        type=Path,
        metavar="PATH",
        help="a student's file, or a folder with one in it (default: the file in submission/); "
        "or a whole class: a folder, a .zip or .tar.gz as the LMS gave it, a roster (.csv), or several paths",
    )
    for title, add_to in (
        ("grade one submission", _add_for_one),
        ("grade a class", _add_for_a_class),
        ("grade a program that is played in a terminal", _add_for_programs),
        ("play", _add_for_play),
        ("look inside", _add_inside),
        ("for instructors", _add_for_instructors),
    ):
        add = reader.add_argument_group(title).add_argument
        add_to(add, partial(add, action="store_true"), partial(add, type=Path))
    about = reader.add_argument_group("about")
    about.add_argument("-h", "--help", action="help", help="show this and do nothing else")
    about.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    return reader


def called() -> str:
    """Return how this command was called, as a person would type it."""
    known = {"run_grader.py": "python run_grader.py", "__main__.py": "python -m grader"}
    return known.get(Path(sys.argv[0]).name, "tictactoe-grader")


def refuse_beside(options: argparse.Namespace, job: str) -> None:
    """Raise UserError for the first option that is given and does not go with a job."""
    for name in _NOT_WITH[job]:
        if getattr(options, name):
            raise UserError(f"--{name.replace('_', '-')} does not go with {job}")


def class_is_meant(options: argparse.Namespace) -> bool:
    """Return whether a whole class is to be graded, and not one submission."""
    if options.out or options.diff or options.similarity or options.cluster or options.regrade:
        return True
    if options.jobs is not None or options.template or options.canvas_gradebook or options.moodle_worksheet:
        return True
    if options.write or options.run:
        return False  # a place hands over one student's folder, whatever is in it
    if len(options.paths) != 1 or options.paths[0].suffix == ".py":
        return len(options.paths) > 1
    from grader.classroom.candidates import Wanted  # only now are they needed
    from grader.classroom.intake import is_class
    from grader.course import loading

    course = loading.load(options.rubric, options.fixtures)
    return is_class(options.paths[0], Wanted(course.rubric.kind))


def settle(options: argparse.Namespace) -> None:
    """Take what follows --student for a path, unless it goes with --diff, where it is a name.

    Raise UserError for a job that needs what the grader for students lacks: a reference, courses.
    """
    if isinstance(options.student, str) and not options.diff:
        options.paths.append(Path(options.student))
        options.student = True
    if options.sandbox or not FOR_STUDENTS:
        return
    needed = ("courses", "init", "pack", "audit", "benchmark", "plot")
    if any(getattr(options, name) for name in needed):
        raise UserError("this grader is for students to read: it has no reference, no courses and no packs")
    if not (options.paths and options.rubric and options.fixtures):
        raise UserError(
            "this grader is for students to read and has no cases: name a submission, --rubric and --fixtures"
        )


Add = Callable[..., argparse.Action]
"""Adds an option to a group: any, one that is on or off, or one that names a file."""


def _finite(text: str) -> float:
    """Return a number that totals can be held against: none is below `nan`."""
    with suppress(ValueError):
        if math.isfinite(number := float(text)):
            return number
    raise argparse.ArgumentTypeError(f"'{text}' is no number of points")


def _add_for_one(add: Add, flag: Add, path: Add) -> None:
    """Add the options that go with one submission."""
    add(
        "--student",
        nargs="?",
        const=True,
        default=False,
        metavar="NAME",
        help="show public cases only, and how many are hidden; with --diff: all that changed for NAME",
    )
    flag("--watch", help="grade again whenever the file is saved; what changed comes first")
    flag("--all", help="show every case that did not pass, not only what explains them")
    path("--json", metavar="FILE", help="write the grade as JSON (-: instead of the report)")
    path("--html", metavar="FILE", help="write a page to look at and to play against")
    add(
        "--write",
        nargs=2,
        action="append",
        default=[],
        metavar=("PLACE", "FILE"),
        help=f"write what a place reads (-: instead of the report): {', '.join(WRITTEN_FOR)}",
    )
    path("--junitxml", metavar="FILE", help="write pytest's JUnit report")
    add("--fail-under", type=_finite, metavar="N", help="exit with 1 when the total is below N points")


def _add_for_a_class(add: Add, flag: Add, path: Add) -> None:
    """Add the options that go with a class."""
    path("--out", metavar="DIR", help="where grades, gradebooks and feedback go (default: grades)")
    add("--jobs", type=int, metavar="N", help="submissions at once (default: the cores)")
    flag("--no-html", help="write no pages")
    flag("--regrade", help="grade everybody, also what is unchanged")
    path("--diff", metavar="OLD_OUT", help="show who changed since, and by which cases")
    flag("--similarity", help="also list pairs of files that are unusually alike")
    add(
        "--template",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="with --similarity: code that everybody was given",
    )
    add("--cluster", metavar="ADDRESS", help="grade on the workers of a Dask scheduler")
    path(
        "--canvas-gradebook",
        metavar="FILE",
        help="the gradebook that Canvas exported, to be filled in as canvas.csv",
    )
    add("--canvas-id", metavar="ID", help="the assignment's number in Canvas (in its export: or its title)")
    path(
        "--moodle-worksheet",
        metavar="FILE",
        help="the grading worksheet that Moodle gave, to be filled in as moodle.csv",
    )
    flag("--mark", help="mark a class that is graded, on a page: PATH is its folder (--out)")
    flag("--anonymous", help="with --mark: names are hidden, order shuffled")


def _add_for_programs(add: Add, flag: Add, path: Add) -> None:
    """Add the options for a program, where its files do not tell how it is run."""
    add("--build", metavar="COMMAND", help="what builds it, in its folder")
    add("--run", metavar="COMMAND", help="what starts it, in its folder")
    flag("--patient", help="ten times the limits of time, for one slow program")


def _add_for_play(add: Add, flag: Add, path: Add) -> None:
    """Add the options for a game."""
    flag("--play", help="play against the reference, or the given file")
    flag("--coach", help="with --play: show what each free cell is worth")
    flag("--window", help="with --play: in a window (extra `window`)")


def _add_inside(add: Add, flag: Add, path: Add) -> None:
    """Add the options that show how the grader, or a search, does its work."""
    flag(
        "--benchmark",
        help="compare plain minimax, alpha-beta, the reference and the given file (a minute or two)",
    )
    path("--plot", metavar="FILE.svg", help="with --benchmark: draw the comparison")
    flag("--sandbox", help="show which layers confine a submission on this machine")
    flag("--no-recall", help="ask minimax about every board plainly, within the budget")
    flag("--time-first-move", help="time the first move, too")


def _add_for_instructors(add: Add, flag: Add, path: Add) -> None:
    """Add the options with which the points and the questions are changed."""
    path("--init", metavar="DIR", help="write a copy of the rubric and the cases there, to change")
    add(
        "--pack",
        nargs=2,
        action="append",
        default=[],
        metavar=("PLACE", "OUT"),
        help=f"write all that a place needs to grade by the rubric: {', '.join(PACKED_FOR)}",
    )
    path(
        "--pyodide",
        metavar="DIR",
        help="with --pack site: Python for the browser, as 'npm pack pyodide' has it, unpacked",
    )
    add("--course", metavar="NAME", help="grade by a course's rubric and cases")
    flag("--courses", help="list the courses")
    path("--rubric", metavar="FILE", help="what is worth how much (default: the shipped one)")
    path("--fixtures", metavar="DIR", help="the folder of cases (default: the rubric's)")
    add("--schema", choices=SCHEMAS, help="print a JSON Schema that explains every key")
    flag(
        "--audit",
        help="grade faulty variants of the engine in submission/: do the fixtures notice? (some minutes)",
    )
