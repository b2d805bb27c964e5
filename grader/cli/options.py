"""The arguments of the command, grouped by job."""

import argparse
import sys
from pathlib import Path
from typing import Final

from grader import __version__
from grader.classroom.options import add_options
from grader.core.errors import UserError
from grader.course.shipped import FOR_STUDENTS
from grader.places.names import PACKED_FOR, WRITTEN_FOR

SCHEMAS: Final = ("rubric", "fixture", "grade", "adjustments")
_EPILOG: Final = """\
examples:
  {0}                          grade the reference engine, or what lies in submission/ in its place
  {0} path/to/tictactoe.py     grade a student's file
  {0} alice.py --student       what the student may see
  {0} alice.py --json -        the grade as JSON, for a pipe
  {0} alice.py --html a.html   a page, with the game that beats it and a board to play on
  {0} submissions.zip          grade a whole class into grades/
  {0} folder --course cpsc352  play a terminal program in any language, and grade it
  {0} --pack gradescope a.zip  a grader to upload there, by the rubric; --write is for a grade
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
    _add_for_one(reader.add_argument_group("grade one submission"))
    add_options(reader.add_argument_group("grade a class"))
    _add_for_programs(reader.add_argument_group("grade a program that is played in a terminal"))
    _add_for_play(reader.add_argument_group("play"))
    _add_inside(reader.add_argument_group("look inside"))
    _add_for_instructors(reader.add_argument_group("for instructors"))
    about = reader.add_argument_group("about")
    about.add_argument("-h", "--help", action="help", help="show this and do nothing else")
    about.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    return reader


def called() -> str:
    """Return how this command was called, as a person would type it."""
    known = {"run_grader.py": "python run_grader.py", "__main__.py": "python -m grader"}
    return known.get(Path(sys.argv[0]).name, "tictactoe-grader")


def refuse_what_is_not_there(options: argparse.Namespace) -> None:
    """Raise UserError for a job that needs what the grader for students lacks: a reference, courses."""
    if options.sandbox or not FOR_STUDENTS:
        return
    needed = ("courses", "init", "pack", "audit", "benchmark", "plot")
    if any(getattr(options, name) for name in needed):
        raise UserError("this grader is for students to read: it has no reference, no courses and no packs")
    if not (options.paths and options.rubric and options.fixtures):
        raise UserError(
            "this grader is for students to read and has no cases: name a submission, --rubric and --fixtures"
        )


def _add_for_one(group: argparse._ArgumentGroup) -> None:
    """Add the options that go with one submission."""
    group.add_argument(
        "--student", action="store_true", help="show public cases only, and how many are hidden"
    )
    group.add_argument(
        "--all", action="store_true", help="show every case that did not pass, not only what explains them"
    )
    group.add_argument(
        "--json", type=Path, metavar="FILE", help="write the grade as JSON (-: instead of the report)"
    )
    group.add_argument(
        "--html", type=Path, metavar="FILE", help="write a page to look at and to play against"
    )
    group.add_argument(
        "--write",
        nargs=2,
        action="append",
        default=[],
        metavar=("PLACE", "FILE"),
        help=f"write what a place reads (-: instead of the report): {', '.join(WRITTEN_FOR)}",
    )
    group.add_argument("--junitxml", type=Path, metavar="FILE", help="write pytest's JUnit report")
    group.add_argument(
        "--fail-under", type=float, metavar="N", help="exit with 1 when the total is below N points"
    )


def _add_for_programs(group: argparse._ArgumentGroup) -> None:
    """Add the options for a program, where its files do not tell how it is run."""
    group.add_argument("--build", metavar="COMMAND", help="what builds it, in its folder")
    group.add_argument("--run", metavar="COMMAND", help="what starts it, in its folder")


def _add_for_play(group: argparse._ArgumentGroup) -> None:
    """Add the options for a game."""
    group.add_argument("--play", action="store_true", help="play against the reference, or the given file")
    group.add_argument("--coach", action="store_true", help="with --play: show what each free cell is worth")
    group.add_argument("--window", action="store_true", help="with --play: in a window (extra `window`)")


def _add_inside(group: argparse._ArgumentGroup) -> None:
    """Add the options that show how the grader, or a search, does its work."""
    group.add_argument(
        "--benchmark",
        action="store_true",
        help="compare plain minimax, alpha-beta, the reference and the given file (a minute or two)",
    )
    group.add_argument("--plot", type=Path, metavar="FILE.svg", help="with --benchmark: draw the comparison")
    group.add_argument(
        "--sandbox", action="store_true", help="show which layers confine a submission on this machine"
    )
    group.add_argument(
        "--no-recall", action="store_true", help="ask minimax about every board plainly, within the budget"
    )
    group.add_argument(
        "--time-first-move", action="store_true", help="time the first move for real instead of estimating it"
    )


def _add_for_instructors(group: argparse._ArgumentGroup) -> None:
    """Add the options with which the points and the questions are changed."""
    group.add_argument(
        "--init", type=Path, metavar="DIR", help="write a copy of the rubric and the cases there, to change"
    )
    group.add_argument(
        "--pack",
        nargs=2,
        metavar=("PLACE", "OUT"),
        help=f"write all that a place needs to grade by the rubric: {', '.join(PACKED_FOR)}",
    )
    group.add_argument("--course", metavar="NAME", help="grade by a course's rubric and cases")
    group.add_argument("--courses", action="store_true", help="list the courses")
    group.add_argument(
        "--rubric", type=Path, metavar="FILE", help="what is worth how much (default: the shipped one)"
    )
    group.add_argument(
        "--fixtures", type=Path, metavar="DIR", help="the folder of cases (default: the rubric's)"
    )
    group.add_argument(
        "--schema",
        choices=("rubric", "fixture", "grade", "adjustments"),
        help="print a JSON Schema that explains every key",
    )
    group.add_argument(
        "--audit",
        action="store_true",
        help="grade faulty variants of the engine in submission/: do the fixtures notice? (some minutes)",
    )
