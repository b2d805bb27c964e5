import pytest

from grader.core.course.submission import Handed
from grader.programs.check import notes_on


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("g.py", "# why\ndef f(a):\n    return a\n\n\ndef g():\n    x = 1\n    return x\n", ["6 lines", "2 functions", "`g` (g.py:6) with 3"]),
        ("g.c", "int f(int a) {\n  if (a) {\n    return 1;\n  }\n  return a;\n}\n", ["1 function", "`f` (g.c:1) with 6"]),
        ("G.java", "class G {\n  static int f() {\n    int q = 1;\n    return q;\n  }\n}\n", ["`f` (G.java:2) with 4", "one letter: q"]),
        ("g.go", "func f() int {\n\treturn 1\n}\n", ["`f` (g.go:1) with 3"]),
        ("g.rs", "fn f() -> i32 {\n    1\n}\n", ["`f` (g.rs:1) with 3"]),
        ("g.js", "function f() {\n  return 1;\n}\n", ["`f` (g.js:1) with 3"]),
    ],
)  # fmt: skip
def test_a_source_is_described_for_a_person(name: str, text: str, words: list[str]) -> None:
    (note,) = notes_on((Handed(name, len(text), text.encode()),))
    assert all(word in note for word in words), note


def test_lines_are_counted_as_compilers_do() -> None:
    text = "/* \x0c \u2028 */\r\nint f(int a) {\r\n  return a;\r\n}\r\n".encode()
    (note,) = notes_on((Handed("g.c", len(text), text),))
    assert "4 lines in 1 file" in note and "`f` (g.c:2) with 3 lines" in note


def test_nothing_is_said_of_nothing() -> None:
    assert notes_on(()) == []
