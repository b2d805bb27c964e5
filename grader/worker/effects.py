"""A memory for functions that also read and write names of their module: plain data, small, by content.

Of a call is remembered which names it read before it changed them, the calls within it included, and what it
left in them. Its answer is looked up by the arguments and then, name by name, by what those that it read hold
now; what it changed is done again. Whatever does not fit is run, slowly and rightly.
"""

from marshal import dumps, loads

from grader.worker.errors import NotRecallable
from grader.worker.own import *
from grader.worker.plain import are_apart, containers, is_flat, is_immutable, refuse_buffers
from grader.worker.recall import Copy, Memory, everything
from grader.worker.touches import ADDED, APPENDED, BOUND, CLEARED, READ, Frame, Outside, Touch

_MAX_EFFECT = 10_000
_IN_VAIN = 200
"""Calls in a row of which nothing could be kept, after which a function is left alone."""

_UNTOUCHED, _BIND, _FILL, _ADD, _APPEND = 0, 1, 2, 3, 4


class _Ask:
    """Where the answer depends on a name: which."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class _Done:
    """An answer with effects: of each name how it was touched, what was read, and what to do again."""

    __slots__ = ("steps", "value")

    def __init__(self, value: object, steps: list[tuple[str, int, bytes | None, int, Any]]) -> None:
        self.value, self.steps = value, steps


class Effects(Memory):
    """Remembers calls with what they read and wrote; `given` is what the changed source calls."""

    def __init__(self, *, buffers: bool = False) -> None:
        super().__init__(buffers=buffers)
        self._names: dict[str, Any] = {}
        self._unfit: set[str] = set()
        self._outside = Outside()
        self._frame: Frame = self._outside

    def given(self) -> dict[str, Any]:
        """Return the names that the changed source uses."""
        load, store, delete = self._load, self._store, self._delete

        class Shared:
            __slots__ = ()

            def __getattr__(self, name: str) -> Any:
                return load(name)

            def __setattr__(self, name: str, value: Any) -> None:
                store(name, value)

            def __delattr__(self, name: str) -> None:
                delete(name)

        hooks = {"add": self._add, "append": self._append, "clear": self._clear, "loaded": self._loaded}
        named = {f"__{name}__": hook for name, hook in hooks.items()}
        return {**super().given(), "__shared__": Shared(), **named}

    def recall(self, function: Any) -> Any:
        """Return the function with a memory of its results and its effects."""
        names = getattr(function, "__globals__", {})
        if "__shared__" in names:
            self._names = names
        results, enclosed = self.begun(function)
        look_up, content_of, cells = results.get, self.content_of, enclosed.cells
        in_vain = 0

        def remembered(*arguments: Any, **named: Any) -> Any:
            nonlocal in_vain
            if in_vain > _IN_VAIN:
                return function(*arguments, **named)
            try:
                parts = everything(arguments, named, enclosed) if named or cells else arguments
                content = content_of(parts)
            except ValueError:
                return function(*arguments, **named)
            key: Any = content
            found: Any = look_up(key, look_up)
            while type(found) is _Ask:
                key = key, self._content(found.name, self._names.get(found.name, look_up))
                found = look_up(key, look_up)
            if type(found) is _Done:
                found = found.value if self._do_again(found, parts) else look_up
            if found is not look_up:
                return loads(found.blob) if type(found) is Copy else found
            outer = self._frame
            frame = self._frame = Frame()
            try:
                value = function(*arguments, **named)
            finally:
                self._frame = outer
                frame.pass_on(outer)
            in_vain = in_vain + 1 if frame.broken else 0
            try:
                parts = everything(arguments, named, enclosed) if named or cells else arguments
                if not frame.broken and content_of(parts) == content:
                    self._keep_all(results, content, value, frame, parts)
            except ValueError:
                pass
            return value

        return self.named(remembered, function, enclosed)

    def _content(self, name: str, thing: Any) -> bytes | None:
        """Return what a name holds, or None; what did not fit once is not looked at again."""
        if name in self._unfit:
            return None
        try:
            return self.content_of(thing)
        except ValueError:
            self._unfit.add(name)
            return None

    def _load(self, name: str) -> Any:
        try:
            thing = self._names[name]
        except KeyError:
            self._frame.broken = True
            raise NameError(f"name '{name}' is not defined") from None
        touch = self._frame.touched.get(name)
        if touch is None or touch.kind >= ADDED:
            self._frame.read(name, thing, self._content(name, thing))
        return thing

    def _store(self, name: str, value: Any) -> None:
        if type(value) in (list, dict, set):
            for other, thing in self._names.items():
                if thing is value and other != name:
                    raise NotRecallable(f"{other} and {name} are the same object, and {name} is written to")
        self._names[name] = value
        self._frame.bound(name)

    def _delete(self, name: str) -> None:
        self._load(name)
        del self._names[name]
        self._frame.broken = True

    def _add(self, name: str, amount: int) -> None:
        if type(self._names.get(name)) is int:
            self._names[name] += amount
            self._frame.added(name, amount)
        else:
            self._store(name, self._load(name) + amount)

    def _append(self, name: str) -> Any:
        """Return what appends to the list that the name holds now."""
        thing: Any = self._names.get(name)
        if type(thing) is not list:
            return self._load(name).append

        def append(item: Any) -> None:
            if self._names.get(name) is thing:
                self._frame.appended(name, thing, [item])
            else:
                self._frame.broken = True
            thing.append(item)

        return append

    def _clear(self, name: str) -> None:
        thing: Any = self._names.get(name)
        if type(thing) in (list, dict, set):
            self._frame.cleared(name, thing)
            thing.clear()
        else:
            self._load(name).clear()

    def _loaded(self, *names: str) -> None:
        """Take what the names hold for what every call from outside has to find there."""
        inside = {name: containers(thing) for name, thing in self._names.items() if name[:2] != "__"}
        for name in names:
            for other, own in inside.items():
                if other != name and not own.isdisjoint(inside.get(name, ())):
                    raise NotRecallable(f"{other} and {name} share an object, and {name} is written to")
        self._outside.loaded = {name: self._content(name, self._names.get(name, self)) for name in names}

    def _keep_all(self, results: Any, content: bytes, value: Any, frame: Frame, parts: Any) -> None:
        """Keep an answer with what the call read and changed; raise ValueError where that does not fit."""
        if not frame.touched:
            self.keep(results, content, value)
            return
        apart = [parts, value]
        touched = frame.touched.items()
        steps = [(name, one.kind, one.content, *self._effect(name, one, apart)) for name, one in touched]
        if len(apart) > 2 and not are_apart(apart):
            return
        kept, size = self.kept(value)
        key: Any = content
        size += len(content)
        for name, kind, read, _, what in steps:
            size += len(read or b"") + (len(what.blob) if type(what) is Copy else 0)
            if kind == READ:
                found = results.get(key)
                if found is None:
                    self.put(results, key, _Ask(name), size)
                elif type(found) is not _Ask or found.name != name:
                    return
                key = key, read
        self.put(results, key, _Done(kept, steps), size)

    def _effect(self, name: str, touch: Touch, apart: list[Any]) -> tuple[int, Any]:
        """Return what a call has done to a name, to be done again, and add the objects that matter."""
        thing, kind = touch.thing, touch.kind
        if kind == ADDED:
            return _ADD, touch.amount
        if kind == APPENDED:
            apart.append(touch.amount)
            return _APPEND, self._exactly(touch.amount)
        if not is_immutable(thing):
            apart.append(thing)
        changed = kind == READ and not is_immutable(thing) and self.content_of(thing) != touch.content
        if kind == BOUND or touch.rebound:
            value = self._names.get(name, self)
            if changed or value is self:
                raise ValueError("the former value has changed, or there is none now")
            if is_immutable(value):
                return _BIND, value
            if value is not thing:
                apart.append(value)
            return _BIND, self._exactly(value)
        if not changed and kind != CLEARED:
            return _UNTOUCHED, None
        if type(thing) not in (list, dict, set) or not is_flat(thing):
            raise ValueError("others may hold what is inside")
        return _FILL, self._exactly(thing)

    def _exactly(self, value: Any) -> Copy:
        """Return what makes the same value again."""
        if self.buffers:
            refuse_buffers(value)
        blob = dumps(value, 2)
        if len(blob) > _MAX_EFFECT:
            raise ValueError("too large to be done again")
        return Copy(blob)

    def _do_again(self, done: _Done, parts: Any) -> bool:
        """Do what a call did to its names; or do nothing and return False where it might do otherwise."""
        ready = []
        for name, kind, read, how, what in done.steps:
            thing = self._names.get(name, self)
            new = loads(what.blob) if type(what) is Copy else what
            if how >= _FILL and type(thing) is not (int if how == _ADD else type(new)):
                return False
            if how in (_FILL, _APPEND) and id(thing) in containers(parts):
                return False
            ready.append((name, kind, read, how, thing, new))
        frame = self._frame
        for name, kind, read, how, thing, new in ready:
            if kind == READ:
                frame.read(name, thing, read)
            if how == _BIND:
                self._store(name, new)
            elif how == _ADD:
                self._add(name, new)
            elif how == _APPEND:
                frame.appended(name, thing, new)
                thing.extend(new)
            elif how == _FILL:
                if kind == CLEARED:
                    frame.cleared(name, thing)
                thing.clear()
                thing.extend(new) if type(thing) is list else thing.update(new)
        return True
