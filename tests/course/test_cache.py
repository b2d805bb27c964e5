"""A validated course is cached until something changes; without the cache it is validated again."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.course import loading
from grader.course.courses import DEFAULT_FIXTURES, DEFAULT_RUBRIC, ROOT, course_names, fixtures_of, rubric_of

BASE = "title: Base\ncriteria:\n  - {id: winner, description: d, points: 10}\ntemplate: given.py\n"
OWN = "extends: base.yaml\ntitle: Own\n"
CASES = (
    "criterion: winner\ncases:\n  - {id: a, boards: all}\n  - {id: b, board: [XXX, OO., ...], expect: X}\n"
)


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Give a rubric that builds on another, its fixtures, and a cache folder of their own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    files = {"base.yaml": BASE, "own.yaml": OWN, "given.py": "import math\n", "fixtures/winner.yaml": CASES}
    (tmp_path / "fixtures").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return tmp_path / "own.yaml", tmp_path / "fixtures"


def the_file(tmp_path: Path) -> Path:
    (found,) = (tmp_path / "cache").rglob("*.json")
    return found


def test_a_cached_course_is_the_same(course: tuple[Path, Path]) -> None:
    loaded = loading.load(*course)
    assert loading.cached(*course) == loaded == loading.validated(*course)
    assert hash(loaded.rubric) == hash(loading.cached(*course).rubric)  # type: ignore[union-attr]


@pytest.mark.parametrize("name", ["default", *course_names()])
def test_every_shipped_course_can_be_cached(name: str) -> None:
    rubric = rubric_of(name)
    loaded = loading.validated(rubric, fixtures_of(rubric))
    loading.store(loaded, rubric, fixtures_of(rubric))
    assert loading.cached(rubric, fixtures_of(rubric)) == loaded


@pytest.mark.parametrize(
    ("name", "text"),
    {
        "own.yaml": OWN + "smileys: true\n",
        "base.yaml": BASE.replace("10", "11"),
        "given.py": "import copy\n",
        "fixtures/winner.yaml": CASES.replace("id: b", "id: c"),
        "fixtures/more.yaml": CASES.replace("id: ", "id: x"),
        "fixtures/test_own.py": "# a test\n",
    }.items(),
)
def test_a_changed_byte_is_seen(course: tuple[Path, Path], tmp_path: Path, name: str, text: str) -> None:
    before = loading.load(*course)
    (tmp_path / name).write_text(text)
    assert loading.cached(*course) is None
    after = loading.load(*course)
    assert after != before and after == loading.validated(*course)


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: "",
        lambda text: text[:-200],
        lambda text: "[" * 100_000,
        lambda text: "{}",
        lambda text: '{"grader": 1, "fixtures": 2, "others": 3, "course": 4}',
        lambda text: text.replace('"grader": "', '"grader": "0'),
        lambda text: text.replace('points\\": 10', 'points\\": 95'),
        lambda text: text.replace("weight", "wieght"),
        lambda text: text.replace("answer", "what"),
        lambda text: json.dumps([json.loads(text)]),
    ],
    ids=range(10),
)
def test_what_is_damaged_or_another_graders_is_left_alone(
    course: tuple[Path, Path], tmp_path: Path, damage: Callable[[str], str]
) -> None:
    loaded = loading.load(*course)
    file = the_file(tmp_path)
    text = file.read_text()
    assert damage(text) != text
    file.write_text(damage(text))
    assert loading.cached(*course) is None
    assert loading.load(*course) == loaded
    assert file.read_text() == text


@pytest.mark.parametrize("how", ["a file is in the way", "a folder is in the way", "nobody is at home"])
def test_a_course_is_loaded_where_there_can_be_no_cache(
    course: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    if how == "a file is in the way":
        (tmp_path / "cache").write_text("")
    elif how == "a folder is in the way":
        loading.load(*course)
        file = the_file(tmp_path)
        file.unlink()
        file.mkdir()
    else:
        monkeypatch.setenv("XDG_CACHE_HOME", "relative")
        monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError))
    assert loading.load(*course) == loading.load(*course)


def test_a_course_that_names_copies_is_not_cached(course: tuple[Path, Path], tmp_path: Path) -> None:
    """Given a case about a file that must be as it was given, whose copy lies anywhere."""
    (tmp_path / "copy.py").write_text("pass\n")
    more = "  - {id: c, check: files, unmodified: {runner.py: ../copy.py}}\n"
    (tmp_path / "fixtures/winner.yaml").write_text(CASES + more)
    loading.load(*course)
    assert not list((tmp_path / "cache").rglob("*.json"))


def test_courses_do_not_fill_the_disk(course: tuple[Path, Path], tmp_path: Path) -> None:
    for number in range(60):
        rubric = tmp_path / f"{number}.yaml"
        shutil.copy(tmp_path / "base.yaml", rubric)
        loading.store(loading.validated(rubric, course[1]), rubric, course[1])
    assert len(list((tmp_path / "cache").rglob("*.json"))) == 50


def test_a_course_that_is_used_stays(course: tuple[Path, Path], tmp_path: Path) -> None:
    """Given one that was kept before fifty others, and used after them: these others go first."""
    loading.load(*course)
    used = the_file(tmp_path)
    os.utime(used, (1, 1))
    others = [used.with_name(f"{number}.json") for number in range(50)]
    for other in others:
        other.write_text("{}")
        os.utime(other, (2, 2))
    loading.load(*course)
    rubric = Path(shutil.copy(tmp_path / "base.yaml", tmp_path / "another.yaml"))
    loading.load(rubric, course[1])
    assert used.exists() and sum(other.exists() for other in others) == 48


GRADED = (
    "from pathlib import Path; from grader.grading.session import Settings, grade_found, load_course, read; "
    "settings = Settings(); course = load_course(settings); "
    f"found = read(Path({str(ROOT / 'submission')!r}), course.rubric); "
    "print(grade_found(found, course, settings).total)"
)


@pytest.mark.parametrize(
    "code",
    [
        GRADED,
        "from grader.cli.main import main; main([])",
        "from grader.cli.main import main; main(['--help'])",
    ],
    ids=["session", "grade", "help"],
)
def test_a_second_grade_needs_neither_yaml_nor_pydantic_nor_pytest(code: str) -> None:
    loading.load(DEFAULT_RUBRIC, DEFAULT_FIXTURES)
    program = f"import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr)); {code}"
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    modules = done.stderr.split()
    assert "grader.core" in modules and {"yaml", "pydantic", "pytest"}.isdisjoint(modules)
    assert code != GRADED or done.stdout == "110.0\n"
