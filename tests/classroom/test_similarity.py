"""Files that are alike: which pairs are listed, whatever was done to a copy, and what an instructor is told."""

import ast
import json
import random
import re
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest

from grader.classroom import records, similarity
from grader.classroom.class_summary import render
from grader.classroom.records import Alike, AlikePair, ClassResult, ClassState, Source
from grader.classroom.similarity import alike, one_in, title, words, words_on
from grader.core.course.rubric import Rubric
from grader.core.game.oracle import FUNCTIONS
from grader.course import rubric_files
from grader.grading.session import Settings
from grader.report.wording import as_text
from tests.classroom.conftest import Classroom, write_all
from tests.classroom.lines import record
from tests.submissions import CORRECT
from tests.submissions.files import file_of

FILE = CORRECT["alpha_beta"]
OTHERS = [CORRECT[name] for name in ("string_boards", "class_based", "random_ties")]
"""Files with the same rules, and a search of their own each."""


def found_in(texts: dict[str, str], *given: str, beyond_template: bool = False) -> Alike:
    sources = {key: Source(name="tictactoe.py", text=text) for key, text in texts.items()}
    return alike(sources, given, lambda done, total: None, beyond_template=beyond_template)


def keys_in(texts: dict[str, str], *given: str) -> list[tuple[str, str]]:
    return [pair.keys for pair in found_in(texts, *given).pairs]


def stranger(seed: int) -> str:
    """Return a file that is like no other: functions of random statements."""
    dice = random.Random(seed)
    operators, values = (
        ("+", "-", "*", "//", "%", "<", "==", "!=", "and", "or"),
        ("a", "b[0]", "len(c)", "7", "max(d)", "9"),
    )

    def sum_of(parts: int) -> str:
        return f" {dice.choice(operators)} ".join(dice.choice(values) for _ in range(parts))

    lines = []
    for number in range(5):
        lines += [
            f"def f{number}(a, b, c, d):",
            *(f"    x = {sum_of(dice.randint(2, 6))}" for _ in range(10)),
        ]
    return "\n".join([*lines, ""])


def renamed(text: str) -> str:
    """Return a file in which every name is another one but for those of the assignment."""
    tree = ast.parse(text)
    chosen = {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    chosen |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    chosen |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)} - set(FUNCTIONS)
    for name in chosen - {"X", "O", "EMPTY"}:
        text = re.sub(rf"\b{name}\b", f"my_{name}", text)
    return text


def reordered(text: str) -> str:
    head, *functions = re.split(r"^(?=def )", text, flags=re.MULTILINE)
    return "".join([head, *reversed(functions)])


def recommented(text: str) -> str:
    """Return a file with a docstring of one line in each function, and comments everywhere."""
    without = re.sub(r'^ *""".*?"""\n', "", text, flags=re.MULTILINE | re.DOTALL)
    told = re.sub(r"^(def .*:)$", r'\1\n    "I wrote this."', without, flags=re.MULTILINE)
    return "".join(f"{line}  # all mine\n" for line in told.splitlines())


def reformatted(text: str) -> str:
    """Return a file as another formatter would write it: blanks, quotes, parentheses, lines, commas."""
    text = ast.unparse(ast.parse(text)).replace("    ", "  ").replace("'", '"')
    text = re.sub(r"\b(if|while) (.*):$", r"\1 (\n  \2\n ):", text, flags=re.MULTILINE)
    return re.sub(r"return ([^\n]+)$", r"return (\1);", text, flags=re.MULTILINE)


@pytest.mark.parametrize("change", [renamed, reordered, recommented, reformatted])
def test_a_copy_is_found_whatever_was_done_to_it(change: Callable[[str], str]) -> None:
    copy = change(FILE)
    ast.parse(copy)
    texts = {"ada": FILE, "bob": copy, "eve": stranger(1), **dict(zip("xyz", OTHERS, strict=True))}
    (pair,) = found_in(texts).pairs
    assert copy != FILE and pair.keys == ("ada", "bob") and min(pair.shares) > 0.97


def test_a_copy_is_found_after_all_of_that() -> None:
    copy = reordered(reformatted(recommented(renamed(FILE))))
    (pair,) = found_in({"ada": FILE, "bob": copy, "eve": OTHERS[0]}).pairs
    assert pair.keys == ("ada", "bob") and min(pair.shares) > 0.95


