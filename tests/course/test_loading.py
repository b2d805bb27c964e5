"""All that is wrong with a rubric and its fixtures is told at once, each with its file, line and fix."""

from pathlib import Path

import pytest

from grader.core.errors import UserError
from grader.course import loading

RUBRIC = """\
title: T
criteria:
  - id: player
    description: Whose turn it is
    points: 10
  - id: winner
    description: The winner
    points: 5
"""
PLAYER = "criterion: player\ncases:\n  - id: start\n    board: [..., ..., ...]\n    expect: X\n"
WINNER = "criterion: winner\ncases:\n  - id: row\n    board: [XXX, OO., ...]\n    expect: X\n"


def said(tmp_path: Path, rubric: str = RUBRIC, **fixtures: str) -> list[str]:
    """Return what the command says of a course, without the folder; nothing if it is right."""
    (tmp_path / "fixtures").mkdir()
    (tmp_path / "rubric.yaml").write_text(rubric)
    for name, text in {"player": PLAYER, "winner": WINNER, **fixtures}.items():
        (tmp_path / "fixtures" / f"{name}.yaml").write_text(text)
    try:
        loading.validated(tmp_path / "rubric.yaml", tmp_path / "fixtures")
    except UserError as error:
        return str(error).replace(f"{tmp_path}/", "").splitlines()
    return []


def told(tmp_path: Path, rubric: str = RUBRIC, **fixtures: str) -> list[str]:
    """Return the mistakes that are told, each in a line."""
    head, *lines = said(tmp_path, rubric, **fixtures)
    assert not lines or head == f"{len(lines)} mistakes to fix:"
    return lines or [head]


def test_a_course_without_a_mistake(tmp_path: Path) -> None:
    assert said(tmp_path) == []


def test_every_mistake_of_a_rubric_and_its_fixtures(tmp_path: Path) -> None:
    rubric = RUBRIC.replace("title", "titel").replace("points: 10", "ponits: 10") + (
        "limits: {dedline: 2, strikes: 0}\nhand_in: sometimes\nnotebooks: maybe\nlate: {per_day: much}\n"
    )
    player = PLAYER + (
        "  - id: start\n    board: [..., ..., ...]\n    wieght: 3\n"
        "  - id: other\n    check: guess\n"
        "  - id: Shout\n    boards: some\n"
        "  - id: many\n    board: [XXX, XXX, ...]\n"
        "  - id: wrong\n    board: [X.., ..., ...]\n    expect: X\n"
    )
    assert [line.partition(" (")[0] for line in told(tmp_path, rubric, player=player)] == [
        "rubric.yaml:1: unknown key 'titel', and the key 'title' is missing: did you mean 'title'?",
        "rubric.yaml:5: unknown key 'ponits', and the key 'points' is missing: did you mean 'points'?",
        "rubric.yaml:9: 'strikes': input should be greater than or equal to 1",
        "rubric.yaml:9: unknown key 'dedline': did you mean 'deadline'?",
        "rubric.yaml:10: 'hand_in': input should be 'not_asked' or 'note', or input should be a valid number",
        "rubric.yaml:11: 'notebooks': input should be true or false",
        "rubric.yaml:12: 'per_day': points, or a share as 10%",
        "fixtures/player.yaml:6: the id 'start' is given twice: give one of the cases another id",
        "fixtures/player.yaml:8: unknown key 'wieght': did you mean 'weight'?",
        "fixtures/player.yaml:9: unknown check 'guess': one of 'answer', 'reject', 'unchanged', 'play', "
        "'follow_through', 'search', 'declaration', 'parses', 'imports', 'style', 'files', 'readme', 'program'",
        "fixtures/player.yaml:11: 'id': input should be small letters and digits, with single _ or - between them",
        "fixtures/player.yaml:12: 'boards': input should be 'all', 'running' or 'finished'",
        "fixtures/player.yaml:14: the case 'many': X has 6 marks and O has 0: X starts and they alternate, "
        "so X has as many as O or one more",
        "fixtures/player.yaml:17: the case 'wrong': the right answer is 'O', not 'X'",
    ]


