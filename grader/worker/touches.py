"""What one call did to the module's names: which it read before it changed them, and what it changed.

A number that is only added to and a list that is only appended to are not read by that: how much is added and
what is appended depends on nothing that was there before.
"""

from marshal import dumps, loads

from grader.worker.errors import NotRecallable
from grader.worker.own import *

READ, BOUND, CLEARED, ADDED, APPENDED = 0, 1, 2, 3, 4


class Touch:
    """What a call did first to a name: to which object, and what is told below of each kind.

    READ: its content then (None: unknown), and whether it was bound anew afterwards; BOUND, CLEARED: nothing
    more, for what follows depends on the call alone; ADDED: how much; APPENDED: the items.
    """

    __slots__ = ("amount", "content", "kind", "rebound", "thing")

    def __init__(
        self, kind: int, thing: Any = None, content: bytes | None = None, amount: Any = None
    ) -> None:
        self.kind, self.thing, self.content, self.amount = kind, thing, content, amount
        self.rebound = False


class Frame:
    """A call at work: the names it touched, in the order in which it read them."""

    __slots__ = ("broken", "touched")

    def __init__(self) -> None:
        self.touched: dict[str, Touch] = {}
        self.broken = False

    def read(self, name: str, thing: Any, content: bytes | None) -> None:
        """Note that a name was read, with this content; what the call itself had put there is taken off."""
        touch = self.touched.get(name)
        if touch is None or touch.kind >= ADDED:
            read = self.touched[name] = Touch(READ, thing, content)
            if content is None:
                self.broken = True
            elif touch is not None:
                del self.touched[name]  # the order is that of the reading
                self.touched[name] = read
                read.rebound = touch.kind == ADDED
                value = loads(content)
                before = value - touch.amount if touch.kind == ADDED else value[: -len(touch.amount)]
                read.content = dumps(before, 2)

    def bound(self, name: str) -> None:
        """Note that a name was given a new value."""
        touch = self.touched.get(name)
        if touch is not None and touch.kind == READ:
            touch.rebound = True
        else:
            if touch is not None and touch.kind in (CLEARED, APPENDED):
                self.broken = True  # others may hold the old one, which has changed
            self.touched[name] = Touch(BOUND)

    def added(self, name: str, amount: int) -> None:
        """Note that a number was added to."""
        touch = self.touched.get(name)
        if touch is None:
            self.touched[name] = Touch(ADDED, amount=amount)
        elif touch.kind == ADDED:
            touch.amount += amount
        else:
            touch.rebound = True

    def appended(self, name: str, thing: Any, items: list[Any]) -> None:
        """Note that a list was appended to."""
        touch = self.touched.get(name)
        if touch is None:
            self.touched[name] = Touch(APPENDED, thing, amount=[*items])
        elif touch.kind == APPENDED:
            touch.amount += items

    def cleared(self, name: str, thing: Any) -> None:
        """Note that a container was emptied."""
        touch = self.touched.get(name)
        if touch is None or touch.kind == APPENDED:
            self.touched[name] = Touch(CLEARED, thing)

    def pass_on(self, outer: "Frame") -> None:
        """Note in the call around this one what this one did, whether it ended well or not."""
        for name, touch in self.touched.items():
            if touch.kind == READ:
                outer.read(name, touch.thing, touch.content)
                if touch.rebound:
                    outer.bound(name)
            elif touch.kind == BOUND:
                outer.bound(name)
            elif touch.kind == CLEARED:
                outer.cleared(name, touch.thing)
            elif touch.kind == ADDED:
                outer.added(name, touch.amount)
            else:
                outer.appended(name, touch.thing, touch.amount)
        outer.broken = outer.broken or self.broken


class Outside(Frame):
    """Where calls come from: each must find the names that it reads as they were when the file was loaded.

    Else its answer depends on what was asked before, and boards cannot be asked in any order.
    """

    __slots__ = ("loaded",)

    def __init__(self) -> None:
        super().__init__()
        self.loaded: dict[str, bytes | None] | None = None

    def read(self, name: str, thing: Any, content: bytes | None) -> None:
        """Refuse to go on where a call has left something that another reads."""
        if self.loaded is not None and (content is None or content != self.loaded.get(name)):
            raise NotRecallable(f"what it writes to {name} outlives the call, and is read by the next")

    def _nobody_asks(self, *about: Any, **named: Any) -> None:
        pass

    bound = added = appended = cleared = _nobody_asks
