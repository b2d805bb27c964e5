from dataclasses import replace
from typing import Any

import pytest

from grader.core.checks.source import (
    check_declaration,
    check_imports,
    check_parses,
    check_style,
    given_code_notes,
    import_sentences,
    refuse_forbidden_imports,
)
from grader.core.checks.style import Stylist
from grader.core.course.course import Declaration, OnlyAllowedImports, Parses, Style, Template
from grader.core.course.rubric import Imports
from grader.core.errors import GraderFault
from grader.core.grade import Status
from grader.grading import linter
from grader.grading.linter import ruff
from tests.conftest import MakeClient, context_for
from tests.core.checks.conftest import RUBRIC
from tests.submissions import PLAIN


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("x = 1\n", "the file is Python"),
        ("x = 1\ndef f(:\n", "The file is not valid Python: invalid syntax (line 2)."),
        (
            "x = 1\ny = \u202e2\n",
            "The file is not valid Python: invalid non-printable character U+202E (line 2).",
        ),
    ],
)
def test_python_parses_and_other_text_does_not(context_of: Any, source: str, reason: str) -> None:
    outcome = check_parses(Parses(id="p"), context_of(source))
    assert (outcome.reason, outcome.status is Status.PASSED) == (reason, source == "x = 1\n")


@pytest.mark.parametrize("source", ["(" * 5_000 + ")" * 5_000, "-" * 200_000 + "1", "x" + ".y" * 100_000])
def test_a_source_that_breaks_the_parser_is_only_not_python(context_of: Any, source: str) -> None:
    assert check_parses(Parses(id="p"), context_of(source + "\n")).status in (Status.FAILED, Status.PASSED)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("def player(board):\n    return 'X'\n", None),
        ("X = 1\n", "The file defines no function `player`."),
        ("player = 'X'\n", "`player` is a variable (line 1); it must be a function."),
        ("player = lambda: 'X'\n", "`player` is a variable (line 1); it must be a function."),
        ("player = lambda board: 'X'\n", "`player` can be called as it has to be"),
        ("class G:\n    def f(self, board):\n        return 'X'\nplayer = G().f\n", "`player` can be called"),
        ("exec('def player(board):\\n    return 1')\n", "`player` can be called as it has to be"),
        ("def player(board, x=1):\n    return 'X'\n", "The declaration must stay as it was given (line 1)."),
        ("def player(b):\n    return 'X'\n", "The declaration must stay as it was given (line 1)."),
        ("def player():\n    return 'X'\n", "The declaration must stay as it was given (line 1)."),
        ("def player(*board):\n    return 'X'\n", "The declaration must stay as it was given (line 1)."),
        ("def player(board):\n    raise NotImplementedError\n", "`player` is still to be written (line 1)."),
        ("def player(board):\n    return 'X'\n1 / 0\n", "The file cannot be loaded: ZeroDivisionError"),
    ],
)
def test_declarations(context_of: Any, source: str, reason: str | None) -> None:
    outcome = check_declaration(Declaration(id="d", function="player"), context_of(source))
    assert outcome.reason == "declared as given" if reason is None else outcome.reason.startswith(reason)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import math, copy\nfrom functools import lru_cache\nimport os.path\n", []),
        ("import numpy\n", ["line 1 imports numpy"]),
        ("def f():\n    from pandas.core import x\n", ["line 2 imports pandas.core"]),
        ("__import__('torch')\n", ["line 1 imports torch"]),
        ("import importlib\nimportlib.import_module('scipy')\n", ["line 2 imports scipy"]),
        ("x = 'num' + 'py'\n__import__(x)\n", ["line 2 imports a module whose name is computed"]),
        ("from . import helper\n", []),  # Python itself says so when the file is loaded
        (
            "import math\nimport helpers\n",
            ["It imports `helpers` (line 2), which is not among the files that were handed in."],
        ),
        (
            "import numpy\nfrom engine.search import x\nimport rules\n",
            [
                "Only the standard library may be imported: line 1 imports numpy, and never uses it.",
                "It imports `engine.search` (line 2) and `rules` (line 3), which are not among the files",
            ],
        ),
    ],
)
def test_imports(context_of: Any, source: str, found: list[str]) -> None:
    outcome = check_imports(OnlyAllowedImports(id="i"), context_of(source))
    assert (outcome.status is Status.PASSED) == (not found)
    assert all(sentence in outcome.reason for sentence in found)