def test_a_copy_is_found_in_a_longer_file() -> None:
    (pair,) = found_in({"ada": stranger(1), "bob": f"{stranger(1)}\n{stranger(2)}"}).pairs
    assert pair.shares[0] == 1 and 0.4 < pair.shares[1] < 0.6


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize(
    ("having", "students", "is_given"), [(10, 30, True), (9, 27, False), (10, 31, False), (12, 36, True)]
)
def test_what_ten_files_and_a_third_of_the_class_have_counts_as_given(
    having: int, students: int, is_given: bool
) -> None:
    """Given as much code of one's own as all of them have in common: half of each file is in the others."""
    texts = {
        str(number): stranger(number) + (stranger(999) if number < having else "")
        for number in range(students)
    }
    sources = {key: similarity.pieces_of([("tictactoe.py", text)]) for key, text in texts.items()}
    own = similarity.own_code(sources, similarity.common(sources.values()))
    shares = similarity.shares_of(own["0"], own["1"])
    assert shares == (0, 0) if is_given else min(shares) > 0.4


@pytest.mark.exhaustive
def test_a_ring_of_six_among_120_is_found() -> None:
    """Given a class in which everybody has one half of the file in common."""
    texts = {
        f"{number:03}": f"{stranger(999)}\n{stranger(7 if number < 6 else 100 + number)}"
        for number in range(120)
    }
    assert sorted(keys_in(texts)) == list(combinations(("000", "001", "002", "003", "004", "005"), 2))


def test_a_file_with_little_of_its_own_is_not_compared() -> None:
    stub = "def player(board):\n    return X if sum(row.count(X) for row in board) <= 3 else O\n"
    found = found_in({"ada": stub, "bob": stub, "eve": stranger(1)})
    assert (found.pairs, found.files, found.too_short) == ((), 1, 2)


def test_what_was_given_is_left_out() -> None:
    assert keys_in({"ada": FILE, "bob": FILE}) == [("ada", "bob")]
    assert keys_in({"ada": FILE, "bob": FILE}, FILE) == []


@pytest.mark.parametrize(
    ("likeness", "pairs"),
    [(1.0, 5_148), (0.85, 5_148), (0.849, 2_059), (0.8399, 1_716), (0.5, 89), (0.49, 1)],
)
def test_how_unusual_a_likeness_is(likeness: float, pairs: int) -> None:
    assert one_in(likeness) == pairs


def test_the_more_alike_the_rarer() -> None:
    rare = [one_in(percent / 100) for percent in range(101)]
    assert rare == sorted(rare)


@pytest.fixture
def loaded(small: Settings) -> Rubric:
    return rubric_files.load(small.rubric_file)


PAIR = AlikePair(keys=("a", "b"), shares=(0.9, 0.84), one_in=5_148)
NONE = "No two files are strikingly alike. A pair is listed if fewer than 1 in 2,000 pairs"
EXPECTED = "rarer than 1 in 2,000. Of 7,140 such pairs, as many as this class has, about 3 would be listed."
MORE = "than 1 in 2,000, and not listed."


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (Alike(files=120, pairs=(PAIR,)), EXPECTED),
        (Alike(files=120, pairs=(PAIR,)), "at least 10 files and a third of the class"),
        (Alike(files=30, pairs=(PAIR,)), "as a rule none would be listed"),
        (Alike(files=3), NONE),
        (Alike(files=120, pairs=(PAIR,), left_out=1), f"1 more pair is rarer {MORE}"),
        (Alike(files=120, pairs=(PAIR,), left_out=1_200), f"1,200 more pairs are rarer {MORE}"),
        (Alike(files=3, pairs=(PAIR,), too_short=1), "1 file could not be compared"),
        (Alike(files=3, pairs=(PAIR,), too_short=2), "2 files could not be compared"),
        (
            Alike(files=3, pairs=(PAIR,), beyond_template=True),
            "the assignment's own code, the template, and whatever",
        ),
    ],
)
def test_the_words_say_what_the_figures_mean(found: Alike, said: str, loaded: Rubric) -> None:
    sentences = words(found, loaded)
    assert said in " ".join(sentences)
    assert any("no proof of anything" in sentence for sentence in sentences) == bool(found.pairs)
    assert (len(sentences) == 1) == (not found.pairs)
    assert found.beyond_template == ("beyond the template" in title(found))
    counted = found.left_out or found.too_short or found.beyond_template or not found.pairs
    assert counted or not re.search(
        "template|not listed|compared|program is|hint|No two", " ".join(sentences)
    )


def test_the_words_on_a_pair(loaded: Rubric, small: Settings) -> None:
    first, caution = words_on(PAIR, loaded)
    assert first.endswith("about 1 in 5,100 is at least as alike.") and "no proof of anything" in caution
    small.rubric_file.write_text("extends: cpsc352\n")
    found = words(Alike(files=3, pairs=(PAIR,)), rubric_files.load(small.rubric_file))
    assert "for whole programs it is no more than a hint" in found[-1]


