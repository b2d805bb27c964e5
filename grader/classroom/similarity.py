"""Pairs of students whose files are alike, and how unusual that is among files that strangers wrote.

A file is compared as tokens. All names are the same token; comments, strings and layout are none. A piece is
some tokens in a row within one function, so the order of the functions does not matter.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Set
from itertools import combinations, pairwise
from typing import Final, NamedTuple

from pygments.token import Comment, Name, String, Text

from grader.classroom.records import Alike, AlikePair, Source
from grader.core.course.course import DESCRIBED
from grader.core.course.rubric import Rubric
from grader.core.course.submission import FILE_NAME
from grader.core.messages import _, later, ngettext
from grader.report.pages import tokens

_TOKENS: Final = 16
"""Length of a piece: shorter ones are alike in most files for this assignment."""

_ENOUGH: Final = 100
"""Tokens of its own that a file needs to be compared: the first lines of an unfinished one are in many."""

_GIVEN_FILES, _GIVEN_SHARE = 10, 3
"""A piece counts as given that so many files have, and one in so many of the class."""

_ONE_IN: Final = 2_000
"""A pair is listed where fewer than one in so many pairs of strangers' files is as alike."""

_AS_ALIKE: Final = (
    (85, 5_148), (84, 2_059), (77, 1_716), (72, 1_583), (71, 1_372), (70, 1_211), (69, 980), (68, 895),
    (67, 710), (66, 528), (65, 502), (64, 457), (63, 388), (62, 326), (61, 315), (60, 269), (59, 220),
    (58, 199), (57, 196), (56, 176), (55, 157), (54, 145), (53, 126), (52, 116), (51, 101), (50, 89),
)  # fmt: skip
"""Percentage of a file that is in another one, and of how many pairs of strangers' files one is as alike.

Printed by scripts/measure_likeness for 267 files of 144 repositories.
"""

_NONE: Final = later(
    "No two files are strikingly alike. A pair is listed if fewer than 1 in {one_in:,} pairs of files from "
    "different public repositories, all for this assignment, are as alike."
)
_CAUTION: Final = later(
    "This is a reason to read both files, and no proof of anything: short programs for one assignment are "
    "often alike by themselves, or because of one lecture or tutorial."
)
_MOST_PAIRS: Final = 50
_LAYOUT: Final = frozenset("(),;:")
_STARTS: Final = ("def", "class")

Pieces = dict[int, list[int]]
"""Where the pieces of a file begin, by their hashes."""


class Own(NamedTuple):
    """The pieces of a file that are the student's own, and how many tokens they cover."""

    pieces: Pieces
    length: int


OnPair = Callable[[int, int], None]
"""Called with how many pairs are compared, and of how many."""


def alike(
    sources: Mapping[str, Source], given: Iterable[str], on_pair: OnPair, *, beyond_template: bool = False
) -> Alike:
    """Return the pairs that are strikingly alike; what was given or many have in common is left out."""
    found = {key: pieces_of(source.files) for key, source in sources.items()}
    texts = (DESCRIBED.text, *given)  # what everybody was given: the assignment's own code, and some texts
    was_given = {piece for text in texts for piece in pieces_of([(FILE_NAME, text)])}
    own = own_code(found, was_given | common(found.values()))
    total, pairs = len(own) * (len(own) - 1) // 2, []
    for done, keys in enumerate(combinations(own, 2), 1):
        shares = shares_of(own[keys[0]], own[keys[1]])
        rarity = one_in(max(shares))
        if rarity > _ONE_IN:
            pairs.append(AlikePair(keys=keys, shares=shares, one_in=rarity))
        on_pair(done, total)
    pairs.sort(key=lambda pair: -max(pair.shares))
    return Alike(
        pairs=tuple(pairs[:_MOST_PAIRS]),
        left_out=len(pairs[_MOST_PAIRS:]),
        files=len(own),
        too_short=len(found) - len(own),
        beyond_template=beyond_template,
    )


def pieces_of(files: Iterable[tuple[str, str]]) -> Pieces:
    """Return the pieces of one student's files, each given by its name and text."""
    found: Pieces = {}
    at = 0
    for name, text in files:
        for part in _parts(text, name):
            for start in range(len(part) - _TOKENS + 1):
                found.setdefault(hash(tuple(part[start : start + _TOKENS])), []).append(at + start)
            at += len(part)
    return found


def _parts(text: str, name: str) -> list[list[str]]:
    """Return the tokens of a source that say what it does, a list for each function."""
    parts: list[list[str]] = [[]]
    for kind, value in tokens(text, name):
        if any(kind in other for other in (Text, Comment, String)) or _LAYOUT.issuperset(value):
            continue
        if value in _STARTS:
            parts.append([])
        parts[-1].append("a name" if kind in Name else value)
    return parts


def common(files: Iterable[Pieces]) -> set[int]:
    """Return the pieces that so many files of a class have that they count as given."""
    files = list(files)
    counts = Counter(piece for pieces in files for piece in pieces)
    least = max(_GIVEN_FILES, len(files) / _GIVEN_SHARE)
    return {piece for piece, count in counts.items() if count >= least}