BROKEN = "criterion: player\ncases: [\n"
WRONG = WINNER.replace("expect: X", "expect: O")
NOT_X = "fixtures/winner.yaml:5: the case 'row': the right answer is 'X', not 'O'"
NO_NODE = "not valid YAML: did not find expected node content"
TWICE = "is given twice: leave one of them out"
DESIGN = "  - id: design\n    description: Design\n    points: 5\n"
NOTHING = RUBRIC.replace("points: 10", "points: 0").replace("points: 5", "points: 0")
NO_COPY = "beside this file, and it is no SHA-256"
SEVERAL = """\
criterion: winner
cases:
  - id: probed
    check: search
    boards:
      - [XXX, ..., ...]
      - [..., ..., ...]
  - id: given
    check: files
    unmodified:
      a.py: b.py
      c.py: d.py
"""


MISTAKES: dict[str, tuple[str, dict[str, str], list[str]]] = {
    "bad YAML in one of several": (
        RUBRIC,
        {"player": BROKEN, "winner": WRONG},
        [f"fixtures/player.yaml:2: {NO_NODE}", NOT_X],
    ),
    "several mistakes before bad YAML": (
        RUBRIC + "title: U\nbonus: [\n",
        {"winner": WRONG, "player": "criterion: a\ncriterion: b\ncases: [\n"},
        [
            f"rubric.yaml:9: the key 'title' {TWICE}",
            f"rubric.yaml:10: {NO_NODE}",
            f"fixtures/player.yaml:2: the key 'criterion' {TWICE}",
            f"fixtures/player.yaml:3: {NO_NODE}",
            NOT_X,
        ],
    ),
    "bad YAML in the rubric": (
        RUBRIC + "bonus: [\n",
        {"winner": WRONG},
        [f"rubric.yaml:9: {NO_NODE}", NOT_X],
    ),
    "a criterion without a case, beside a fixture that is wrong": (
        RUBRIC + DESIGN,
        {"winner": WRONG},
        [
            NOT_X,
            "rubric.yaml:9: the criterion 'design' has no case: add one to a fixture, or say 'by_hand: true'",
        ],
    ),
    "nobody knows whose cases a broken file holds": (
        RUBRIC + DESIGN,
        {"player": BROKEN},
        [f"fixtures/player.yaml:2: {NO_NODE}"],
    ),
    "a criterion that is misspelt": (
        RUBRIC,
        {"winner": WRONG.replace("winner", "wimmer")},
        [
            "fixtures/winner.yaml:1: unknown criterion 'wimmer': the rubric has player, winner; is winner meant?",
            NOT_X,
        ],
    ),
    "without an id in the rubric no criterion is called unknown": (
        RUBRIC.replace("id: player", "idd: player"),
        {"winner": WRONG},
        ["rubric.yaml:3: unknown key 'idd', and the key 'id' is missing: did you mean 'id'?", NOT_X],
    ),
    "given twice, and a file that is not there": (
        RUBRIC + "title: U\ntemplate: nowhere.py\nabout: *name\n",
        {"again": PLAYER},
        [
            f"rubric.yaml:9: the key 'title' {TWICE}",
            "rubric.yaml:11: aliases (*name) are not allowed: write it out",
            "fixtures/player.yaml:3: the criterion 'player' has two cases 'start': give one another id",
            "rubric.yaml:10: the template nowhere.py cannot be read: No such file or directory",
        ],
    ),
    "a criterion that is given twice": (
        RUBRIC.replace("id: winner", "id: player") + "scale_to: 0\n",
        {"winner": PLAYER.replace("start", "other")},
        [
            "rubric.yaml:6: the criterion 'player' is given twice: give one of them another id",
            "rubric.yaml:9: 'scale_to': input should be greater than 0",
        ],
    ),
    "points and weights that do not fit": (
        NOTHING + "colour: red\n",
        {"winner": WINNER + "    weight: -1\n  - id: b\n    boards: all\n    weight: heavy\n"},
        [
            "rubric.yaml:2: the criteria are worth nothing together: give at least one of them points",
            "rubric.yaml:9: unknown key 'colour'",
            "fixtures/winner.yaml:6: 'weight': input should be greater than or equal to 0",
            "fixtures/winner.yaml:9: 'weight': input should be a valid number",
        ],
    ),
    "weights of nothing": (
        RUBRIC,
        {"player": PLAYER + "    weight: 0\n", "winner": WINNER + "    weight: 0\n"},
        [
            f"rubric.yaml:{line}: the criterion '{name}' has cases of weight 0 alone, so nobody can earn its "
            "points: give one a weight, or say 'by_hand: true'"
            for line, name in ((3, "player"), (6, "winner"))
        ],
    ),
    "several boards and files of one case": (
        RUBRIC,
        {"winner": SEVERAL},
        [
            "fixtures/winner.yaml:6: the case 'probed': X has 3 marks and O has 0: X starts and they alternate, "
            "so X has as many as O or one more",
            "fixtures/winner.yaml:7: the case 'probed': ... / ... / ...: a search is probed from running boards "
            "with 5 or 6 empty cells",
            f"fixtures/winner.yaml:11: the case 'given': there is no copy b.py {NO_COPY}",
            f"fixtures/winner.yaml:12: the case 'given': there is no copy d.py {NO_COPY}",
        ],
    ),
    "wrong types and missing keys": (
        "criteria: player\nbonus:\n  - nothing\n",
        {"player": "cases: 3\n"},
        [
            "rubric.yaml:1: 'criteria': input should be a list, as [one, two]",
            "rubric.yaml:1: the key 'title' is missing",
            "rubric.yaml:3: expected keys and values",
            "fixtures/player.yaml:1: 'cases': input should be a list, as [one, two]",
            "fixtures/player.yaml:1: the key 'criterion' is missing",
        ],
    ),
}