def test_the_list_is_cut_at_fifty_pairs() -> None:
    """Given twelve copies, which are fewer than a third of the class."""
    found = found_in({str(number): stranger(max(11, number)) for number in range(40)})
    assert (len(found.pairs), found.left_out) == (50, 12 * 11 // 2 - 50)


def test_no_name_is_markup(loaded: Rubric, tmp_path: Path) -> None:
    """Given two files that are alike: names in brackets were read as colours, or ended in a traceback."""
    both = record("a", "[/x]", "a.py", "not_graded"), record("b", "[red]b", "b.py", "not_graded")
    kept = ClassState(rubric=loaded, keys=(), alike=Alike(files=2, pairs=(PAIR,)))
    assert "  [/x]  [red]b  90%  84%  1 in 5,100" in as_text(render(ClassResult(kept, tmp_path, both)))


def test_a_class_that_an_older_version_compared_can_be_opened(loaded: Rubric, tmp_path: Path) -> None:
    records.save_class(tmp_path, ClassState(rubric=loaded, keys=("a", "b")))
    file = tmp_path / records.STATE
    old = json.loads(file.read_text()) | {"pairs": [{"keys": ["a", "b"], "shares": [0.7, 0.6]}]}
    del old["alike"]
    file.write_text(json.dumps(old))
    assert records.load_class(tmp_path).alike is None


@pytest.fixture
def compare(room: Classroom) -> Callable[..., str]:
    """Give a function that grades files as a class, and returns what it printed."""

    def compare(files: dict[str, str], *more: str | Path) -> str:
        room.grade(write_all(room.folder / "class", files), "--similarity", *more)
        return room.printed

    return compare


def test_notebooks_and_helpers_are_compared_and_shown(
    compare: Callable[..., str], small: Settings, tmp_path: Path
) -> None:
    """Given one solution as a file, as a notebook, and behind a file that only imports it."""
    small.rubric_file.write_text(f"{small.rubric_file.read_text()}notebooks: true\n")
    cells = [
        {"cell_type": "code", "source": part} for part in re.split(r"^(?=def )", FILE, flags=re.MULTILINE)
    ]
    printed = compare(
        {
            "ada/tictactoe.py": FILE,
            "bob/answer.ipynb": json.dumps({"cells": cells, "nbformat": 4}),
            "eve/tictactoe.py": "from engine import *\n",
            "eve/engine.py": FILE,
            "zoe/tictactoe.py": OTHERS[0],
        }
    )
    listed = [line.split()[:2] for line in printed.splitlines() if "1 in 5,100" in line]
    assert listed == [["ada", "bob"], ["ada", "eve"], ["bob", "eve"]]
    page = (tmp_path / "out" / "pairs" / "bob--eve.html").read_text()
    assert "<h3>engine.py</h3>" in page and page.count("max_value") == 2 * FILE.count("max_value")
    assert "no proof of anything" in page and "about 1 in 5,100 is at least as alike" in page
    index = (tmp_path / "out" / "index.html").read_text()
    assert "ada and bob</a>" in index and "1 in 5,100" in index and "the template" not in index


def test_a_notebook_that_was_not_graded_is_not_compared(compare: Callable[..., str]) -> None:
    book = json.dumps({"cells": [{"cell_type": "code", "source": FILE}], "nbformat": 4})
    said = compare({"ada/a.ipynb": book, "bob/a.ipynb": book})
    assert "No two files are strikingly alike." in said
    assert "2 files could not be compared: only what is graded is." in said


def test_files_that_are_alike_only_in_the_template_are_not_listed(
    compare: Callable[..., str], tmp_path: Path
) -> None:
    """Given a template as a file, and the same as a notebook."""
    files = {"ada.py": FILE, "bob.py": renamed(FILE)}
    assert "Files that are alike\n" in (printed := compare(files)) and "ada  bob  100%  100%" in printed
    assert (tmp_path / "out" / "pairs" / "ada--bob.html").is_file()
    printed = compare(files, "--template", file_of("alpha_beta"))
    assert not list((tmp_path / "out" / "pairs").iterdir())
    assert "beyond the template\n  No two files are strikingly alike." in printed
    book = tmp_path / "template.ipynb"
    book.write_text(json.dumps({"cells": [{"cell_type": "code", "source": FILE}], "nbformat": 4}))
    assert "No two files are strikingly alike." in compare(files, "--template", book)