def own_code(files: Mapping[str, Pieces], ignored: Set[int]) -> dict[str, Own]:
    """Return what is left of each file without some pieces; files with too little left are not in it."""
    own = {}
    for key, found in files.items():
        pieces = {piece: starts for piece, starts in found.items() if piece not in ignored}
        length = _length(pieces, pieces)
        if length >= _ENOUGH:
            own[key] = Own(pieces, length)
    return own


def shares_of(first: Own, other: Own) -> tuple[float, float]:
    """Return which share of each of two files is in the other."""
    both = first.pieces.keys() & other.pieces.keys()
    return _length(first.pieces, both) / first.length, _length(other.pieces, both) / other.length


def _length(pieces: Pieces, which: Iterable[int]) -> int:
    """Return how many tokens some pieces cover together."""
    starts = sorted(start for piece in which for start in pieces[piece])
    return sum(min(_TOKENS, after - start) for start, after in pairwise(starts)) + _TOKENS * bool(starts)


def one_in(likeness: float) -> int:
    """Return of how many pairs of strangers' files one is at least as alike."""
    return next((pairs for least, pairs in _AS_ALIKE if 100 * likeness >= least), 1)


def rarity(pair: AlikePair) -> str:
    """Return how unusual it is that two files are so alike, to two digits: 1 in 5,100."""
    return _("1 in {count:,.0f}", count=float(f"{pair.one_in:.1e}"))


def title(found: Alike) -> str:
    """Return the heading of the pairs."""
    return (
        _("Files that are alike, beyond the template") if found.beyond_template else _("Files that are alike")
    )


def words(found: Alike, rubric: Rubric) -> list[str]:
    """Return what an instructor should know about the pairs, or about there being none."""
    sentences = _on_pairs(found) if found.pairs else [_(_NONE, one_in=_ONE_IN)]
    sentences += _hints(rubric)
    if found.too_short:
        sentences.append(
            ngettext(
                "{count} file could not be compared: without what was given, or many have, too little is "
                "left.",
                "{count} files could not be compared: without what was given, or many have, too little is "
                "left.",
                found.too_short,
            )
        )
    if found.not_graded:
        sentences.append(
            ngettext(
                "{count} file could not be compared: only what is graded is.",
                "{count} files could not be compared: only what is graded is.",
                found.not_graded,
            )
        )
    return sentences


def _on_pairs(found: Alike) -> list[str]:
    """Return what is not compared, what rare means, and how many pairs of strangers would be listed."""
    pairs = found.files * (found.files - 1) // 2
    expected = pairs / next(rare for _share, rare in reversed(_AS_ALIKE) if rare > _ONE_IN)
    about = {"files": _GIVEN_FILES, "rare": _ONE_IN, "pairs": pairs, "expected": expected}
    compared = (
        _(
            "The percentages say how much of each file is in the other one. Names of variables and "
            "functions, the order of functions, comments and layout make no difference. Left out are the "
            "assignment's own code, the template, and whatever at least {files} files and a third of the "
            "class have in common.",
            **about,
        )
        if found.beyond_template
        else _(
            "The percentages say how much of each file is in the other one. Names of variables and "
            "functions, the order of functions, comments and layout make no difference. Left out are the "
            "assignment's own code and whatever at least {files} files and a third of the class have in "
            "common.",
            **about,
        )
    )
    meaning = (
        _(
            "“1 in 5,000” means that of 5,000 pairs of files from different public repositories, all for "
            "this assignment, one is at least as alike. A pair is listed if it is rarer than 1 in "
            "{rare:,}. Of {pairs:,} such pairs, as many as this class has, about {expected:.0f} would be "
            "listed.",
            **about,
        )
        if expected >= 1
        else _(
            "“1 in 5,000” means that of 5,000 pairs of files from different public repositories, all for "
            "this assignment, one is at least as alike. A pair is listed if it is rarer than 1 in "
            "{rare:,}. Of {pairs:,} such pairs, as many as this class has, as a rule none would be "
            "listed.",
            **about,
        )
    )
    sentences = [_(_CAUTION), compared, meaning]
    if found.left_out:
        more = ngettext(
            "{count:,} more pair is rarer than 1 in {rare:,}, and not listed.",
            "{count:,} more pairs are rarer than 1 in {rare:,}, and not listed.",
            found.left_out,
            **about,
        )
        sentences.insert(0, more)
    return sentences


def words_on(pair: AlikePair, rubric: Rubric) -> list[str]:
    """Return what an instructor should know about a pair."""
    rare = _(
        "Of pairs of files from different public repositories, all for this assignment, about {rarity} is at "
        "least as alike.",
        rarity=rarity(pair),
    )
    return [rare, *_hints(rubric), _(_CAUTION)]


def _hints(rubric: Rubric) -> list[str]:
    measured = _("This was measured on files of functions: for whole programs it is no more than a hint.")
    return [measured] if rubric.kind == "program" else []
