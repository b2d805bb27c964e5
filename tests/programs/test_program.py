"""What a person decides: commands and answers; and what a machine has not."""

import os
import re
from pathlib import Path

import pytest

from grader.core.course.course import ProgramQuestion as Question
from grader.core.course.rubric import HowToRun, Limits
from grader.core.course.submission import Handed
from grader.core.errors import NotGradable
from grader.core.grade import Status
from grader.programs import built
from grader.programs.check import Played, check_program
from grader.programs.program import Program
from grader.programs.series import Series
from grader.programs.terminal import Turn
from grader.programs.wall import find
from tests.programs.catalog import text_of
from tests.programs.conftest import Opens
from tests.programs.talkers.manners import BARS, handed_in, question
from tests.programs.test_languages import folder

LIMITS = Limits(load=60, deadline=20, total=60)
WORD = """
word = input("Say the word: ")
if word != "please":
    raise SystemExit("wrong")
"""
ASKS = WORD + text_of("as_assigned")

READS_THE_FIRST = """
rest = []

def read(prompt=""):
    if rest:
        print(prompt)
        return rest.pop()
    first, *others = input(prompt + "- not like 1,2 - ").split(",")
    rest.extend(f"?{number}" for number in others)
    return first
"""


@pytest.mark.exhaustive
def test_answers_of_a_person_come_first() -> None:
    program = Program(folder(ttt__py=ASKS), LIMITS, HowToRun(answers=("please",)))
    assert program.discover() == ""
    assert [answer for _, answer in program.play().manner.answered] == ["please"]


def test_answers_may_lie_beside_the_program() -> None:
    program = Program(folder(ttt__py=ASKS, answers__txt="please\n"), LIMITS, HowToRun(answers=("no",)))
    assert program.discover() == ""


@pytest.mark.exhaustive
@pytest.mark.parametrize(("asks", "answers"), [("", "O\n"), (WORD, "please\nO\n"), (WORD, "please\nx\n")])
def test_answers_beside_a_program_hide_no_choice(asks: str, answers: str) -> None:
    """Given a program that loses when the user takes X, and a student's own file that takes a mark."""
    files = folder(game__py=asks + text_of("loses_as_second_player"), answers__txt=answers)
    program = Program(files, LIMITS, HowToRun())
    assert program.discover() == "" and program.play().games
    for must in ("be_optimal", "never_lose"):
        found = check_program(Question(id="q", check="program", must=must), program)
        assert found.status is Status.FAILED and found.reason.count("With ") == 2, found.reason


@pytest.mark.exhaustive
def test_answers_in_the_rubric_are_the_choice() -> None:
    program = Program(folder(game__py=text_of("loses_as_second_player")), LIMITS, HowToRun(answers=("O",)))
    found = check_program(Question(id="q", check="program", must="never_lose"), program)
    assert found.status is Status.PASSED and program.play_other_choice() is None


@pytest.mark.exhaustive
def test_without_the_answer_it_is_told_what_was_asked() -> None:
    program = Program(folder(ttt__py=ASKS), LIMITS, HowToRun())
    with pytest.raises(NotGradable, match="Say the word"):
        assert program.discover()


def test_an_answer_to_who_starts_is_held_against_who_does() -> None:
    """Given a question whose yes lets the computer begin, although its words say otherwise: it begins."""
    game = text_of("asks_mark_and_who_starts")
    turned = re.sub("(?<='first': )'(you|me)'", lambda side: {"you": "'me'", "me": "'you'"}[side[1]], game)
    program = Program(folder(game__py=turned), LIMITS, HowToRun())
    assert turned != game and program.discover() == ""
    manner = program.manner
    assert [answer for _, answer in manner.answered][-1] == "yes"
    assert manner.other and [answer for _, answer in manner.other.answered][-1] == "no"


@pytest.mark.exhaustive
def test_squares_that_were_typed_wrongly_are_typed_otherwise() -> None:
    """Given a program that takes the first of two numbers as its square: the first row looks right by accident."""
    game = text_of("as_assigned").replace(" (1-9)", "").replace("input(", "read(")
    limits = Limits(load=60, deadline=20, total=800)
    program = Program(folder(ttt__py=READS_THE_FIRST + game), limits, HowToRun())
    assert "comma" in program.manner.scheme.name
    assert program.play().manner.scheme.name == "1-9" and not program.play().faults


def test_a_missing_compiler_is_no_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(built, "find", lambda tool: None)
    program = Program(folder(Main__java="public static void main(String[] a) {}"), LIMITS, HowToRun())
    with pytest.raises(
        NotGradable, match="not gradable here: not installed on this machine: javac and java; install that"
    ):
        assert program.discover()


def test_a_program_that_crashes_at_once_fails_by_its_own_fault() -> None:
    program = Program(folder(ttt__py="print(1 / 0)\ninput()"), LIMITS, HowToRun())
    assert "ZeroDivisionError" in program.discover()


@pytest.mark.exhaustive
def test_what_one_game_does_to_the_folder_the_next_does_not_know() -> None:
    source = "import os\nos.unlink('ttt.py')\n" + text_of("as_assigned")
    program = Program(folder(ttt__py=source), LIMITS, HowToRun())
    assert program.discover() == "" and len(program.play().games) > 1


