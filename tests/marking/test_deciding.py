"""Decisions at a desk: on the disk at once, never over somebody else's, and undone again."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.classroom import records
from grader.classroom.adjustments import Mark
from grader.classroom.gradebooks import final
from grader.core.errors import UserError
from grader.core.values import printable_lines
from grader.marking.desk import Desk, subject
from grader.marking.marks import Changed, revision
from grader.marking.server import Decision, Decisions
from tests.marking.made import NAMES, class_of, grade, leave, record, written


class Marker:
    """Somebody at a desk of the own, who decides what was seen a moment before."""

    def __init__(self, out: Path) -> None:
        self.desk = Desk(out)
        self.decisions = Decisions(self.desk)

    def wish(self, number: int = 1, about: str = "design", **given: Any) -> Decision:
        seen = given.pop("revision", self.desk.revision(self.desk.seat(number), about))
        return Decision(
            student=number, revision=seen, **{"kind": "points", "criterion": "design", "by": "Dr. B", **given}
        )

    def decide(self, number: int = 1, about: str = "design", **given: Any) -> Any:
        return self.decisions.decide(self.wish(number, about, **given))

    def comments(self, number: int = 1, about: str = "comment", **given: Any) -> Any:
        return self.decide(number, about, **{"kind": "comment", "criterion": None, **given})

    def marks(self) -> tuple[Mark, ...]:
        return self.desk.marks.all()

    def design(self, number: int = 1) -> float:
        return self.desk.seat(number).after.criteria["design"].score


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return class_of(tmp_path / "out", html=False)


Open = Callable[[], Marker]


@pytest.fixture
def sit(out: Path) -> Iterator[Open]:
    """Give a function that sits down at the class: each time as another person would, in another process."""
    markers: list[Marker] = []

    def open_desk() -> Marker:
        markers.append(Marker(out))
        return markers[-1]

    yield open_desk
    for marker in markers:
        leave(marker.desk)


def test_points_are_on_the_disk_and_in_the_total_at_once_and_may_be_replaced_and_taken_back(
    sit: Open, out: Path
) -> None:
    me = sit()
    assert me.desk.seat(1).after.total == 0
    me.decide(points=15, comment="well made")
    assert "points: 15.0" in (out / "marks.yaml").read_text()
    assert me.desk.seat(1).after.total == sit().desk.seat(1).after.total == 15
    me.decide(points=12)
    assert [mark.points for mark in me.marks()] == [12]
    me.decide(remove=True)
    assert me.marks() == ()
    me.decide(points=0, comment="empty")  # no points are points
    assert not sit().desk.seat(1).after.criteria["design"].by_hand


def test_who_is_called_as_the_file_is_has_every_decision_once(tmp_path: Path) -> None:
    me = Marker(written(tmp_path / "out", [record("ada", "ada", grade("ada"))], html=False))
    me.comments(about="design", criterion="design", delta=-2, comment="Magic numbers")
    assert len(me.desk.seat(1).own) == 1 and me.design(1) == 18
    assert me.desk.scribe
    me.desk.scribe.end()


def test_what_another_has_decided_since_is_not_overwritten(sit: Open) -> None:
    first, second = sit(), sit()
    late = second.wish(points=3)
    first.decide(points=15)
    with pytest.raises(Changed):
        second.decisions.decide(late)
    assert second.design() == 15
    second.decide(points=3)  # now that it was seen
    assert first.design() == 3


def test_two_who_decide_on_different_things_do_not_meet(sit: Open) -> None:
    first, second = sit(), sit()
    late = second.wish(2, points=3)
    total = second.wish(1, "total", criterion=None, points=30)
    first.decide(points=15)
    second.decisions.decide(late)
    second.decisions.decide(total)
    assert len(first.marks()) == 3 and first.desk.seat(1).after.total == 30


def test_a_grade_that_is_another_one_now_is_something_that_changed(sit: Open, out: Path) -> None:
    me = sit()
    wish = me.wish(points=15)
    known = records.load(out, "s0")
    assert known
    records.save(out, type(known)(**{**vars(known), "fingerprint": "other"}))
    (out / "class.json").touch()
    with pytest.raises(Changed):
        me.decisions.decide(wish)


def test_undo_takes_back_what_was_decided_and_brings_back_what_was_there(sit: Open) -> None:
    me = sit()
    me.decide(points=15)
    done = me.decide(points=12)
    me.decisions.undo(done.id)
    assert [mark.points for mark in me.marks()] == [15]


def test_what_another_has_changed_since_is_not_undone(sit: Open) -> None:
    first, second = sit(), sit()
    done = first.decide(points=15)
    second.decide(points=3)
    with pytest.raises(Changed):
        first.decisions.undo(done.id)
    assert [mark.points for mark in first.marks()] == [3]


def test_everybody_with_the_same_mistake_gets_the_same_comment_once(sit: Open) -> None:
    me = sit()
    made = me.desk.mistakes()["player lets O begin"]
    assert len(made) == 10
    done = me.decide(kind="comment", about="player", criterion="player", delta=2, comment="X begins.", everybody="player lets O begin", line=6)  # fmt: skip
    assert len(done.added) == 10
    assert [mark.line for mark in me.marks()] == [6] + 9 * [None]  # the line is this one's
    assert {seat.after.criteria["player"].score for seat in made} == {0.0}
    assert {me.desk.seat(seat.number).after.criteria["player"].score for seat in made} == {2.0}
    me.decisions.undo(done.id)
    assert me.marks() == ()


def test_points_for_everybody_leave_what_others_have(sit: Open) -> None:
    me = sit()
    me.decide(2, points=3)
    done = me.decide(1, points=15, everybody="player lets O begin")
    assert done.left == 1
    assert me.design(2) == 3
    assert me.design(5) == 15


def test_the_bank_has_what_was_used_most_and_a_change_may_be_for_all(sit: Open) -> None:
    me = sit()
    for number in (1, 2, 5):
        me.comments(number, criterion="design", delta=-2, comment="Magic numbers")
    me.comments(6, comment="Fine")
    assert [(mark.comment, count) for mark, count in me.desk.bank()] == [("Magic numbers", 3), ("Fine", 1)]
    seen = next(mark for mark in me.marks() if mark.student == "s1")
    change: dict[str, Any] = {
        "kind": "comment",
        "mark": seen.id,
        "revision": revision(seen),
        "comment": "Name it",
        "delta": -3,
    }
    done = me.decide(2, criterion="design", everybody="all", **change)
    assert len(done.added) == 3
    assert {mark.comment for mark in me.marks()} == {"Name it", "Fine"}
    assert me.design(5) == 17  # all of it is by hand, so it is off the whole


def test_a_comment_that_somebody_has_changed_is_not_changed_again_unseen(sit: Open) -> None:
    first, second = sit(), sit()
    mark = first.comments(comment="Fine").added[0]
    told = {"kind": "comment", "criterion": None, "mark": mark.id, "revision": revision(mark)}
    first.decide(comment="Good", **told)
    with pytest.raises(Changed):
        second.decide(comment="Bad", **told)
    with pytest.raises(Changed):
        second.decide(remove=True, **told)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"points": 21}, "design takes 0 to 20 points"),
        ({"points": -1}, "design takes 0 to 20 points"),
        ({"points": float("nan")}, "design takes 0 to"),
        ({"points": -3, "criterion": None}, "the total takes 0 to"),
        ({"points": 5000, "criterion": None}, "the total takes 0 to"),
        ({"points": 1, "criterion": "desing"}, "unknown criterion"),
        ({"points": 1, "by": " "}, "say who you are"),
        ({"points": None}, "how many points"),
        ({"kind": "comment", "comment": " "}, "nothing in the comment"),
        ({"kind": "comment", "comment": "x", "line": 99}, "there is no line 99"),
        ({"kind": "comment", "comment": "x", "line": 1, "file": "../../etc/passwd"}, "there is no line 1"),
        ({"points": 1, "comment": "x" * 6000}, "at most 5,000 characters"),
        ({"kind": "comment", "comment": "x", "delta": float("inf")}, "a change is at most 10,000 points"),
        ({"points": 1, "by": "x" * 101}, "a name has at most 100 characters"),
        ({"kind": "comment", "comment": "x", "everybody": "no mistake"}, "nobody has made that mistake"),
    ],
)
def test_what_cannot_be_meant_is_refused_and_nothing_is_written(
    sit: Open, out: Path, given: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(UserError, match=sentence):
        sit().decide(**given)
    assert not (out / "marks.yaml").exists()


def test_somebody_else_may_write_the_files_meanwhile(sit: Open, out: Path) -> None:
    me = sit()
    me.decide(points=15)
    (out / "adjustments.yaml").write_text("- student: Bob Bär\n  points: 7\n  comment: c\n  by: d\n")
    assert me.desk.seat(2).after.total == 7
    text = (out / "marks.yaml").read_text()
    (out / "marks.yaml").write_text(text.replace("15.0", "16"))
    assert me.desk.seat(1).after.total == 16
    me.decide(2, points=1)
    assert "points: 16" in (out / "marks.yaml").read_text()


@pytest.mark.parametrize("text", ["12", "null", "- a: b # c", " x\n\n  y\t|", "'\"", "\x1b[31m\u202e\ud800", "é 😀: {a}", "---\n..."])  # fmt: skip
def test_any_comment_is_read_back_as_it_was_said(sit: Open, text: str) -> None:
    me = sit()
    me.comments(comment=text, by=text)
    (mark,) = me.marks()
    (read,) = sit().marks()
    assert read == mark and read.comment == printable_lines(text.strip())


def test_a_file_of_marks_that_somebody_has_broken_is_named(sit: Open, out: Path) -> None:
    me = sit()
    (out / "marks.yaml").write_text("- student: s0\n  points: x\n")
    with pytest.raises(UserError, match=r"marks\.yaml:2"):
        me.desk.seat(1)


def test_everything_follows(tmp_path: Path) -> None:
    out = class_of(tmp_path / "two", NAMES[:2])
    me = Marker(out)
    me.decide(points=15, comment="well made")
    me.comments(about="line :6", line=6, comment="X begins & <b>")
    scribe = me.desk.scribe
    assert scribe and scribe.wait(60) and not scribe.problem
    assert '"15"' in (out / "gradebook.csv").read_text().splitlines()[1]
    assert "Design: 15 of 20 (marked by Dr. B): well made" in (out / "feedback" / "s0.txt").read_text()
    page = (out / "feedback" / "s0.html").read_text()
    assert "X begins &amp; &lt;b&gt;" in page
    assert final(me.desk.seat(1).after) == 15
    assert "design waits for 1 student<" in (out / "index.html").read_text()  # two before that
    assert (out / "feedback.zip").is_file()
    scribe.end()


def test_what_follows_from_newer_decisions_is_not_written_over(sit: Open, out: Path) -> None:
    """Given decisions by hand, and a class that is graded again while the page has still to write what follows."""
    me = sit()
    me.decide(points=15)
    (out / "adjustments.yaml").write_text(
        "- {student: s1, criterion: design, points: 3, comment: on paper, by: me}\n"
    )
    (out / "gradebook.csv").write_text("of the newest decisions\n")
    me.desk.scribe.end()
    assert (out / "gradebook.csv").read_text() == "of the newest decisions\n"
    sit().desk.end()
    first, second = (out / "gradebook.csv").read_text().splitlines()[1:3]
    assert '"15"' in first and '"3"' in second


def test_who_handed_in_nothing_reads_the_total_that_a_person_gave_once(sit: Open, out: Path) -> None:
    me = sit()
    me.decide(4, "total", criterion=None, points=12, comment="on paper")
    me.comments(4, comment="Come and see me.")
    me.desk.scribe.end()
    assert (out / "feedback" / "s3.txt").read_text() == (
        "Dan Ritchie\n\nTotal: 12 of 30 (marked by Dr. B): on paper\nThere is no file.\n\n"
        "Comments from your instructor:\nCome and see me. (Dr. B)\n"
    )


def test_subjects_of_decisions_differ(sit: Open) -> None:
    me = sit()
    me.decide(points=15)
    me.decide(about="total", criterion=None, points=20)
    me.comments(comment="a")
    me.comments(about="line :6", line=6, comment="a")
    me.decide(about="seen", kind="seen", criterion=None)
    me.decide(about="late", kind="late", criterion=None)
    assert [subject(mark) for mark in me.marks()] == ["design", "total", "comment", "line :6", "seen", "late"]


def test_a_number_means_the_same_student_when_the_class_is_graded_again(tmp_path: Path) -> None:
    """Given a page that is open while somebody who comes first in the alphabet is graded, too."""
    bob, ada = (record(name.lower(), name, grade(name)) for name in ("Bob", "Ada"))
    me = Marker(written(tmp_path / "out", [bob], html=False))
    seen = me.wish(points=7)
    written(tmp_path / "out", [ada, bob], html=False)
    me.desk.seats()  # as the open page does when it asks again
    me.decisions.decide(seen)
    assert [(mark.student, mark.points) for mark in me.marks()] == [("bob", 7)]
    assert {seat.number: seat.key for seat in me.desk.seats()} == {1: "bob", 2: "ada"}