@pytest.mark.parametrize(("rubric", "fixtures", "lines"), MISTAKES.values(), ids=MISTAKES)
def test_mistakes_of_many_kinds(
    tmp_path: Path, rubric: str, fixtures: dict[str, str], lines: list[str]
) -> None:
    assert [line.partition(" (there are")[0] for line in told(tmp_path, rubric, **fixtures)] == lines


def test_a_folder_of_fixtures_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "rubric.yaml").write_text(RUBRIC + "scale_to: 0\n")
    with pytest.raises(UserError) as caught:
        loading.validated(tmp_path / "rubric.yaml", tmp_path / "nowhere")
    assert str(caught.value).replace(f"{tmp_path}/", "").splitlines()[1:] == [
        "rubric.yaml:9: 'scale_to': input should be greater than 0",
        "nowhere: no such folder of fixtures",
    ]


def test_a_file_full_of_mistakes_is_told_in_a_hundred_lines(tmp_path: Path) -> None:
    cases = "".join(f"  - id: case-{number}\n    boards: some\n" for number in range(250))
    lines = said(tmp_path, player="criterion: player\ncases:\n" + cases)
    assert (lines[0], len(lines), lines[-1]) == ("250 mistakes to fix:", 102, "and 150 more")


def test_mistakes_of_a_rubric_and_of_what_it_builds_on(tmp_path: Path) -> None:
    """Given several mistakes in both files: each names its own."""
    (tmp_path / "base.yaml").write_text(RUBRIC.replace("points: 5", "points: -5"))
    own = "extends: base.yaml\ncolour: red\ncriteria:\n  - id: plaier\n    points: 3\n" + (
        "  - id: winner\n    description: a\n  - id: winner\n    description: b\n"
    )
    assert [line.partition(" (")[0] for line in told(tmp_path, own)] == [
        "rubric.yaml:2: unknown key 'colour'",
        "rubric.yaml:4: there is no 'plaier' to change: is player meant?",
        "rubric.yaml:8: the id 'winner' is given twice: give it once",
        "base.yaml:8: 'points': input should be greater than or equal to 0",
    ]