@pytest.mark.parametrize(
    ("literal", "told"),
    [
        (r"\x1b[2J\n\x9b1m", r"\x1b[2J\n\x9b1m"),
        (r"a\u202eb\u2028", r"a\u202eb\u2028"),
        (r"\udcff", r"\udcff"),
    ],
)
def test_what_an_import_names_is_text(context_of: Any, literal: str, told: str) -> None:
    outcome = check_imports(OnlyAllowedImports(id="i"), context_of(f'__import__("{literal}")\n'))
    assert outcome.reason == f"Only the standard library may be imported: line 1 imports {told}."
    assert outcome.findings is not None and outcome.findings[0].message == f"imports {told}"


def test_the_rubric_may_allow_a_module(context_of: Any) -> None:
    rubric = replace(RUBRIC, imports=Imports(allowed=("numpy",)))
    assert check_imports(OnlyAllowedImports(id="i"), context_of("import numpy.linalg\n", rubric)).share == 1


def test_a_forbidden_import_keeps_the_file_from_running(make_client: MakeClient) -> None:
    client = make_client("import numpy\n")
    refuse_forbidden_imports(client, RUBRIC)
    failure = client.load_failure()
    assert failure is not None
    assert (
        failure.why
        == "Only the standard library may be imported: line 1 imports numpy, and never uses it. The file was not run."
    )


@pytest.mark.parametrize(
    ("source", "rule", "line"),
    [
        ("import os\n", "F401", 1),
        ("def f(x):\n    return x == None\n", "E711", 2),
        ("def f(x):\n    y = 1\n    return x\n", "F841", 2),
        ("import os  # noqa\n", "F401", 1),
        ("def f(x):\n    return x\n", "D103", 1),
        ("x = 1\n" + "y = '" + "x" * 100 + "'\n", "E501", 2),
        ("def f():\n" + "    x = 1\n" * 45, "PLR0915", 1),
    ],
)
def test_style_findings_have_their_rule_and_line(context_of: Any, source: str, rule: str, line: int) -> None:
    outcome = check_style(Style(id="s", rules=(rule,)), context_of(source))
    assert outcome.status is Status.FAILED
    assert outcome.findings is not None
    assert [(finding.rule, finding.line) for finding in outcome.findings] == [(rule, line)]


@pytest.mark.parametrize(
    ("per", "findings", "share"),
    [
        ("finding", 1, 0.75),
        ("finding", 3, 0.25),
        ("finding", 4, 0.0),
        ("finding", 9, 0.0),
        ("kind", 1, 0.75),
        ("kind", 9, 0.75),
    ],
)
def test_a_finding_or_a_habit_costs_half_a_point(
    make_client: MakeClient, per: str, findings: int, share: float
) -> None:
    style: dict[str, Any] = {"points_per_finding": 0.5, "per": per}
    rubric = replace(RUBRIC, style=replace(RUBRIC.style, **style))
    source = "".join(f"import m{i}\n" for i in range(findings))
    outcome = check_style(Style(id="s", rules=("F401",)), context_for(make_client(source), rubric, worth=2.0))
    assert outcome.share == share
    assert outcome.findings is not None and len(outcome.findings) == findings


def test_two_habits_cost_twice_and_every_line_is_shown(context_of: Any) -> None:
    source = "import os\nimport re\nif re == None:\n    pass\nif re == None:\n    pass\n"
    outcome = check_style(Style(id="s", rules=("F401", "E711")), context_of(source, worth=2.0))
    assert outcome.share == 0.5
    assert outcome.reason == "3 places, 2 problems: each counted once."
    assert outcome.findings is not None and [finding.line for finding in outcome.findings] == [1, 3, 5]


