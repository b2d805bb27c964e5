"""What belongs to a course, and that it grades alike wherever it is taken."""

from dataclasses import replace
from pathlib import Path

import pytest

from grader.core.course.submission import digest
from grader.core.errors import UserError
from grader.course import cases, rubric_files, strict_yaml
from grader.course.bundle import all_in, whole, write
from grader.course.courses import files_in, write_copy
from grader.grading.session import Settings, check_configuration
from tests.classroom.conftest import small
from tests.course.deep import deep, verdicts
from tests.judged import grade_submission
from tests.submissions import PLAIN

__all__ = ["deep", "small"]


def test_everything_belongs_but_caches_and_what_a_dot_hides(small: Settings) -> None:
    for name in ("more/sub.yaml", "more/build/data.bin", ".git/x.yaml", "__pycache__/t.pyc", ".hidden.yaml"):
        (small.fixtures / name).parent.mkdir(parents=True, exist_ok=True)
        (small.fixtures / name).write_text("")
    names = [str(file.relative_to(small.fixtures)) for file in files_in(small.fixtures)]
    assert names == ["more/build/data.bin", "more/sub.yaml", "player.yaml", "terminal.yaml"]


def test_a_link_is_followed_and_a_circle_of_links_ends(small: Settings, tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "data.txt").write_text("1")
    (small.fixtures / "linked").symlink_to(tmp_path / "shared")
    (tmp_path / "shared" / "back").symlink_to(small.fixtures)
    assert set(all_in(small.fixtures)) == {"linked/data.txt", "player.yaml", "terminal.yaml"}


def test_no_folder_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such folder of fixtures"):
        files_in(tmp_path / "nowhere")


def test_a_course_that_is_too_large_is_a_sentence(small: Settings) -> None:
    (small.fixtures / "film.mp4").write_bytes(b"x" * 10_000_001)
    with pytest.raises(UserError, match="has more than 10 MB: leave files out"):
        whole(small.rubric_file, small.fixtures)


def test_a_course_asks_the_same_where_it_lies_and_where_it_is_taken(deep: Settings, tmp_path: Path) -> None:
    (tmp_path / "alice.py").write_text(PLAIN)
    here = grade_submission(tmp_path / "alice.py", deep)
    assert verdicts(here) == {
        "player/start": "passed",
        "player/late": "passed",
        "player/in-a-subfolder": "passed",
        "player/in-a-folder-of-any-name": "passed",
        "player/test_reads_its_data": "passed",
        "terminal/start": "passed",
    }
    write(whole(deep.rubric_file, deep.fixtures), tmp_path / "taken")
    there = Settings(tmp_path / "taken" / "rubric.yaml", tmp_path / "taken" / "fixtures")
    assert verdicts(grade_submission(tmp_path / "alice.py", there)) == verdicts(here)


def test_a_copy_to_change_has_everything(deep: Settings, tmp_path: Path) -> None:
    write_copy(tmp_path / "mine", deep.rubric_file.read_text(), deep.fixtures)
    mine = Settings(tmp_path / "mine" / "rubric.yaml", tmp_path / "mine" / "fixtures")
    assert len(check_configuration(mine)) == len(check_configuration(deep)) == 6


def test_the_template_lies_beside_the_rubric(small: Settings, tmp_path: Path) -> None:
    (tmp_path / "given").mkdir()
    (tmp_path / "given" / "start.py").write_text("X = 1\n")
    own = small.rubric_file.with_name("own.yaml")
    own.write_text("extends: rubric.yaml\ntitle: Mine\ntemplate: ../given/start.py\n")
    files = whole(own, small.fixtures)
    write(files, tmp_path / "taken")
    loaded = rubric_files.load(tmp_path / "taken" / "rubric.yaml")
    assert (loaded.title, loaded.template, loaded.points) == ("Mine", "start.py", 10)
    assert files["start.py"] == b"X = 1\n"


def test_a_file_that_was_given_need_not_lie_among_the_fixtures(small: Settings, tmp_path: Path) -> None:
    (tmp_path / "given.txt").write_text("as it was\n")
    (small.fixtures / "beside.txt").write_text("beside\n")
    text = "criterion: terminal\ncases:\n  - id: same\n    check: files\n    unmodified: {a.txt: ../../given.txt, b.txt: beside.txt}\n"
    (small.fixtures / "given.yaml").write_text(text)
    write(whole(small.rubric_file, small.fixtures), tmp_path / "taken")
    (tmp_path / "given.txt").unlink()
    taken = tmp_path / "taken" / "fixtures" / "given.yaml"
    (case,) = cases.load(taken, rubric_files.load(small.rubric_file))
    assert case.question.unmodified == {"a.txt": digest(b"as it was\n"), "b.txt": digest(b"beside\n")}  # type: ignore[union-attr]


def test_a_test_of_another_course_may_have_the_same_name(deep: Settings, tmp_path: Path) -> None:
    (tmp_path / "alice.py").write_text(PLAIN)
    write(whole(deep.rubric_file, deep.fixtures), tmp_path / "other")
    (tmp_path / "other" / "fixtures" / "own" / "board.txt").write_text("X........")
    other = replace(deep, fixtures=tmp_path / "other" / "fixtures")
    grades = [grade_submission(tmp_path / "alice.py", settings) for settings in (deep, other)]
    assert [verdicts(grade)["player/test_reads_its_data"] for grade in grades] == ["passed", "failed"]


def test_what_is_run_may_be_run(tmp_path: Path) -> None:
    write({"a/run.sh": b"#!/bin/sh\n", "data": b""}, tmp_path)
    assert [(tmp_path / name).stat().st_mode & 0o777 for name in ("a/run.sh", "data")] == [0o755, 0o644]


def test_yaml_is_written_as_it_is_read(tmp_path: Path) -> None:
    same: list[object] = ["NO", "None", "08", "1.5", "-.5", "", "true", "~"]
    same += [8, 0.00001, 10.0, True, None, "a: b", "# no", "X.O\n...\n"]
    data = {"key": same, "again": [same, same]}
    (tmp_path / "file.yaml").write_bytes(strict_yaml.dump(data))
    found = strict_yaml.load(tmp_path / "file.yaml").data
    assert found == data and list(map(type, found["key"])) == list(map(type, same))
