"""Sentences in the language of the reader: the codes of languages, and what there is of them."""

import ast
import builtins
import re
from collections import defaultdict
from collections.abc import Iterator
from gettext import NullTranslations
from inspect import signature
from string import Formatter, ascii_letters

import pytest

from grader.core import messages
from grader.core.checks.reasons import SENTENCES, because
from grader.core.game.oracle import FUNCTIONS
from grader.core.grade import Grade
from grader.core.messages import ReadersLanguage, _, available, figure, in_language, ngettext
from grader.course.courses import ROOT
from tests.conftest import submission_of
from tests.judged import judged_inside
from tests.submissions.faults import FAULTS


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, "en"),
        ({"LANG": "pt_BR.UTF-8"}, "pt"),
        ({"LANG": "pt_BR.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "pt_BR.UTF-8", "LC_MESSAGES": "de"}, "de"),
        ({"LC_ALL": "", "LANG": "ar"}, "ar"),
        ({"LANG": "sr@latin"}, "en"),
        ({"LANG": "../../etc"}, "en"),
    ],
)
def test_the_command_speaks_as_the_locale_does(environment: dict[str, str], code: str) -> None:
    assert messages.of_locale(environment) == code


@pytest.mark.parametrize("code", ["", "xx", "PT", "pt_BR", "../pt"])
def test_an_unknown_language_is_refused_with_all_that_there_are(code: str) -> None:
    with pytest.raises(ValueError, match=f"there is no language '{code}': there are en, ar, de"):
        messages.known_code(code)
    with pytest.raises(LookupError, match="there are en, "), in_language(code):
        pass


def test_english_comes_first() -> None:
    assert available() == ("en", "ar", "de", "es", "fr", "pt")


class Pseudo(NullTranslations):
    """A language in which every letter of the English sentence is another one; parameters are in brackets.

    What Python says is quoted in others.
    """

    def gettext(self, message: str) -> str:
        parts = re.split("(`[^`]*`)", message)
        return "".join(part if part.startswith("`") else _strange(part) for part in parts)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)


def _strange(sentence: str) -> str:
    parts = []
    for text, name, spec, conversion in Formatter().parse(sentence):
        parts.append(text.replace("{", "{{").replace("}", "}}").translate(STRANGE))
        if name is not None:
            field = f"{{{name}{f'!{conversion}' if conversion else ''}{f':{spec}' if spec else ''}}}"
            parts.append(f"⟪{field}⟫" if name in SAID_BY_PYTHON else f"⟨{field}⟩")
    return "".join(parts)


STRANGE = {ord(letter): ord(letter) - ord("A") + ord("\uff21") for letter in ascii_letters}
SAID_BY_PYTHON = {"error", "raised", "text", "value", "shown"}
PSEUDO = ReadersLanguage("xx", figures={ord(","): "'", ord("."): "·"}, catalogue=Pseudo())


