"""The options that go with a class, and whether one is meant: light, for most runs grade one submission."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grader.core.course.rubric import HandedIn


def add_options(group: argparse._ArgumentGroup) -> None:
    """Add the options that go with a class."""
    group.add_argument(
        "--out", type=Path, metavar="DIR", help="where grades, gradebooks and feedback go (default: grades)"
    )
    group.add_argument("--jobs", type=int, metavar="N", help="submissions at once (default: the cores)")
    group.add_argument("--no-html", action="store_true", help="write no pages")
    group.add_argument("--regrade", action="store_true", help="grade everybody, also what is unchanged")
    group.add_argument(
        "--diff", type=Path, metavar="OLD_OUT", help="show who changed since, and by which cases"
    )
    group.add_argument("--similarity", action="store_true", help="also look for files that are alike")
    group.add_argument(
        "--template",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="with --similarity: code that everybody was given",
    )
    group.add_argument("--cluster", metavar="ADDRESS", help="grade on the workers of a Dask scheduler")
    group.add_argument(
        "--canvas-gradebook",
        type=Path,
        metavar="FILE",
        help="the gradebook that Canvas exported, to be filled in as canvas.csv",
    )
    group.add_argument(
        "--canvas-id", metavar="ID", help="the assignment's number in Canvas (in its export: or its title)"
    )
    group.add_argument(
        "--moodle-worksheet",
        type=Path,
        metavar="FILE",
        help="the grading worksheet that Moodle gave, to be filled in as moodle.csv",
    )


def class_is_meant(options: argparse.Namespace, kind_of: "Callable[[], HandedIn]") -> bool:
    """Return whether a whole class is to be graded, and not one submission, of a kind told if need be."""
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

    return is_class(options.paths[0], Wanted(kind_of()))
