"""Work that is handed in late: how times are written, and what is taken off."""

import math
import re
from typing import TYPE_CHECKING, Annotated, Any, Final

from grader.core.messages import _, later, ngettext
from grader.core.values import Reads, Written, said

if TYPE_CHECKING:
    from datetime import datetime

_UNITS: Final = {"w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1, "y": 31_536_000}
_TIME: Final = (
    r"(?i)(?<!\d)(\d{1,9}(?:\.\d{1,9})?)\s{0,9}"
    r"(w|d|h|m|s|y|weeks?|days?|hours?|minutes?|mins?|seconds?|secs?|years?)\b"
)
_CLOCK: Final = r"(\d{1,6}):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?"
_DAY: Final = 86_400.0
_WHY_LATE: Final = {
    (True, False): later("Handed in {time} late: {each} per day or part of a day."),
    (True, True): later("Handed in {time} late: {each} per day or part of a day, at most {most}."),
    (False, False): later(
        "Handed in late, nobody knows by how much (one day): {each} per day or part of a day."
    ),
    (False, True): later(
        "Handed in late, nobody knows by how much (one day): {each} per day or part of a day, at most {most}."
    ),
}
"""Why something is taken off: whether it is known how late it was, and whether there is a limit."""


def seconds_in(text: str) -> float | None:
    """Return the time that a text names (`2 days 3 hours late`, `15m`, `26:30:00`) in seconds, or None."""
    clock = re.fullmatch(_CLOCK, text.strip())
    if clock:
        hours, minutes, seconds = (int(one or 0) for one in clock.groups())
        return 3600.0 * hours + 60 * minutes + seconds
    found = re.findall(_TIME, text)
    return sum(float(count) * _UNITS[unit[0].lower()] for count, unit in found) if found else None


def _known_time(value: object) -> object:
    if not isinstance(value, str) or seconds_in(value) is None or re.sub(_TIME, "", value).strip():
        raise ValueError(_("a time is a number and its unit, as 15m, 36h or 7d"))
    return value


def _known_date(value: object) -> object:
    try:
        _date(value if isinstance(value, str) else "")
    except ValueError:
        raise ValueError(_("a date is written as 2026-03-01 23:59, or with its zone: 23:59+01:00")) from None
    return value


def _date(text: str) -> "datetime":
    """Return the date in a text; raise ValueError for anything else."""
    from datetime import datetime  # most courses take nothing off: they need no calendar to start

    return datetime.fromisoformat(text)


def _known_amount(value: object) -> object:
    is_share = isinstance(value, str) and re.fullmatch(r"\d{1,3}(\.\d+)?\s*%", value)
    if isinstance(value, bool) or not (is_share or isinstance(value, int | float)):
        raise ValueError(_("points, or a share as 10%"))
    if isinstance(value, int | float) and value < 0:
        raise ValueError(_("input should be greater than or equal to 0"))
    return value


_Time = Annotated[str, Reads(_known_time)]
_Amount = Annotated[float | str, Reads(_known_amount)]


class Late(Written):
    """What is taken off for late work; a share is one of the full marks."""

    due: Annotated[str, Reads(_known_date)] | None = said(
        "When it was due, as 2026-03-01 23:59 (this machine's time, or with a zone): needed "
        "where a date says when something was handed in, and not how late it was.",
        default=None,
    )
    per_day: _Amount = said("Taken off per day or part of a day: points, or a share as 10%.")
    grace: _Time = said("So much later is not late yet, as 15m.", default="0m")
    at_most: _Amount | None = said("Never more than that: points, or a share as 50%.", default=None)
    not_after: _Time | None = said("What comes later than that, as 7d, earns nothing.", default=None)

    def taken_off(self, late_by: float | None, total: float, points: float) -> tuple[float, str]:
        """Return what is taken off a total for being so many seconds late, and the reason.

        None stands for late by nobody knows how much: that is one day.
        """
        if self.is_in_time(late_by):
            return 0.0, ""
        too_late = seconds_in(self.not_after) if self.not_after else None
        nothing = "" if total else _("There was nothing to take off.")
        if late_by is not None and too_late is not None and late_by > too_late:
            why = _(
                "Handed in {time} late: what comes after {limit} earns nothing.",
                time=_told(late_by),
                limit=self.not_after,
            )
            return total, f"{why} {nothing}".rstrip()
        days = 1 if late_by is None else math.ceil(late_by / _DAY)
        most = math.inf if self.at_most is None else _in_points(self.at_most, points)
        costs = min(days * _in_points(self.per_day, points), most)
        if total and costs > total:
            nothing = _("That would be {costs:g} points: all that there were are taken off.", costs=costs)
        words: dict[str, Any] = {"each": self._each(points), "most": self.at_most}
        if late_by is not None:
            words["time"] = _told(late_by)
        why = _(_WHY_LATE[late_by is not None, self.at_most is not None], **words)
        return round(min(costs, total), 2), f"{why} {nothing}".rstrip()

    def _each(self, points: float) -> str:
        """Return what a day costs, in words."""
        if isinstance(self.per_day, str):
            return _("{share} of {points:g} points", share=self.per_day, points=points)
        return _("{points:g} points", points=self.per_day)

    def is_in_time(self, late_by: float | None) -> bool:
        """Return whether so many seconds are not late yet."""
        return late_by is not None and late_by <= (seconds_in(self.grace) or 0.0)

    def seconds_after(self, date: str) -> float | None:
        """Return how long after the day on which it was due a date is; None where either is not known."""
        if not self.due or not date:
            return None
        due, there = _date(self.due), _date(date)
        if (due.tzinfo is None) != (there.tzinfo is None):
            due, there = due.astimezone(), there.astimezone()
        return (there - due).total_seconds()


def _in_points(amount: float | str, points: float) -> float:
    return float(amount.rstrip("% ")) * points / 100 if isinstance(amount, str) else amount


def _told(seconds: float) -> str:
    """Return a time in its two largest units."""
    parts, rest = [], round(seconds)
    for name in "dhm":
        count, rest = divmod(rest, _UNITS[name])
        words = {
            "d": ngettext("{count} day", "{count} days", count),
            "h": ngettext("{count} hour", "{count} hours", count),
            "m": ngettext("{count} minute", "{count} minutes", count),
        }
        parts += [words[name]] if count else []
    return " ".join(parts[:2]) or _("a moment")
