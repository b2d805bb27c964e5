"""The jobs of the command, the options of each, and their help.

Without the name of a job, a path means one submission or a class: the options of both jobs are accepted.
"""

import argparse
import math
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn

from grader import __version__
from grader.core.errors import UserError, nearest
from grader.core.messages import _, available, known_code
from grader.course.courses import course_names
from grader.places import PACKED_FOR, WRITTEN_FOR

SCHEMAS: Final = ("rubric", "fixture", "grade", "adjustments")
SHELLS: Final = ("bash", "zsh", "fish")
NO_JOB: Final = ""
_OF_ONE: Final = ("all", "html", "json", "junitxml", "fail_under", "write", "student", "time_first_move")
"""Options that do not go with a class."""

_HELP: Final = """\
usage: {0} [PATH] [options]
       {0} JOB ...

Grade a Tic-Tac-Toe submission against the solved game, and say why.

  {0}                  grade the reference engine, or what lies in submission/ in its place
  {0} tictactoe.py     grade a file, or the folder with it
  {0} submissions.zip  grade a class from the download of an LMS, into grades/
{1}
'JOB --help' shows the options of a job and an example; PATH alone takes those of grade and of class.
A folder with the name of a job is written with a dot: ./class.

  --completion SHELL  for tictactoe-grader in bash, zsh or fish: eval "$(tictactoe-grader --completion bash)"
  --version           print the version

exit codes:
  0  done                          2  bad input or configuration; nobody was graded
  1  graded, below --fail-under    3  the grader itself failed
"""


def called() -> str:
    """Return how this command was called, as a person would type it."""
    known = {"run_grader.py": "python run_grader.py", "__main__.py": "python -m grader"}
    return known.get(Path(sys.argv[0]).name, "tictactoe-grader")


