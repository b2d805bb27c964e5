"""The modules that came with a submission: imported from memory, as if they lay beside it.

What the import system holds of this are plain functions: nothing leads from them to a recorder.
"""

import sys

from grader.worker.module import Afresh
from grader.worker.own import *

_INSIDE = "/__init__.py"


class Helpers:
    """Finds and runs the modules of a submission; `caught` may take the names that they define."""

    def __init__(self, files: list[str]) -> None:
        self._files = {_module(file): file for file in files}
        self._packages = {name for file in files for name in _packages(file)}
        self._sources: dict[str, bytes] = {}
        self._code_of: Any = None
        self._given: dict[str, Any] = {}
        self._afresh: dict[str, Afresh] = {}
        self._spaces: dict[str, dict[str, Any]] = {}
        self.caught: Any = None

    @property
    def names(self) -> list[str]:
        """What the modules are called."""
        return [*self._files, *[name for name in self._packages if name not in self._files]]

    def spaces(self) -> list[dict[str, Any]]:
        """Return the names of each module that is loaded now."""
        return [*self._spaces.values()]

    def install(self, sources: dict[str, bytes]) -> None:
        """Let the submission find them, before anything else that has such a name."""
        if not self._files:
            return
        self._sources = sources
        find, run, spec_of = self._is_known, self._run, type(sys.__spec__)
        door: Any = type(sys)("helpers")  # a plain object to hang functions on

        def find_spec(name: str, path: Any = None, target: Any = None) -> Any:
            known = find(name)
            return None if known is None else spec_of(name, door, origin=known[0], is_package=known[1])

        def exec_module(module: Any) -> None:
            run(module)

        door.__dict__.update(find_spec=find_spec, create_module=lambda spec: None, exec_module=exec_module)
        sys.meta_path.insert(0, door)

    def begin(self, code_of: Any, given: dict[str, Any]) -> None:
        """Take what gives each file's code, and the names that are there before it runs."""
        self._code_of, self._given = code_of, given

    def forgotten(self) -> dict[str, Any]:
        """Let every module be loaded anew; return those that were loaded."""
        self._spaces = {}
        return {name: sys.modules.pop(name) for name in self.names if name in sys.modules}

    def skip_what_takes_long(self) -> None:
        """Run no more than the definitions of those that are loaded, from now on."""
        for name, names in self._spaces.items():
            file = self._files[name]
            self._afresh[name].skip_what_takes_long(self._sources[file], file, names)

    def _is_known(self, name: str) -> tuple[str, bool] | None:
        if name not in self._files and name not in self._packages:
            return None
        return self._files.get(name, ""), name in self._packages

    def _run(self, module: Any) -> None:
        name, names = module.__name__, module.__dict__
        if name not in self._files:
            return
        self._spaces[name] = names
        names["__file__"] = self._files[name]
        names.update(self._given)
        if name not in self._afresh:
            self._afresh[name] = Afresh(self._code_of(self._files[name]))
        self._afresh[name].run(names, self.caught(names) if self.caught else names)


def _module(file: str) -> str:
    """Return what a file is imported as."""
    end = _INSIDE if file.endswith(_INSIDE) else ".py"
    return file.removesuffix(end).replace("/", ".")


def _packages(file: str) -> list[str]:
    """Return the packages that a file is in."""
    parts = file.split("/")[:-1]
    return [".".join(parts[: number + 1]) for number in range(len(parts))]
