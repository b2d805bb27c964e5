"""What students can read of a pack: it grades, and nothing in it solves the assignment or tells a hidden case."""

import re
import sys
import zipfile
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
import yaml

from grader.core.course.course import AboutBoards
from grader.core.errors import UserError
from grader.core.game.board import Board, rows
from grader.core.game.oracle import FUNCTIONS
from grader.course import cases, rubric_files
from grader.course.bundle import public, write
from grader.course.courses import DEFAULT_FIXTURES, DEFAULT_RUBRIC, ROOT, course_names
from grader.grading.session import Settings, check_configuration
from grader.places import FOR_INSTRUCTORS, HIDES_CASES, PACKED_FOR
from grader.places.packers import PACKERS, Wheel, for_students, wheel
from tests.places.conftest import Refused
from tests.places.opened import opened
from tests.places.packing import course_options, made, packed, run
from tests.places.solving import solving
from tests.submissions import PLAIN

# where students can read a pack, or a part of it
READ = [place for place in PACKED_FOR if place not in FOR_INSTRUCTORS]
READABLE = {"prairielearn": "pack/image/", "vpl": "pack/server/"}  # that part, where it is not all
HIDDEN_TEST = """\
import pytest


@pytest.mark.criterion("player", visibility="hidden")
def test_secretly(submission):
    assert submission.player([[None] * 3] * 3) == "X"
"""
BOTH = HIDDEN_TEST + "\n\n@pytest.mark.criterion('player')\ndef test_openly(submission):\n    pass\n"


def readable(place: str, settings: Settings, tmp_path: Path) -> dict[str, bytes]:
    """Return all that students can read of a pack, to the last file of the last archive."""
    tmp_path.mkdir(exist_ok=True)
    files = opened(packed(place, settings, tmp_path / "pack"))
    return {name: content for name, content in files.items() if name.startswith(READABLE.get(place, ""))}


def test_the_interpreter_for_webassembly_is_in_no_wheel_of_students() -> None:
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("grader/shipped/component/0123456789abcdef.wasm", b"component")
        archive.writestr("grader/core/values.py", b"")
        archive.writestr("tictactoe_grader-1.dist-info/METADATA", "Name: tictactoe-grader\nVersion: 1\n")
    given = Wheel("tictactoe_grader-1-py3-none-any.whl", stream.getvalue())
    assert not [name for name in for_students(given).files() if name.endswith(".wasm")]
    assert "grader/core/values.py" in for_students(given).files()


def drawn(*boards: str) -> re.Pattern[bytes]:
    """Return what finds any of some boards, however the three rows are put."""
    between = r"[\s,'\"\[\]|-]*"
    return re.compile("|".join(between.join(map(re.escape, rows(Board(board)))) for board in boards).encode())


@pytest.mark.exhaustive
def test_nothing_that_students_can_read_solves_the_assignment(tmp_path: Path) -> None:
    sources: dict[bytes, str] = {}
    for place in READ:
        files = readable(place, Settings(), tmp_path / place)
        assert sum(name.endswith(".py") for name in files) > 100, "the grader itself was not opened"
        sources |= {content: f"{place}/{name}" for name, content in files.items()}
    for content, name in sources.items():
        assert not re.search(rb"def (minimax|alpha_?beta|negamax)\(", content), name
        assert not re.search(rb"[0-8?-]{1000}", content), f"{name} holds a policy"
    assert solving({name: content for content, name in sources.items()}, tmp_path / "sources") == set()


def test_a_solution_would_be_found(tmp_path: Path) -> None:
    whole = opened(packed("gradescope", Settings(), tmp_path / "pack.zip"))
    files = {name: content for name, content in whole.items() if "grader/shipped/" in name}
    found = {name.rpartition("grader/shipped/")[2] for name in solving(files, tmp_path / "sources")}
    searches = {
        f"benchmarks/searches.py: {name} is minimax" for name in ("plain", "alpha_beta", "ordered_alpha_beta")
    }
    assert {f"submission/tictactoe.py: {name} is {name}" for name in FUNCTIONS} | searches <= found


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize("place", READ)
def test_nothing_that_students_can_read_tells_a_hidden_case(place: str, tmp_path: Path) -> None:
    listed = list(cases.load_all(DEFAULT_FIXTURES, rubric_files.load(DEFAULT_RUBRIC)))
    hidden = [case.question for case in listed if case.question.visibility == "hidden"]
    public_ones = [case.question for case in listed if case.question.visibility == "public"]
    ids = {question.id for question in hidden} - {question.id for question in public_ones}
    boards = {question.board for question in hidden if isinstance(question, AboutBoards) and question.board}
    boards -= {question.board for question in public_ones if isinstance(question, AboutBoards)}
    assert len(ids) > 20 and len(boards) > 10
    named, shown = re.compile(rf"(?<![\w-])({'|'.join(ids)})(?![\w-])".encode()), drawn(*boards)
    for name, content in readable(place, Settings(), tmp_path).items():
        if not name.endswith((".whl", ".gz")):  # which were opened
            assert not named.search(content), name
            if not name.endswith("core/game/solved.json"):  # it has every board there is
                assert not shown.search(content), name


