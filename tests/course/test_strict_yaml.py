from pathlib import Path

import pytest

from grader.core.errors import UserError
from grader.core.values import Written
from grader.course import strict_yaml
from grader.course.strict_yaml import validated


def load(tmp_path: Path, text: str | bytes) -> strict_yaml.Document:
    file = tmp_path / "x.yaml"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return strict_yaml.load(file)


def test_words_stay_words(tmp_path: Path) -> None:
    document = load(tmp_path, "a: NO\nb: on\nc: O\nd: yes\ne: 1e3\nf: 2026-01-01\ng: 0x10\nh: 12:30\n")
    assert set(map(type, document.data.values())) == {str}


def test_numbers_truth_and_nothing(tmp_path: Path) -> None:
    document = load(tmp_path, "[1, -2, 1.5, .5, true, False, null, None, ~, '1', \"true\"]")
    assert document.data == [1, -2, 1.5, 0.5, True, False, None, None, None, "1", "true"]


def test_lines_are_kept(tmp_path: Path) -> None:
    document = load(tmp_path, "a: 1\nb:\n  - c: 2\n  - d:\n      e: 3\n")
    assert document.line(("a",)) == 1
    assert document.line(("b", 0, "c")) == 3
    assert document.line(("b", 1, "d", "e")) == 5
    assert document.line(("b", 1, "d", "missing")) == 4


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        ("a: 1\na: 2\n", 2, "the key 'a' is given twice"),
        ("a: [1, 2\nb: 3\n", 2, "not valid YAML"),
        ("a: &x [1]\nb: *x\n", 2, "aliases"),
        ("a: &a [x, x]\nb: &b [*a, x]\nc: [x, x]\n", 2, "aliases"),
        ("a: !!python/object:os.system x\n", 1, "tags"),
        ("a: !custom {b: 1}\n", 1, "tags"),
        ("? [1, 2]\n: 3\n", 1, "a key must be a word"),
        ("", 1, "is empty"),
        ("# only a comment\n", 1, "is empty"),
        (b"a: 1\nb: \xff\n", 2, "not UTF-8"),
        ("a: 1\n\tb: 2\n", 2, "not valid YAML"),
        ("a: \x00\n", None, "not valid YAML"),
    ],
)
def test_mistakes_are_named_with_their_line(
    tmp_path: Path, text: str | bytes, line: int | None, sentence: str
) -> None:
    with pytest.raises(UserError, match=sentence) as caught:
        load(tmp_path, text)
    assert caught.value.line == line
    assert caught.value.file == tmp_path / "x.yaml"


@pytest.mark.parametrize("text", ["[" * 100_000, "{a: " * 5_000, "- " * 20_000 + "x"])
def test_deep_nesting_is_an_error_and_not_a_crash(tmp_path: Path, text: str) -> None:
    with pytest.raises(UserError):
        load(tmp_path, text)


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="larger than"):
        load(tmp_path, "a: " + "x" * 1_000_001)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read: No such file"):
        strict_yaml.load(tmp_path / "nowhere.yaml")


class Inner(Written):
    points: int


class Outer(Written):
    items: list[Inner]


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        (
            "items:\n  - points: 1\n  - pionts: 2\n",
            3,
            "unknown key 'pionts', and the key 'points' is missing: did you mean 'points'",
        ),
        ("items:\n  - points: 1\n    extra: 2\n", 3, r"unknown key 'extra' \(there are points\)"),
        ("items:\n  - points: many\n", 2, "'points': input should be a valid integer"),
        ("items:\n  - 5\n", 2, "expected keys and values"),
        ("- 1\n", 1, "expected keys and values"),
    ],
)
def test_what_does_not_fit_is_named_with_its_line(
    tmp_path: Path, text: str, line: int, sentence: str
) -> None:
    with pytest.raises(UserError, match=sentence) as caught:
        validated(load(tmp_path, text), Outer)
    assert caught.value.line == line


def test_a_mistake_at_the_end_names_the_last_line_there_is(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text("cases:\n  - id: x\n    expect X\n")
    with pytest.raises(UserError, match=r"a\.yaml:3: not valid YAML: could not find expected ':'"):
        strict_yaml.load(file)
