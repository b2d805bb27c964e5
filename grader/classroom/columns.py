"""Where things stand in Moodle's grading worksheet, found by the shape that it has in every language.

The word in the brackets of "Last modified (grade)" names the column of grades; the maximum follows it; who
is meant stands between the identifier and the status.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from grader.classroom.sheet import Row, Sheet, as_number
from grader.core.errors import UserError

PARTICIPANT: Final = re.compile(r"\A\D*+(?P<number>\d++)")

_MODIFIED: Final = re.compile(r"\A.+\((?P<what>[^()]+)\)\s*+\Z")
_COMMENTS: Final = (
    "comment", "komment", "coment", "commento", "коммент", "комента", "opmerking", "palaute", "feedback",
    "retroalimenta", "ruckmeldung", "aterkoppling", "komentar", "コメント", "评语", "反馈", "意见",
)  # fmt: skip
"""Parts of what the column of comments is called, in Moodle's languages, without accents."""

_STATUS: Final = (
    "stat",
    "estad",
    "estat",
    "stan",
    "stav",
    "tila",
    "durum",
    "сост",
    "стат",
    "状",
    "ステータス",
)
"""How the word for status begins."""

_NO: Final = {
    "no", "nein", "non", "nao", "nee", "nej", "nei", "nie", "ne", "ei", "nem", "нет", "ні", "いいえ", "否",
}  # fmt: skip
"""What is said where a grade cannot be changed."""


@dataclass(frozen=True)
class Columns:
    """Where things stand in a worksheet; some may be missing."""

    identifier: int
    grade: int
    maximum: int | None
    comment: int | None
    identity: tuple[int, ...]
    """Who is meant: the full name, and what else a site shows of it."""
    changeable: int | None

    @property
    def name(self) -> int:
        """The column to call somebody by: the full name, or the identifier where names are kept back."""
        return self.identity[0] if self.identity else self.identifier

    def locked(self, row: Row) -> bool:
        """Return whether a row says that its grade cannot be changed."""
        return self.changeable is not None and _bare(row[self.changeable]) in _NO


def columns_of(sheet: Sheet) -> Columns:
    """Return where things stand; raise UserError for a file that is no worksheet."""
    header = [_bare(name) for name in sheet.header]
    modified, grade = _graded(header)
    identifier = next((at for at in range(len(header)) if _identifies(sheet, at)), None)
    if grade is None or identifier is None:
        what = (
            "an identifier for each participant"
            if grade is not None
            else "'Grade' and 'Last modified (grade)'"
        )
        raise UserError(
            f"is no grading worksheet of Moodle, for it has no column with {what}: "
            "download it again from the assignment (View all submissions, Download grading worksheet)",
            file=sheet.file,
            line=1,
        )
    return Columns(
        identifier,
        grade,
        maximum=grade + 1 if grade + 1 < modified and not _MODIFIED.fullmatch(header[grade + 1]) else None,
        comment=_comments(sheet, header, modified),
        identity=_identity(header, identifier, grade),
        changeable=_changeable(header, grade, modified),
    )


def _bare(text: str) -> str:
    """Return a text in small letters, without accents."""
    apart = unicodedata.normalize("NFKD", text.strip().casefold())
    return unicodedata.normalize("NFKC", "".join(one for one in apart if not unicodedata.combining(one)))


def _graded(header: Sequence[str]) -> tuple[int, int | None]:
    """Return 'Last modified (grade)' and the column of grades.

    That one is called what stands in the brackets, or begins like it. Columns with brackets may follow, so
    the last that fits is meant.
    """
    bracketed = [
        (at, match["what"].strip()) for at, name in enumerate(header) if (match := _MODIFIED.fullmatch(name))
    ]
    for modified, word in reversed(bracketed):
        if word in header[:modified]:
            return modified, header.index(word)
    for modified, word in reversed(bracketed):
        alike = [at for at, name in enumerate(header[:modified]) if name[:3] == word[:3] and " " not in name]
        if alike:
            return modified, alike[0]
    return 0, None


def _identifies(sheet: Sheet, at: int) -> bool:
    """Return whether a column holds the participants' numbers: a word and a number in every row."""
    cells = [row[at] for row in sheet.rows[1:]]
    words = {cell.rstrip("0123456789").rstrip() for cell in cells}
    return len(words) == 1 and "" not in words and all(PARTICIPANT.fullmatch(cell) for cell in cells)


def _identity(header: Sequence[str], identifier: int, grade: int) -> tuple[int, ...]:
    """Return the columns before the status; without one that is known, the first alone: it is the name."""
    between = range(identifier + 1, grade)
    status = next((at for at in between if header[at].startswith(_STATUS)), None)
    return tuple(between[:1]) if status is None else tuple(range(identifier + 1, status))


def _changeable(header: Sequence[str], grade: int, modified: int) -> int | None:
    """Return 'Grade can be changed': it follows the maximum, and its name holds the word for the grade."""
    after = range(grade + 2, modified)
    return next((at for at in after if header[grade] in header[at] and "(" not in header[at]), None)


def _comments(sheet: Sheet, header: Sequence[str], modified: int) -> int | None:
    """Return the column of comments: by its name, or the next one if it may hold text."""
    after = range(modified + 1, len(header))
    named = [at for at in after if any(part in header[at] for part in _COMMENTS)]
    if named or not after:
        return named[0] if named else None
    cells = [row[after[0]].strip() for row in sheet.rows[1:]]
    is_text = not any(cell and as_number(cell) is not None for cell in cells)
    return after[0] if is_text and not re.search(r"[(:]", header[after[0]]) else None
