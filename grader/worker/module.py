"""The module that a submission becomes: compiled, run, and run again for a search with fresh names."""

import sys
from _ast import PyCF_ONLY_AST
from marshal import dumps, loads

from grader.worker.own import *

NAME = "tictactoe"
"""What a submission is called, so that it may import itself."""


def new_module(filename: str) -> Any:
    """Return a new module for the submission's names, and let it be the one that others import."""
    module = type(sys)(NAME)
    module.__file__ = filename
    for name in own_names(filename):
        sys.modules[name] = module
    return module


def own_names(filename: str) -> list[str]:
    """Return what a submission may be imported as: the assignment's name, and that of its file."""
    stem = filename.removesuffix(".py")
    is_free = stem.isidentifier() and stem[0] != "_" and stem not in sys.stdlib_module_names
    return [NAME, stem] if is_free and stem != NAME else [NAME]


def compiler(sources: dict[str, bytes], settings: dict[str, Any], *, has_packages: bool) -> Any:
    """Return a function that prepares the submission to be run.

    It returns a function that gives each file's code, names to set before a file runs, what to put in the
    place of some of its names after that, and a check of the names of all files.

    What it needs of the grader is imported here, before the submission can be in the way. The functions in
    `replace` come with their source and the tables that it needs; those in `known`, with their answers.
    """
    rules = {name: _function(*loads(sent)) for name, sent in settings["replace"].items()}

    def code_of(filename: str) -> Any:
        return compile(sources[filename], filename, "exec", dont_inherit=True)

    if not settings["recall"]:
        return lambda: (code_of, {}, lambda names: rules, lambda spaces: None)
    from grader.worker.recall import Memory, looked_up, recalled

    whole = b"".join(sources.values())
    buffers = has_packages or b"array" in whole or b"memoryview" in whole

    def compiled() -> Any:
        codes, look_at = recalled(sources)
        return codes.__getitem__, Memory(buffers=buffers).given(), replaced, look_at

    def replaced(names: dict[str, Any]) -> dict[str, Any]:
        found, known = {**names, **rules}, settings["known"].items()
        return rules | {
            name: looked_up(name, loads(sent), found[name]) for name, sent in known if name in found
        }

    return compiled


def parse(source: bytes) -> Any:
    """Return the syntax tree of a source, as `ast.parse` does, without importing `re` and `enum`."""
    return compile(source, "<unknown>", "exec", PyCF_ONLY_AST, dont_inherit=True)


def put(rules: dict[str, Any], names: dict[str, Any], others: list[dict[str, Any]]) -> None:
    """Put functions in the place of the submission's, also where another of its modules has the very same."""
    for name, rule in rules.items():
        before = names.get(name, rule)
        for space in others:
            space.update({key: rule for key, value in space.items() if value is before})
        names[name] = rule


def _function(source: str, tables: dict[str, Any]) -> Any:
    """Return the function that a source defines, beside its tables."""
    names: dict[str, Any] = {"__builtins__": sys.modules["builtins"], **tables}
    exec(compile(source, "<given>", "exec", dont_inherit=True, optimize=2), names)
    (function,) = (value for value in names.values() if type(value) is type(_nothing))
    return function


def reseeder(source: bytes) -> Any:
    """Return what makes a submission that uses `random` answer the same way on every run."""
    if b"random" not in source:
        return _nothing
    from random import seed

    return lambda: seed(0)


def _nothing() -> None:
    pass


class Afresh:
    """Runs a submission again for a new set of names: whole, or without what took long the first time.

    Then definitions and imports alone are run again, and what makes a function of another; other names hold
    what they held after the first run.
    """

    def __init__(self, code: Any) -> None:
        self._code = code
        self._kept: dict[str, Any] = {}
        self._blobs: dict[str, bytes] = {}

    def skip_what_takes_long(self, source: bytes, filename: str, names: dict[str, Any]) -> None:
        """Remember the names that a run has left, and run no more than the definitions from now on."""
        import _ast as ast

        kept = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom
        tree = parse(source)
        made = {name for name, value in names.items() if callable(value)}
        tree.body = [
            statement
            for statement in tree.body
            if isinstance(statement, kept)
            or (
                isinstance(statement, ast.Assign)
                and any(getattr(name, "id", "") in made for name in statement.targets)
            )
        ]
        self._code = compile(tree, filename, "exec", dont_inherit=True)
        for name, value in names.items():
            if name[:2] != "__":
                try:
                    self._blobs[name] = dumps(value, 2)
                except ValueError:
                    self._kept[name] = value

    def run(self, names: dict[str, Any], into: Any) -> None:
        """Run it: what it defines is put into a mapping that hands it on to the names."""
        names.update(self._kept)
        names.update({name: loads(blob) for name, blob in self._blobs.items()})
        exec(self._code, names, into)


class NotRecallable(BaseException):
    """The file's functions do more than compute from what can be remembered: why, and on which line.

    It may be found while a submission runs, whose handlers are for exceptions of its own.
    """