@pytest.fixture
def pseudo(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let there be one more language, `xx`."""
    known = messages.language
    monkeypatch.setattr(messages, "language", lambda code: PSEUDO if code == "xx" else known(code))


def without(pattern: str, text: str) -> str:
    """Return a text without what matches, from the inside outward."""
    while (fewer := re.sub(pattern, " ", text)) != text:
        text = fewer
    return text


def english_in(text: str) -> list[str]:
    """Return what is left of English in a text: several words outside of backquotes, or one of ours."""
    text = without("⟪[^⟪⟫]*⟫|`[^`]*`", text)
    own = re.findall("[A-Za-z]{2,}", without("⟨[^⟨⟩]*⟩", text))
    return [word for word in own if word not in NAMES] + re.findall(r"\b[a-z]{2,} [a-z]{2,}\b", text)


PLAYED = "asked wrong games won drawn lost boards"
LEFT = "lose waste taken no_move unseen missed"
FIGURES = "evaluated finished textbook_evaluated made textbook_made plain"
WHOLE = (
    f"total {PLAYED} {LEFT} {FIGURES} others follows suspects moves restored still function must seen first found over "
    "loses stopped how side opponent action better other typed what"
).split()
"""What sentences are given that take whatever there is."""

NAMES = {*FUNCTIONS, *dir(builtins), "board", "random"}
"""What is the same in every language."""


def given(value: object, names: str) -> dict[str, object]:
    return dict.fromkeys(names.split(), value)


SAMPLES = {
    "typical": {
        **given(3, f"{PLAYED} total count"),
        **given(1, f"{LEFT} seconds new kinds"),
        **given(7, FIGURES),
        **given(("winner",), "others follows suspects names"),
        **given(("a", "b"), "moves files faults ends signs results parts"),
        **given(("answers",), "restored still"),
        **{"function": "minimax", "must": "optimal", "seen": 1, "per": "kind", "most": 1.5, "without": 2},
        **{
            "first": because("cell-taken", action=(0, 1)),
            "found": because("right"),
            "also": because("right"),
        },
        **{"x": 2, "o": 1, "over": True, "loses": True, "line": "the top row", "worth": "loses"},
    },
    "extreme": {
        **given(1_234_567, f"{PLAYED} count"),
        **given(0, f"{LEFT} seconds {FIGURES}"),
        **given(tuple(FUNCTIONS), "others follows suspects names"),
        **given((), "moves files faults ends signs results parts"),
        **{"restored": ("answers", "board"), "still": ("refusals", "end")},
        **{"function": "minimax", "must": "end", "seen": 0.5, "per": "kind", "most": 1e9, "without": 0},
        **{"first": "{}", "found": "{0}", "also": "%s", "total": 1_234_568, "new": 9, "kinds": 1},
        **{"x": 5, "o": 4, "over": False, "loses": False, "line": "the anti-diagonal", "worth": "draws"},
    },
}


@pytest.mark.parametrize("language", [*available(), "xx"])
@pytest.mark.parametrize("size", SAMPLES)
@pytest.mark.usefixtures("pseudo")
def test_every_code_has_a_sentence_with_all_of_its_parameters(size: str, language: str) -> None:
    for code, sentence in SENTENCES.items():
        values = defaultdict(lambda: "⟨?⟩" if size == "typical" else "0", SAMPLES[size])
        if isinstance(sentence, str):
            wanted = [part[1] for part in Formatter().parse(sentence) if part[1]]
        else:
            parameters = signature(sentence).parameters.values()
            wanted = [known.name for known in parameters if known.kind is not known.VAR_KEYWORD] or WHOLE
        with in_language(language):
            text = str(because(code, **{name: values[name] for name in wanted}))
        assert "  " not in text, code
        assert language != "xx" or not english_in(text), (code, text)


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize("name", list(FAULTS)[::15])
@pytest.mark.usefixtures("pseudo")
def test_a_grade_in_another_language_is_the_same_and_has_no_english(name: str) -> None:
    found = submission_of(FAULTS[name].source)
    english = judged_inside(found)
    with in_language("xx"):
        grade = judged_inside(found)
    assert grade.language == "xx"
    assert numbers(grade) == numbers(english)
    assert [word for text in texts_of(grade) for word in english_in(text)] == []


def numbers(grade: Grade) -> list[object]:
    """Return what is the same in every language."""
    return [
        (grade.total, grade.policy, grade.tally, [mistake.name for mistake in grade.mistakes]),
        *(
            (
                criterion.id,
                criterion.score,
                case.id,
                case.status,
                case.code,
                case.board,
                case.asked,
                case.right,
            )
            for criterion in grade.criteria
            for case in criterion.verdicts
        ),
    ]


def texts_of(grade: Grade) -> Iterator[str]:
    """Yield every text of a grade that the grader wrote."""
    yield from (verdict.reason for criterion in grade.criteria for verdict in criterion.verdicts)
    for mistake in grade.mistakes:
        yield from (mistake.title, mistake.sentence, mistake.hint)
    yield from (*grade.notes, *grade.for_instructors, *grade.for_a_person, *grade.instead.values())
    yield from (deduction.reason for deduction in grade.deductions)
    if grade.does_not_run:
        yield grade.does_not_run.sentence


@pytest.mark.usefixtures("pseudo")
def test_numbers_are_written_as_the_language_has_them() -> None:
    with in_language("xx"):
        text = _("{count:,} + {share:.1f} + {name}", count=4_520, share=1.5, name="1,000.5")
        assert text == "⟨4'520⟩ + ⟨1·5⟩ + ⟨1,000.5⟩"
        assert ngettext("{count:,} file", "{count:,} files", 1_000).startswith("⟨1'000⟩")
        assert figure("1,000.5") == "1'000·5"
    assert _("{count:,} files", count=4_520) == "4,520 files"


def test_a_sentence_that_is_missing_is_in_english() -> None:
    with in_language("pt"):
        assert _("A sentence that nobody has {written}.", written="so far") == (
            "A sentence that nobody has so far."
        )
        assert ngettext("{count} thing so far", "{count} things so far", 2) == "2 things so far"
        assert messages.pgettext("nowhere", "nothing") == "nothing"


def test_names_are_listed() -> None:
    assert [messages.listing(["a", "b", "c"][:count]) for count in range(4)] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]
    assert messages.alternatives(["a", "b", "c"]) == "a or b or c"
    assert messages.one_after_the_other(("1", "2")) == "1 then 2"


def test_no_sentence_stands_inside_of_an_f_string() -> None:
    """It would not be extracted there."""
    calls = (
        (file.name, call.lineno)
        for file in (ROOT / "grader").rglob("*.py")
        for whole in ast.walk(ast.parse(file.read_text()))
        if isinstance(whole, ast.JoinedStr)
        for call in ast.walk(whole)
        if isinstance(call, ast.Call)
        and getattr(call.func, "id", "") in ("_", "ngettext", "pgettext", "later")
        and isinstance(call.args[0], ast.Constant)
    )
    assert list(calls) == []