def test_what_was_given_costs_nothing(make_client: MakeClient) -> None:
    """Given a file that leaves the given import unused, and another of its own."""
    client = make_client("import math\nimport os\n")
    question = Style(id="s", rules=("F401",))
    found = check_style(question, context_for(client, RUBRIC)).findings
    assert found is not None and [finding.line for finding in found] == [2]
    stylist = Stylist(client.submission.source, RUBRIC.style, Template("import os\n"), ruff)
    assert [finding.line for finding in stylist.findings(("F401",))] == [1]


@pytest.mark.parametrize("mark", ["\x0c", "\x0b", "\x1c", "\x85", "\u2028", "\u2029"])
def test_no_comment_hides_a_finding(mark: str) -> None:
    """Given a comment that `str.splitlines` takes for two lines: `import math` seemed to stand one further."""
    source = f"# a comment{mark}\nimport math\nimport os\n\nprint(math)\n"
    stylist = Stylist(source.encode(), RUBRIC.style, Template("import math\n"), ruff)
    assert [(finding.line, finding.rule) for finding in stylist.findings(("F401",))] == [(3, "F401")]


def test_a_linter_that_is_missing_is_the_graders_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linter, "_ruff_path", lambda: "/nowhere/ruff")
    stylist = Stylist(b"import os\n", RUBRIC.style, Template(""), ruff)
    with pytest.raises(GraderFault, match="ruff did not start"):
        stylist.findings(("F401",))


def test_tidy_code_keeps_its_points(context_of: Any) -> None:
    assert check_style(Style(id="s", rules=("F401", "E711", "D103")), context_of(PLAIN)).share == 1


@pytest.mark.parametrize(
    ("old", "new", "note"),
    [
        ("", "", None),
        ('X = "X"', 'X = "x"', "The constant X should be 'X', not 'x' (line 8)."),
        ("EMPTY = None", "EMPTY = ''", "The constant EMPTY should be None, not '' (line 10)."),
        ('O = "O"\n', "", "The constant O of the given file is missing or renamed."),
        ("def initial_state", "def other_state", "The given function `initial_state` no longer returns"),
    ],
)
def test_changed_given_code_is_noted(make_client: MakeClient, old: str, new: str, note: str | None) -> None:
    notes = given_code_notes(make_client(PLAIN.replace(old, new, 1)))
    assert any(note in text for text in notes) if note else notes == []


def test_modules_that_are_allowed_are_named_with_the_standard_library(context_of: Any) -> None:
    outline = context_of("import numpy\nimport pandas\n").client.outline()
    allowed = replace(RUBRIC, imports=Imports(allowed=("numpy",)))
    assert import_sentences(outline, allowed).startswith(
        "Only the standard library and numpy may be imported: line 2 imports pandas"
    )


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("exec('x = 1')\n", "`exec` (line 1)"),
        ("def f(text):\n    return eval(text)\n", "`eval` (line 2)"),
        ("import builtins\nbuiltins.exec('x = 1')\n", "`exec` (line 2)"),
        ("import marshal\nx = marshal.loads(b'N')\n", "the module marshal (line 1)"),
        ("import types\nf = types.FunctionType\n", "`FunctionType` (line 2)"),
        ("def f(eval):\n    return eval\n", None),
        ("def f():\n    eval = 3\n    compile = eval\n    return compile\n", None),
        ("import re\nx = 1\n", None),
    ],
)
def test_nobody_judges_the_style_of_code_that_does_not_stand_in_the_file(
    context_of: Any, source: str, what: str | None
) -> None:
    outcome = check_style(Style(id="s", check="style", rules=("F",)), context_of(source))
    assert (outcome.status is Status.SKIPPED) == (what is not None)
    if what:
        assert outcome.seen == 0 and f"{what} runs code that does not stand in the file" in outcome.reason


def test_functions_that_no_def_declares_are_one_note(context_of: Any) -> None:
    source = PLAIN.replace("def player(", "def whose(").replace("def winner(", "def who_won(")
    client = context_of(source + "player = whose\nwinner = who_won\n").client
    assert given_code_notes(client)[0] == (
        "Not declared by `def`, and graded all the same, for it can be called: `player` and `winner`."
    )