def test_a_hidden_case_would_be_found(tmp_path: Path) -> None:
    files = opened(packed("vpl", Settings(), tmp_path / "pack"))
    course = [content for name, content in files.items() if name.endswith("course/fixtures/player.yaml")]
    assert len(course) == 1 and b"after-six-marks" in course[0] and drawn("O.X.XOO.X").search(course[0])


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize("place", PACKED_FOR)
def test_hidden_cases_stay_where_the_place_hides_them(
    place: str, small: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / ("pack.zip" if place == "gradescope" else "pack")
    course = b"".join(
        content for name, content in opened(packed(place, small, out)).items() if "/course/" in name
    )
    told = "1 hidden case is left out: students can read this pack\n"
    assert (b"id: late" in course) == (place in HIDES_CASES) == (told not in capsys.readouterr().out)


def test_comments_and_hidden_tests_are_an_instructors_own(small: Settings, tmp_path: Path) -> None:
    for file in (small.rubric_file, small.fixtures / "player.yaml"):
        file.write_text(f"# to myself\n{file.read_text()}")
    (small.fixtures / "test_secret.py").write_text(HIDDEN_TEST)
    (small.fixtures / "secret.yaml").write_text(
        "criterion: player\ncases:\n  - id: never\n    visibility: hidden\n    board: [..., ..., ...]\n"
    )
    given = made("check50", small)
    assert sorted(given.course) == [
        f"course/{name}" for name in ("fixtures/player.yaml", "fixtures/terminal.yaml", "rubric.yaml")
    ]
    assert b"to myself" not in b"".join(given.course.values())
    assert given.left_out == 3
    assert "late" not in given.not_graded["junit"] and "never" not in given.not_graded["junit"]


def test_cases_that_nobody_asks_are_not_shown_either(small: Settings) -> None:
    own = small.rubric_file.with_name("own.yaml")
    own.write_text("extends: rubric.yaml\nleft_out: [terminal]\ncriteria:\n  - {id: player, points: 8}\n")
    text = small.rubric_file.read_text().partition("  - id: terminal")[0]
    own.write_text(f"{text}left_out: [terminal]\n")
    terminal = small.fixtures / "terminal.yaml"
    terminal.write_text(terminal.read_text() + "    visibility: hidden\n")
    found = public(own, small.fixtures, check_configuration(replace(small, rubric_file=own)))
    assert sorted(found) == ["fixtures/player.yaml", "rubric.yaml"]


@pytest.mark.parametrize(
    ("files", "sentence", "at"),
    [
        (
            {
                "terminal.yaml": "criterion: terminal\ncases:\n  - id: a\n    board: [..., ..., ...]\n    visibility: hidden\n"
            },
            "all cases of 'terminal' are hidden, and students can read this pack",
            ("rubric.yaml", 6),
        ),
        ({"test_both.py": BOTH}, "put it into a file of its own", ("test_both.py", 4)),
    ],
)
def test_what_cannot_be_left_out_is_a_sentence(
    files: dict[str, str], sentence: str, at: tuple[str, int], small: Settings, refused: Refused
) -> None:
    for name, text in files.items():
        (small.fixtures / name).write_text(text)
    with pytest.raises(UserError, match=sentence) as caught:
        public(small.rubric_file, small.fixtures, check_configuration(small))
    assert caught.value.file and (caught.value.file.name, caught.value.line) == at
    assert sentence in refused("pack", "check50", "pack", *course_options(small))
    assert not Path("pack").exists()


@pytest.mark.parametrize("name", ["default", *course_names()])
def test_the_public_part_of_every_course_grades(name: str, tmp_path: Path) -> None:
    from grader.course.courses import fixtures_of, rubric_of

    settings = Settings(rubric_of(name), fixtures_of(rubric_of(name)))
    listed = check_configuration(settings)
    found = public(settings.rubric_file, settings.fixtures, listed)
    write(found, tmp_path)
    taken = Settings(tmp_path / "rubric.yaml", tmp_path / "fixtures")
    assert rubric_files.load(taken.rubric_file) == replace(
        rubric_files.load(settings.rubric_file), extends=None
    )
    there = check_configuration(taken)
    assert len(there) == len(listed) - sum(case.hidden for case in listed) and not any(
        case.hidden for case in there
    )


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize("place", PACKERS)
def test_a_pack_takes_the_whole_course(place: str, deep: Settings, tmp_path: Path) -> None:
    out = tmp_path / ("pack.zip" if place == "gradescope" else "pack")
    names = {name.partition("/course/fixtures/")[2] for name in opened(packed(place, deep, out))}
    assert names >= {
        "more/deeper/player.yaml", "build/player.yaml", "own/board.txt", "own/helper.py", "own/test_own.py", "notes.yml", "player.yaml",
    }  # fmt: skip
    if place not in HIDES_CASES:
        (readme,) = (
            content.decode()
            for name, content in opened(out).items()
            if name.endswith("pack/README.md") or ("grader/README" in name and "shipped" not in name)
        )
        assert "`course/fixtures/own/board.txt`" in readme


# The wheel


@pytest.fixture(scope="module")
def grader(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with the grader that students may read."""
    folder = tmp_path_factory.mktemp("students")
    with zipfile.ZipFile(BytesIO(for_students(wheel()).content)) as archive:
        assert archive.testzip() is None
        archive.extractall(folder)
    return folder


def test_the_wheel_for_students_is_another_one() -> None:
    given, found = wheel(), for_students(wheel())
    assert found.version == f"{given.version}+students" and found.requirements() == given.requirements()
    assert for_students(found).name == found.name
    (metadata,) = (text.decode() for name, text in found.files().items() if name.endswith("METADATA"))
    assert f"\nVersion: {found.version}\n" in metadata and metadata.count("\nVersion: ") == 1
    record = next(text for name, text in found.files().items() if name.endswith("RECORD")).decode()
    assert sorted(line.partition(",")[0] for line in record.splitlines()) == sorted(found.files())
    shipped = [name for name in found.files() if "/shipped/" in name or "/audit/" in name]
    assert shipped == ["grader/shipped/README.md"]


@pytest.mark.exhaustive(beyond=2)
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["course", "list"], "has no reference, no courses and no packs"),
        (["audit"], "has no reference, no courses and no packs"),
        (["benchmark"], "has no reference, no courses and no packs"),
        (["course", "init", "mine"], "has no reference, no courses and no packs"),
        ([], "name a submission, --rubric and --fixtures"),
        (["alice.py"], "name a submission, --rubric and --fixtures"),
        (["alice.py", "--course", "cs50ai"], "name a submission, --rubric and --fixtures"),
    ],
)
def test_what_it_has_not_is_a_sentence(
    arguments: list[str], sentence: str, grader: Path, tmp_path: Path
) -> None:
    (tmp_path / "alice.py").write_text(PLAIN)
    done = run(sys.executable, "-m", "grader", *arguments, cwd=tmp_path, PYTHONPATH=grader)
    assert done.returncode == 2 and sentence in done.stderr and "Traceback" not in done.stderr


@pytest.mark.exhaustive
def test_it_grades_as_the_instructors_does(grader: Path, tmp_path: Path) -> None:
    broken = PLAIN.replace("def winner(board):", "def winner(board):\n    return None\n\n\ndef other(board):")
    (tmp_path / "alice.py").write_text(broken)
    totals = []
    for path in (grader, ROOT):
        command: list[str | Path] = [
            "alice.py",
            "--rubric",
            DEFAULT_RUBRIC,
            "--fixtures",
            DEFAULT_FIXTURES,
            "--json",
            "-",
        ]
        done = run(sys.executable, "-m", "grader", *command, cwd=tmp_path, PYTHONPATH=path)
        assert done.returncode == 0, done.stderr
        totals.append(yaml.safe_load(done.stdout)["total"])
    assert totals[0] == totals[1] < 100