class Parser(argparse.ArgumentParser):
    """Reads the options of a job; the rarely used ones are only in the whole help."""

    def __init__(self, *arguments: Any, shows_all: bool = False, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._shows_all = shows_all

    def rare(self, *names: str, help: str, **about: Any) -> None:
        """Add an option that few people need."""
        self.add_argument(*names, help=help if self._shows_all else argparse.SUPPRESS, **about)

    def error(self, message: str) -> NoReturn:
        """Raise UserError with what is wrong, and the nearest option that exists."""
        unknown = message.removeprefix("unrecognized arguments: --").split()[0].partition("=")[0]
        if message.startswith("unrecognized arguments: --"):
            near = nearest(unknown, (name[2:] for name in self._option_string_actions if name[:2] == "--"))
            message = _("there is no option --{name}", name=unknown)
            message += _("; is {name} meant?", name=f"--{near}") if near else ""
        raise UserError(message + "\n" + _("See: {command}", command=f"{self.prog} --help"))


@dataclass(frozen=True)
class Job:
    """A job: its readers, its arguments as help shows them, what it does, its options, an example."""

    readers: str
    arguments: str
    does: str
    add: Callable[[Parser], None]
    example: str

    def parser(self, name: str, *, shows_all: bool = False) -> Parser:
        """Return the parser of the options."""
        command = f"{called()} {name}"
        reader = Parser(
            prog=command,
            usage=f"%(prog)s {self.arguments} [options]".replace("  ", " "),
            description=f"{self.does[:1].upper()}{self.does[1:].rstrip('.')}.",
            epilog=f"example:\n  {called()} {self.example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
            shows_all=shows_all,
        )
        self.add(reader)
        if any(action.help == argparse.SUPPRESS for action in reader._actions) or shows_all:
            reader.add_argument("--help-all", action="help", help="show all options")
        return reader


def help_text() -> str:
    """Return the help of the whole command: jobs, by their readers."""
    lines = []
    for readers in dict.fromkeys(job.readers for job in JOBS.values()):
        lines += ["", f"{readers}:"]
        lines += [
            f"  {f'{name} {job.arguments}'.strip():<31}{job.does}"
            for name, job in JOBS.items()
            if job.readers == readers
        ]
    return _HELP.format(called(), "\n".join(lines) + "\n")


def without_job() -> Parser:
    """Return the parser of a command line that names no job."""
    reader = Parser(prog=called(), add_help=False, allow_abbrev=False)
    reader.add_argument("paths", nargs="*", type=Path)
    _add_grading(reader)
    _add_class(reader)
    _add_course(reader)
    reader.add_argument("-h", "--help", "--help-all", action="store_true")
    reader.add_argument("--version", action="version", version=f"{called()} {__version__}")
    reader.add_argument("--completion", choices=SHELLS, metavar="|".join(SHELLS))
    return reader


def whole_parser() -> argparse.ArgumentParser:
    """Return one parser of everything, by which a shell completes a command line."""
    whole = without_job()
    jobs = whole.add_subparsers(dest="job")
    for name, job in JOBS.items():
        jobs.add_parser(name, parents=[job.parser(name)], add_help=False)
    return whole


def class_is_meant(options: argparse.Namespace) -> bool:
    """Return whether paths without a job mean a whole class, and not one submission."""
    of_a_class = (
        options.out, options.diff, options.similarity, options.cluster, options.regrade, options.template,
        options.canvas_gradebook, options.moodle_worksheet, options.jobs is not None,
    )  # fmt: skip
    if any(of_a_class):
        return True
    if options.write or options.run:
        return False  # a place hands over one student's folder, whatever is in it
    if len(options.paths) != 1 or options.paths[0].suffix == ".py":
        return len(options.paths) > 1
    from grader.classroom.intake import Wanted, is_class
    from grader.course import loading

    course = loading.load(options.rubric, options.fixtures)
    return is_class(options.paths[0], Wanted(course.rubric.kind))


def refuse_beside_class(options: argparse.Namespace) -> None:
    """Raise UserError for an option of one submission that is given for a class."""
    for name in _OF_ONE:
        if getattr(options, name, None):
            raise UserError(_("--{option} does not go with a class", option=name.replace("_", "-")))


def _points(text: str) -> float:
    """Return a number that totals can be compared with: none is below `nan`."""
    with suppress(ValueError):
        if math.isfinite(number := float(text)):
            return number
    raise argparse.ArgumentTypeError(_("'{text}' is no number of points", text=text))


def _rubric_file(text: str) -> Path:
    """Return the rubric at a path: the file, or the one in the folder."""
    path = Path(text)
    return path / "rubric.yaml" if path.is_dir() else path


def _language_code(text: str) -> str:
    """Return the code of a language that there is."""
    try:
        return known_code(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _offer(action: argparse.Action, values: Callable[[], Iterable[str]]) -> None:
    """Let a shell complete the values of an argument, which are looked up only then."""
    action.completer = lambda **_: list(values())  # type: ignore[attr-defined]


def _switch(reader: Parser, name: str, help: str) -> None:
    reader.add_argument(name, action="store_true", help=help)


def _file(reader: argparse.ArgumentParser, name: str, help: str, metavar: str = "FILE") -> None:
    reader.add_argument(name, type=Path, metavar=metavar, help=help)


def _paths(reader: Parser, help: str) -> None:
    reader.add_argument("paths", nargs="*", type=Path, metavar="PATH", help=help)


def _add_fail_under(reader: Parser) -> None:
    reader.add_argument("--fail-under", type=_points, metavar="N", help="exit with 1 if the total is below N")


def _add_language(reader: argparse.ArgumentParser) -> None:
    """Add the language of what is printed and written."""
    about = "the language (default: the rubric's)"
    _offer(reader.add_argument("--language", type=_language_code, metavar="CODE", help=about), available)


def _add_course(reader: Parser) -> None:
    """Add what a submission is graded by."""
    _offer(reader.add_argument("--course", metavar="NAME", help="a course's rubric and cases"), course_names)
    reader.add_argument("--rubric", type=_rubric_file, metavar="FILE", help="what is worth how much")
    _file(reader, "--fixtures", "the folder of cases (default: the rubric's)", "DIR")
    _add_language(reader)


def _add_grading(reader: Parser) -> None:
    """Add the options that go with one submission."""
    _switch(reader, "--student", "show public cases only, and how many are hidden")
    _switch(reader, "--all", "show every case that did not pass")
    _file(reader, "--json", "write the grade as JSON (-: instead of the report)")
    _file(reader, "--html", "write a page to look at and to play against")
    _add_fail_under(reader)
    reader.rare(
        "--write",
        nargs=2,
        action="append",
        default=[],
        metavar=("PLACE", "FILE"),
        help=f"write what a place reads (-: instead of the report): {', '.join(WRITTEN_FOR)}",
    )
    reader.rare("--junitxml", type=Path, metavar="FILE", help="write a JUnit report, hidden cases too")
    reader.rare("--time-first-move", action="store_true", help="time the first move, too")
    _add_program(reader)


def _add_commands(reader: Parser) -> None:
    """Add what builds and starts a terminal program."""
    reader.rare("--build", metavar="COMMAND", help="what builds a terminal program, in its folder")
    reader.rare("--run", metavar="COMMAND", help="what starts a terminal program, in its folder")


def _add_program(reader: Parser) -> None:
    """Add what goes with a submission that is played in a terminal, and with a search without recall."""
    _add_commands(reader)
    reader.rare("--patient", action="store_true", help="ten times the limits of time, for a slow program")
    reader.rare(
        "--sandbox-kind",
        choices=("auto", "native", "wasm"),
        help="what confines a file with functions, whatever the rubric says (wasm: WebAssembly)",
    )
    reader.rare("--no-recall", action="store_true", help="ask minimax about every board without a cache")


def _add_class(reader: Parser) -> None:
    """Add the options that go with a class."""
    _file(reader, "--out", "where everything is written (default: grades)", "DIR")
    reader.add_argument("--jobs", type=int, metavar="N", help="submissions at once (default: the cores)")
    _switch(reader, "--regrade", "grade everybody, also what is unchanged")
    _file(reader, "--moodle-worksheet", "Moodle's grading worksheet, to fill in")
    _file(reader, "--canvas-gradebook", "Canvas's gradebook, to fill in")
    _switch(reader, "--similarity", "also list pairs of files unusually alike")
    _file(reader, "--diff", "then show who changed since OLD", "OLD")
    _switch(reader, "--no-html", "write no pages")
    given = "with --similarity: code that everybody was given"
    reader.rare("--template", type=Path, action="append", default=[], metavar="FILE", help=given)
    reader.rare("--canvas-id", metavar="ID", help="the assignment's number in Canvas, or its title")
    reader.rare("--cluster", metavar="ADDRESS", help="grade on the workers of a Dask scheduler")


def _grade(reader: Parser) -> None:
    _paths(reader, "the file, or the folder with it (default: submission/)")
    _add_grading(reader)
    _add_course(reader)


def _class(reader: Parser) -> None:
    _paths(reader, "a folder, a .zip or .tar.gz as the LMS gave it, a roster (.csv), or several files")
    _add_class(reader)
    _add_course(reader)
    _add_program(reader)


def _play(reader: Parser) -> None:
    _paths(reader, "the file or the program to play against (default: submission/)")
    _switch(reader, "--coach", "show what each free cell is worth")
    _switch(reader, "--window", "play in a window (extra 'window'); no program")
    _add_course(reader)
    _add_commands(reader)


def _student(reader: Parser) -> None:
    _file(reader, "folder", "the folder of a graded class", "FOLDER")
    reader.add_argument("name", metavar="NAME", help="the student, as the gradebook or grades/ has the name")
    _switch(reader, "--all", "with hidden cases: for instructors, not to mail")
    _file(reader, "--html", "write a page instead of the text")
    _add_language(reader)


def _diff(reader: Parser) -> None:
    _file(reader, "old", "the folder of a graded class", "OLD")
    _file(reader, "new", "the folder of the same class, graded later", "NEW")
    reader.add_argument("--student", metavar="NAME", help="show all that changed for one student")
    _add_language(reader)


def _mark(reader: Parser) -> None:
    _file(reader, "folder", "the folder of a graded class", "FOLDER")
    _switch(reader, "--anonymous", "hide names and shuffle the order")
    _add_language(reader)


def _pack(reader: Parser) -> None:
    _offer(reader.add_argument("place", metavar="PLACE", help=", ".join(PACKED_FOR)), lambda: PACKED_FOR)
    _file(reader, "out", "the file or folder to write", "OUT")
    _add_course(reader)
    python = "for a site: Python for the browser, as 'npm pack pyodide' has it, unpacked"
    _file(reader, "--pyodide", python, "DIR")


def _write(reader: Parser) -> None:
    _offer(reader.add_argument("place", metavar="PLACE", help=", ".join(WRITTEN_FOR)), lambda: WRITTEN_FOR)
    _file(reader, "file", "the submission")
    reader.add_argument("out", metavar="OUT", help="the file to write (-: standard output)")
    _switch(reader, "--student", "show public cases only in the report")
    _add_fail_under(reader)
    _add_course(reader)
    _add_program(reader)
    reader.set_defaults(all=False, json=None, html=None, junitxml=None)


_TASKS: Final = {
    "list": "list the courses whose rules are known",
    "init": "write a copy of the rubric and the cases, to change",
    "check": "load a rubric and its cases, and print every error",
    "schema": "print a JSON Schema that explains every key",
}


def _course(reader: Parser) -> None:
    reader.usage = None
    tasks = reader.add_subparsers(dest="task", required=True, metavar="list|init|check|schema")
    for task, about in _TASKS.items():
        tasks.add_parser(task, help=about, description=f"{about[:1].upper()}{about[1:]}.")
    init, check, schema = (tasks.choices[task] for task in ("init", "check", "schema"))
    _file(init, "init", "the folder to write", "DIR")
    _add_course(init)
    about = "the rubric, or its folder (default: the one here, or the shipped one)"
    check.add_argument("rubric", type=_rubric_file, nargs="?", metavar="RUBRIC", help=about)
    _file(check, "--fixtures", "the folder of cases (default: the rubric's)", "DIR")
    check.add_argument("--course", metavar="NAME", help="check a course's own rubric and cases")
    _add_language(check)
    schema.add_argument("schema", choices=SCHEMAS, metavar="|".join(SCHEMAS))


def _benchmark(reader: Parser) -> None:
    _paths(reader, "a file to compare with them")
    _file(reader, "--plot", "draw the comparison", "FILE.svg")


def _audit(reader: Parser) -> None:
    _paths(reader, "an engine with full marks (default: submission/)")
    _add_course(reader)


def _sandbox(reader: Parser) -> None:
    _switch(reader, "--prepare", "compile WebAssembly for all users, in an image of a container")


_STUDENTS, _INSTRUCTORS, _CI = "for students", "for instructors", "for CI and other systems"

JOBS: Final = {
    "grade": Job(
        _STUDENTS, "[PATH]", "grade one submission, and explain every lost point", _grade,
        "grade path/to/tictactoe.py --student",
    ),
    "watch": Job(
        _STUDENTS, "FILE", "grade a file again whenever it is saved", _grade, "watch path/to/tictactoe.py"
    ),
    "play": Job(_STUDENTS, "[FILE]", "play against the reference or a submission", _play, "play --coach"),
    "class": Job(
        _INSTRUCTORS, "PATH... [--out DIR]", "grade a class, with gradebooks and feedback", _class,
        "class submissions.zip --out grades",
    ),
    "student": Job(
        _INSTRUCTORS, "FOLDER NAME", "show one grade with all its reasons, to answer a question", _student,
        "student grades ada",
    ),
    "diff": Job(
        _INSTRUCTORS, "OLD NEW", "show whose grade changed between two runs", _diff, "diff before grades"
    ),
    "mark": Job(
        _INSTRUCTORS, "FOLDER", "mark a graded class, on a page of this machine", _mark, "mark grades"
    ),
    "course": Job(
        _INSTRUCTORS, "list|init|check|schema", "list courses; write, check or look up a rubric", _course,
        "course init mine",
    ),
    "pack": Job(
        _INSTRUCTORS, "PLACE OUT", "write a grader for a place: Gradescope, a web site, ...", _pack,
        "pack site site",
    ),
    "audit": Job(
        _INSTRUCTORS, "[FILE]", "grade faulty variants of an engine: do the cases notice?", _audit, "audit"
    ),
    "write": Job(
        _CI, "PLACE FILE OUT", "grade a file, and write what a place reads", _write,
        "write gradescope path/to/tictactoe.py results.json",
    ),
    "benchmark": Job(
        _CI, "[FILE]", "compare minimax, alpha-beta, the reference and a file", _benchmark,
        "benchmark --plot searches.svg",
    ),
    "sandbox": Job(
        _CI, "", "show what confines a submission on this machine", _sandbox, "sandbox",
    ),
}  # fmt: skip
"""Every job by its name, in the order of the help."""
