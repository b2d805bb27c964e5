"""A grade in words: what to fix first, and the sentences and small texts that all reports share."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from unicodedata import combining, east_asian_width

from grader.core import messages
from grader.core.game.board import Board, rows
from grader.core.game.oracle import MENDING
from grader.core.grade import (
    Comment,
    Count,
    CriterionScore,
    DoesNotRun,
    Grade,
    Mistake,
    PlayedGame,
    RequestAnswer,
    Status,
    Sweep,
    Tactic,
    Tally,
    Verdict,
)
from grader.core.messages import _, figure, later, listing, ngettext
from grader.core.values import lines_of, printable_lines

if TYPE_CHECKING:
    from rich.console import Console, RenderableType


def failure_text(verdict: Verdict) -> str:
    """Return the reason (pytest's summary shows the first line), the board, the call and what came of it."""
    lines = [verdict.reason]
    if verdict.board:
        lines += ["", *drawn(verdict.board), ""]
    facts = [(_("call:"), verdict.call), (_("expected:"), verdict.expected), (_("got:"), verdict.got)]
    points = _("points:"), worth(verdict)
    width = max(len(label) for label, _value in (*facts, points)) + 1
    for label, value in facts:
        if value is not None:
            lines.append(f"{label:{width}}{value.replace(chr(10), chr(10) + ' ' * width)}")
    lines += [f"  {finding.where}: {finding.message} ({finding.rule})" for finding in verdict.findings or ()]
    lines += [game_text(game) for game in (verdict.refutation, verdict.missed_win) if game]
    if verdict.hint:
        lines.append(_("Hint: {hint}", hint=verdict.hint))
    if verdict.points is not None:
        lines.append(f"{points[0]:{width}}{points[1]}")
    return "\n".join(lines)


def worth(verdict: Verdict, what: str = later("{score} of {points}")) -> str:
    """Return what a case earned of its points: 0 of 5.2; nothing for one that does not count."""
    if verdict.points is None or verdict.score is None:
        return ""
    return shares(verdict.score, verdict.points, verdict.given_back or 0.0, what)


POINTS: Final = later("{score} of {points} points")
BONUS_POINTS: Final = later("{score} of {points} bonus points")


def shares(score: float, points: float, given_back: float, what: str = later("{score} of {points}")) -> str:
    """Return what was earned of some points, in a few words: as a fraction, as `POINTS` or `BONUS_POINTS`."""
    earned = _(what, score=number(score), points=number(points))
    if number(given_back) == "0":
        return earned
    return _("{earned}, {points} of them given back", earned=earned, points=number(given_back))


_OUTCOMES: Final = {
    Status.PASSED: later("passed"),
    Status.FAILED: later("failed"),
    Status.TIMED_OUT: later("timed out"),
    Status.CRASHED: later("crashed"),
    Status.SKIPPED: later("skipped"),
    Status.GRADER_ERROR: later("grader error"),
}


def outcome(status: Status) -> str:
    """Return what became of a case, in a word or two."""
    return _(_OUTCOMES[status])


def named(names: Sequence[str], most: int) -> str:
    """Return the first names, and how many more there are."""
    first, more = ", ".join(names[:most]), len(names) - most
    if more <= 0:
        return first
    return ngettext("{names} and {count} more", "{names} and {count} more", more, names=first)


def pointed_out(found: DoesNotRun) -> list[str]:
    """Return the line at which a file fails, with a caret under the place or under all of it."""
    if not found.text:
        return []
    start = len(found.text) - len(found.text.lstrip()) if found.column is None else found.column - 1
    marks = _width(found.text[start:]) if found.column is None else 1
    margin = f"{found.line} | "
    blank = f"{'| ':>{len(margin)}}"
    return [margin + found.text, blank + " " * _width(found.text[:start]) + "^" * marks]


def _width(text: str) -> int:
    """Return how many columns a text takes: some characters take two, some are put on others."""
    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def drawn(board: tuple[str, str, str]) -> list[str]:
    """Return a board as a small picture of five lines."""
    picture = [" " + " │ ".join(row.replace(".", " ")) + " " for row in rows(Board("".join(board)))]
    return [picture[0], "───┼───┼───", picture[1], "───┼───┼───", picture[2]]


def game_text(line: PlayedGame, per_row: int = 8) -> str:
    """Return a game as small boards side by side, each with the move that led to it."""
    titles = [_("start"), *(f"{move.by} {move.row},{move.column}" for move in line.moves)]
    width = max(8, len(titles[0]) + 2)
    blocks = []
    for start in range(0, len(line.boards), per_row):
        boards = line.boards[start : start + per_row]
        rows_of_text = ["".join(f"{title:<{width}}" for title in titles[start : start + per_row])]
        rows_of_text += ["".join(f"{' '.join(board[i]):<{width}}" for board in boards) for i in range(3)]
        blocks.append("\n".join(row.rstrip() for row in rows_of_text))
    return "\n\n".join(blocks)


def as_text(report: "RenderableType", width: int = 124) -> str:
    """Return a report without colour, for files and pipes."""
    console = _console(file=StringIO(), width=width, color_system=None)
    with console.capture() as capture:
        console.print(report)
    return "".join(line.rstrip() + "\n" for line in lines_of(printable_lines(capture.get())))


def show(report: "RenderableType") -> None:
    """Print a report: with colour for a terminal, as plain text for a pipe."""
    console = _console()
    if console.is_terminal:
        console.print(report)
    else:
        print(as_text(report), end="")


# A word with its blanks; one that does not break, as in French before a colon, is of the word
_WORD: Final = re.compile(r"(?=[\s\S])[^\S\u00a0\u202f]*+[\S\u00a0\u202f]*+[^\S\u00a0\u202f]*+")


def _console(**how: Any) -> "Console":
    """Return a console that ends no line at a blank which does not break, as rich itself would."""
    from rich import _wrap  # pages need none of it, and are made where it is not
    from rich.console import Console

    _wrap.re_word = _WORD
    return Console(highlight=False, emoji=False, **how)


def number(points: float) -> str:
    """Return points without needless decimals, as the language writes them: 10, 8.7, 3.33."""
    return figure(decimal(points))


def decimal(points: float) -> str:
    """Return points without needless decimals, as programs read them in every language."""
    return f"{points:.2f}".rstrip("0").rstrip(".")


def duration(seconds: float) -> str:
    """Return a time in the unit that suits it: 3.7 s, 23 ms, 320 µs."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return figure(f"{seconds / size:.3g} {unit}")
    return figure(f"{seconds * 1e6:.3g} µs")


COMMENTS: Final = later("Comments from your instructor")
FIX_FIRST: Final = later("Fix this first: nothing else could be tested.")


def in_scale(grade: Grade) -> str:
    """Return what goes back where that is not the total, as a clause of its own: `that is 94 of 100`."""
    if grade.final == grade.total and grade.out_of == grade.points:
        return ""
    return _("that is {final} of {out_of}", final=number(grade.final), out_of=number(grade.out_of))


def out_of(grade: Grade, *, is_part: bool) -> str:
    """Return what stands beside the total: of how many points, and what of them is not judged yet.

    It says so where the points are a part of the instructor's.
    """
    points = number(grade.points)
    here = _("of the {points} points that this page can check", points=points)
    parts = [here if is_part else _("of {points}", points=points)]
    if grade.bonus and not grade.marked_by:
        parts.append(_("{points} of it bonus", points=number(grade.bonus)))
    parts.append(in_scale(grade))
    if 0 < grade.by_hand_points < grade.points:
        parts.append(_("{points} still for a person to judge", points=number(grade.by_hand_points)))
    if grade.unjudged_points:
        parts.append(_("{points} not judged", points=number(grade.unjudged_points)))
    return ", ".join(filter(None, parts))


def cases_passed(tally: Tally) -> str:
    """Return how many passed: `27 of 29 cases passed, 2 not judged, and 3 of 5 hidden cases`."""
    public, (hidden_alone, hidden) = _counted(tally.public)[0], _counted(tally.hidden)[1:]
    if not tally.public.cases:
        return hidden_alone if tally.hidden.cases else ""
    return _("{public}, and {hidden}", public=public, hidden=hidden) if tally.hidden.cases else public


def _counted(count: Count) -> tuple[str, str, str]:
    """Return how many of some cases passed: of public ones, of hidden ones, and of these beside others."""
    cases, about = count.cases, {"passed": count.passed, "not_judged": count.not_judged}
    if not count.not_judged:
        return (
            ngettext("{passed} of {count} case passed", "{passed} of {count} cases passed", cases, **about),
            ngettext(
                "{passed} of {count} hidden case passed",
                "{passed} of {count} hidden cases passed",
                cases,
                **about,
            ),
            ngettext("{passed} of {count} hidden case", "{passed} of {count} hidden cases", cases, **about),
        )
    return (
        ngettext(
            "{passed} of {count} case passed, {not_judged} not judged",
            "{passed} of {count} cases passed, {not_judged} not judged",
            cases,
            **about,
        ),
        ngettext(
            "{passed} of {count} hidden case passed, {not_judged} not judged",
            "{passed} of {count} hidden cases passed, {not_judged} not judged",
            cases,
            **about,
        ),
        ngettext(
            "{passed} of {count} hidden case, {not_judged} not judged",
            "{passed} of {count} hidden cases, {not_judged} not judged",
            cases,
            **about,
        ),
    )


def not_judged(grade: Grade) -> list[str]:
    """Return why cases were not judged, each reason once with its cases; a bonus is reported elsewhere.

    Where a person decided in their place, they are left out.
    """
    why: dict[str, list[str]] = {}
    for criterion in () if grade.marked_by else grade.criteria:
        for verdict in criterion.verdicts:
            is_reported = criterion.bonus or criterion.marked_by or verdict.unrun or verdict.search
            if verdict.status is Status.SKIPPED and verdict.weight and not is_reported:
                why.setdefault(verdict.reason, []).append(f"{criterion.id}/{verdict.id}")
    return [f"{', '.join(cases)}: {reason}" for reason, cases in why.items()]


def what_is_right(grade: Grade) -> str:
    """Return the criteria in which nothing is wrong, with their points; nothing if all or none are so."""
    judged = [criterion for criterion in grade.criteria if not criterion.bonus and not criterion.by_hand]
    right = [criterion for criterion in judged if _is_right(criterion)]
    if not right or right == judged:
        return ""
    points = number(sum(criterion.points for criterion in right))
    names = ", ".join(criterion.id for criterion in right)
    return _("Right: {criteria} ({points} of {points}).", criteria=names, points=points)


def _is_right(criterion: CriterionScore) -> bool:
    public, hidden = criterion.tally.public, criterion.tally.hidden
    cases = public.cases + hidden.cases
    return 0 < cases == public.passed + hidden.passed and criterion.score >= criterion.points


def hidden_cost(grade: Grade) -> str:
    """Return what hidden cases cost besides those that are shown; nothing where none is left out."""
    lost = sum(criterion.tally.hidden.lost for criterion in grade.criteria if not criterion.bonus)
    if not (grade.hidden and lost) or grade.does_not_run:
        return ""
    return _("Hidden cases cost another {points} points.", points=number(lost))


def beyond_title(mistake: Mistake) -> str:
    """Return what the sentence about a mistake says beyond its title, which stands above it."""
    head = f"`{mistake.function}` {mistake.title}"
    if not mistake.sentence.startswith(head):
        return mistake.sentence
    rest = mistake.sentence.removeprefix(head)
    clause = next((rest.partition(mark)[2] for mark in (": ", "; ", "؛ ") if mark in rest), "")
    text = clause or ("" if rest.startswith((",", "،")) else f"{rest.strip(' ().')}.".lstrip("."))
    return text[:1].upper() + text[1:]


def comments_of(comments: Iterable[Comment], answers: Iterable[RequestAnswer]) -> list[str]:
    """Return what a person says of all of it and of its lines, and what is answered, a text each.

    A comment with points is a decision, and reported as one.
    """
    lines = []
    for comment in comments:
        if not comment.points:
            place = place_of(comment.file, comment.line)
            lines.append(f"{place}: " * bool(place) + f"{comment.text} ({comment.by})")
    answer_text = later("You asked: {request}\nThe answer: {answer} ({by})")
    return lines + [_(answer_text, **vars(answer)) for answer in answers]


def place_of(file: str, line: int | None) -> str:
    """Return a line of the submission, or of a module that came with it; nothing without a number."""
    return messages.place_of(file, line) if line else ""


_RAN_IN: Final = {
    "native": later("It ran in the native sandbox, by Python {version}."),
    "wasm": later("It ran in WebAssembly, by Python {version}."),
}


def closing(grade: Grade) -> str:
    """Return the last line: how long it took, how minimax was asked, its first move, its sandbox."""
    sentences = [_("Graded in {seconds:.1f} s.", seconds=grade.seconds)]
    if grade.sweep:
        sentences.append(_asked(grade.sweep))
    if grade.first_move:
        sentences.append(_("Its first move takes {seconds:g} s.", seconds=grade.first_move.seconds))
    if grade.boundary:
        sentences.append(_(_RAN_IN[grade.boundary.kind], version=grade.boundary.python))
    return " ".join(sentences)


def _asked(sweep: Sweep) -> str:
    """Return how minimax was asked about every board."""
    if sweep.recalled:
        return ngettext(
            "minimax was asked {count:,} board with recall.",
            "minimax was asked {count:,} boards with recall.",
            sweep.asked,
        )
    if not sweep.why_plain:
        return ngettext(
            "minimax was asked {count:,} board without recall.",
            "minimax was asked {count:,} boards without recall.",
            sweep.asked,
        )
    return ngettext(
        "minimax was asked {count:,} board without recall ({why}).",
        "minimax was asked {count:,} boards without recall ({why}).",
        sweep.asked,
        why=sweep.why_plain,
    )


def search_sentences(grade: Grade) -> list[str]:
    """Return what the probe saw; a bonus that was not earned is reported here, in a line."""
    sentences = []
    for criterion in grade.criteria:
        for verdict in filter(lambda verdict: verdict.search, criterion.verdicts):
            missed = criterion.bonus and verdict.status.is_bad and not verdict.earned
            sentences.append((_("The bonus is not earned.") + " " if missed else "") + verdict.reason)
    return sentences


def shown_tactics(grade: Grade) -> Sequence[Tactic]:
    """Return the tactics of a minimax that does any of them, and not all or what is worth as much."""
    is_weak = any(tactic.done + tactic.as_good < tactic.boards for tactic in grade.tactics)
    return grade.tactics if is_weak and any(tactic.done for tactic in grade.tactics) else ()


def beside_it(tactic: Tactic) -> str:
    """Return how often something else was as good: a slower win is a win."""
    if not tactic.as_good:
        return ""
    return ngettext(
        "on {count:,} more a slower win, which is as good",
        "on {count:,} more a slower win, which is as good",
        tactic.as_good,
    )


def changes(before: Grade, now: Grade) -> list[str]:
    """Return what changed, the total first; one sentence where nothing did."""
    both = {"before": number(before.total), "after": number(now.total)}
    total = _("{before} points became {after}", **both) if before.total != now.total else ""
    runs = not (now.does_not_run or now.not_gradable)
    if runs == bool(before.does_not_run or before.not_gradable):
        sentence = _("It runs now.") if runs else _("It does not run any more: fix that first.")
        return [*filter(None, [total]), sentence]
    known = {criterion.id: criterion for criterion in before.criteria}
    pairs = [(known[criterion.id], criterion) for criterion in now.criteria if criterion.id in known]
    changed = [total, *(_change(*pair) for pair in pairs)]
    return list(filter(None, changed)) or [_("Nothing changed in what is judged.")]


def _change(before: CriterionScore, now: CriterionScore) -> str:
    """Return what changed in a criterion, or nothing."""
    gained = round(now.score - before.score, 2)
    wrong = sum(verdict.status.is_bad and verdict.lost > 0 for verdict in now.verdicts)
    if gained > 0 and not wrong:
        return _("`{criterion}` fixed: +{points}", criterion=now.id, points=number(gained))
    if gained > 0:
        return ngettext(
            "`{criterion}`: {points:+g}, {count} case still to fix",
            "`{criterion}`: {points:+g}, {count} cases still to fix",
            wrong,
            criterion=now.id,
            points=gained,
        )
    if gained:
        return _("`{criterion}`: {points:+g}, look at it again", criterion=now.id, points=gained)
    return ""


# criteria, or all cases that fail, with one and the same reason, from which on it is the file's
_EVERYWHERE: Final = 3
_NOTHING: Final = 0.005  # points that no report shows


class Quoted(NamedTuple):
    """A text with its language, by the code: what a grade says is in the grade's."""

    text: str
    language: str


class FailedCase(NamedTuple):
    """A failed case, by the name of its criterion and its own."""

    name: str
    verdict: Verdict


@dataclass(frozen=True)
class Item:
    """One thing to fix: a function, a criterion, or the file; with all cases that it fails.

    `shown` are cases that say what no mistake explains.
    """

    name: str
    cases: tuple[FailedCase, ...]
    mistakes: tuple[Mistake, ...] = ()
    shown: tuple[Verdict, ...] = ()
    followers: str = ""
    remark: str = ""

    @property
    def lost(self) -> float:
        """What these cases cost together."""
        return sum(case.verdict.lost for case in self.cases)


def agenda(grade: Grade) -> list[Item]:
    """Return what to fix; what else a person may earn (a bonus) is not among it.

    Nor is that a file does not run, which `does_not_run` says.
    """
    ordinary = [criterion for criterion in grade.criteria if not criterion.bonus]
    failed = [
        FailedCase(f"{criterion.id}/{verdict.id}", verdict)
        for criterion in ordinary
        for verdict in criterion.verdicts
        if verdict.status.is_bad and verdict.weight and not verdict.unrun
    ]
    items = []
    if everywhere := _one_reason(failed):
        same = [case for case in failed if case.verdict.reason == everywhere]
        items.append(Item(_("the file"), _dearest_first(same), shown=(same[0].verdict,)))
        failed = [case for case in failed if case.verdict.reason != everywhere]
    verdicts = [verdict for criterion in grade.criteria for verdict in criterion.verdicts]
    follows = {verdict.function: verdict for verdict in verdicts if verdict.function and verdict.follows}
    for function in MENDING:
        restored = (follows[function].restored if function in follows else None) or ()
        own = [case for case in failed if case.verdict.function == function]
        own = [case for case in own if case.verdict.aspect not in restored or case.verdict.lost > _NOTHING]
        if own:
            items.append(_function(grade, function, own, verdicts, follows))
    for criterion in ordinary:
        rest = [case for case in failed if case.name.startswith(f"{criterion.id}/")]
        rest = [case for case in rest if not case.verdict.function]
        if rest:
            shown = tuple({case.verdict.reason: case.verdict for case in rest[::-1]}.values())[::-1]
            items.append(Item(criterion.id, _dearest_first(rest), shown=shown))
    return items


def _dearest_first(cases: Sequence[FailedCase]) -> tuple[FailedCase, ...]:
    return tuple(sorted(cases, key=lambda case: -case.verdict.lost))


def _one_reason(failed: Sequence[FailedCase]) -> str | None:
    """Return the reason for which several criteria fail alike, or None."""
    criteria: dict[str, set[str]] = {}
    for name, verdict in failed:
        criteria.setdefault(verdict.reason, set()).add(name.partition("/")[0])
    functions = {case.verdict.function for case in failed}
    only = len(criteria) == 1 and len(failed) >= _EVERYWHERE and len(functions) > 1
    return next((reason for reason, ids in criteria.items() if only or len(ids) >= _EVERYWHERE), None)


def _function(
    grade: Grade, function: str, own: list[FailedCase], verdicts: list[Verdict], follows: dict[str, Verdict]
) -> Item:
    unexplained = [case.verdict for case in own if not case.verdict.explained_by]
    shown = (max(unexplained, key=lambda verdict: verdict.weight),) if unexplained else ()
    mistakes = tuple(mistake for mistake in grade.mistakes if mistake.function == function)
    remark = follows[function].reason if function in follows and not mistakes else ""
    if unexplained:
        tried = [verdict for verdict in verdicts if verdict.code == "own-fault-too"]
        remark = next((verdict.reason for verdict in tried if verdict.function == function), "")
    return Item(function, _dearest_first(own), mistakes, shown, _followers(grade, function, follows), remark)


def _followers(grade: Grade, function: str, follows: dict[str, Verdict]) -> str:
    """Return which functions are right as soon as this one is, and what is given back for that."""
    mine = {name: verdict for name, verdict in follows.items() if (verdict.follows or ("",))[0] == function}
    if not mine:
        return ""
    others = {name for verdict in mine.values() for name in verdict.follows or ()}
    given_back = sum(
        criterion.given_back
        for criterion in grade.criteria
        if any(verdict.function in mine for verdict in criterion.verdicts)
    )
    back = _("{points:g} points are given back.", points=given_back) if given_back else ""
    whole = [name for name, verdict in mine.items() if not verdict.parameters.get("still")]
    right = ngettext(
        "With a correct {needed} your {functions} is right too.",
        "With a correct {needed} your {functions} are right too.",
        len(whole),
        needed=_quoted([name for name in MENDING if name in others]),
        functions=_quoted(whole),
    )
    remaining = [verdict.reason for name, verdict in mine.items() if name not in whole]
    return " ".join(filter(None, (right if whole else "", *remaining, back)))


def _quoted(names: list[str]) -> str:
    return listing([f"`{name}`" for name in names])
