"""Build hook of the wheel: adds the validated courses and the sandbox, so that no first grade makes them."""

import sys
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the validated courses and the WebAssembly sandbox to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add a file for each course, and the sandbox; without what makes them the package works."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        self._add_sandbox(build_data)
        with suppress(ModuleNotFoundError):
            from grader.course.courses import course_names, fixtures_of, rubric_of
            from grader.course.loading import shipped_name, text_of, validated

            folder = Path(mkdtemp())
            for name in ("default", *course_names()):
                rubric, fixtures = rubric_of(name), fixtures_of(rubric_of(name))
                file = folder / shipped_name(rubric, fixtures)
                file.write_text(text_of(validated(rubric, fixtures), rubric, fixtures), encoding="utf-8")
                build_data["force_include"][str(file)] = f"grader/shipped/validated/{file.name}"

    def _add_sandbox(self, build_data: dict[str, Any]) -> None:
        """Add the component that confines submissions where the system has no boundary of its own."""
        try:
            import componentize_py  # noqa: F401 - whether it is there

            from grader.sandbox import component

            file = Path(mkdtemp()) / f"{component.version()}.wasm"
            file.write_bytes(component.content())
            build_data["force_include"][str(file)] = f"grader/shipped/component/{file.name}"
        except ModuleNotFoundError:
            return
        except Exception as error:
            print(f"the WebAssembly sandbox is not in this package: {error}", file=sys.stderr)