@pytest.mark.exhaustive
def test_who_leaves_in_the_middle_has_not_played() -> None:
    """Given a program that takes the first free square and leaves when it could lose, it earns nothing for that."""
    source = """
b = ["."] * 9
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
while "." in b:
    b[b.index(".")] = "X"
    for r in (0, 3, 6):
        print(*b[r:r + 3])
    if any(b[i] == b[j] == b[k] == "X" for i, j, k in LINES):
        print("I win")
        break
    b[int(input("Your move (1-9): ")) - 1] = "O"
    if any([b[i], b[j], b[k]].count("O") == 2 for i, j, k in LINES):
        print("Goodbye")
        break
"""
    program = Program(folder(ttt__py=source), LIMITS, HowToRun())
    statuses = {}
    for must in ("play", "never_lose", "end"):
        question = Question(id="q", check="program", must=must)
        statuses[must] = check_program(question, program).status
    assert set(statuses.values()) == {Status.FAILED}


def test_what_a_compiler_says_cannot_steer_a_terminal() -> None:
    if find("gcc") is None:
        pytest.skip("no gcc on this machine")
    program = Program(folder(t__c="#error x \x1b[2J Total 100\nint main(void) {}\n"), LIMITS, HowToRun())
    assert "does not build" in program.discover() and "\x1b" not in program.discover()


@pytest.mark.exhaustive
def test_nothing_is_left_of_what_was_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    program = Program(folder(ttt__py="input('Your move: ')"), LIMITS, HowToRun())
    with pytest.raises(NotGradable):
        assert program.discover()
    program.close()
    assert list(tmp_path.iterdir()) == []


def test_a_name_of_a_file_is_no_option_of_a_compiler() -> None:
    if find("gcc") is None:
        pytest.skip("no gcc on this machine")
    named = (Handed("-oabc.c", 30, b"int main(void) { return 0; }\n"),)
    program = Program(named, LIMITS, HowToRun())
    assert isinstance(program.build(), built.Built)


def test_holes_in_what_is_built_are_not_copied() -> None:
    """Given files that take no space on the disk, and gigabytes in every copy."""
    if find("make") is None:
        pytest.skip("no make on this machine")
    makefile = "all:\n\tfor i in 1 2 3; do truncate -s 190M f$$i; done\nrun:\n\t./program\n"
    files = (Handed("Makefile", len(makefile), makefile.encode()), Handed("t.c", 18, b"int main(void) {}\n"))
    program = Program(files, LIMITS, HowToRun())
    assert program.discover() == "It does not build:\nWhat is built takes more than 200 MB."


def test_space_that_no_file_shows_counts(opened: Opens) -> None:
    """Given files without a name that are written to, and folders with names so long that nobody can list them."""
    deep = opened(
        "import os\nfor _ in range(30):\n    os.mkdir('d' * 200); os.chdir('d' * 200)\nimport time; time.sleep(600)\n"
    )
    assert deep.wait(30) is Turn.TOO_LARGE
    mapped = opened(
        "import mmap, os, time\nkept = []\nwhile True:\n    f = os.open('f', os.O_CREAT | os.O_RDWR); os.unlink('f')\n"
        "    os.write(f, bytes(15_000_000)); kept.append(mmap.mmap(f, 4096)); os.close(f)\n"
    )
    if os.getuid() == 0:  # others may not look at what is mapped
        assert mapped.wait(30) is Turn.TOO_LARGE


@pytest.mark.exhaustive
def test_a_range_in_the_prompt_is_no_row_and_column() -> None:
    """Given squares from 0 to 8, asked for as [0, 8], and a user whose mark is the digit 0."""
    says = {"you": "You win!", "me": "I win!", "tie": "A draw!"}
    manner = {
        "typed": "0-8",
        "tokens": True,
        "you": "O",
        "marks": {"X": "X", "O": "0"},
        "board": BARS,
        "says": says,
    }
    program = Program(handed_in("", **manner, ask=["Enter your move [0, 8]: "]), LIMITS, HowToRun())
    assert program.discover() == "" and program.play().manner.scheme.name == "0-8"
    assert program.play().games and not program.play().faults


def test_every_level_is_played_before_one_is_chosen() -> None:
    """Given a level that is asked for without a word on which there are: the first one plays by chance."""
    says = {"you": "You win!", "me": "I win!", "tie": "A draw!"}
    level = question("Enter difficulty level: ", {"1": {"level": "random"}, "2": {}})
    manner = {"setup": [level], "typed": "1-9", "board": BARS, "says": says, "ask": ["Your move (1-9): "]}
    program = Program(handed_in("", **manner), LIMITS, HowToRun())
    assert program.discover() == "" and program.play().manner.answers[-1] == "2"


def test_where_no_game_comes_to_its_end_there_is_no_score(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given games of which nothing is seen, on a busy machine: not gradable, and no zero."""
    monkeypatch.setattr(Series, "_play_game", lambda self: None)
    program = Program(folder(ttt__py=text_of("as_assigned")), LIMITS, HowToRun())
    with pytest.raises(NotGradable, match="no game came to its end"):
        Played(program).prepare()


@pytest.mark.games(6)
def test_a_second_run_goes_on_where_the_first_one_ended(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Given time for six games in each run, the second one plays six others; another program starts anew."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    text = text_of("as_assigned")
    seen = []
    for source in (text, text, text + "\n"):
        program = Program(folder(ttt__py=source), LIMITS, HowToRun())
        assert program.discover() == ""
        seen.append((len(program.play().recalled), {game.path for game in program.play().games}))
        program.close()
    (none, first), (kept, second), (anew, _) = seen
    assert (none, kept, anew) == (0, len(first), 0) and len(first) >= 6
    assert not first & second


def test_a_package_that_one_answer_needs_is_named() -> None:
    """Given a program that needs it if the user takes O, and breaks in another way if the user takes X."""
    asks = "mark = input('X or O? ')\nif mark == 'O':\n    import colorfuldice\n\n{}['me']\n"
    program = Program(folder(game__py=asks), LIMITS, HowToRun())
    with pytest.raises(NotGradable, match="not gradable here: it needs colorfuldice, which is not installed"):
        assert program.discover() == ""
