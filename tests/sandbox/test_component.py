"""The component on the disk: made once, made again if it is damaged or not this user's alone."""

import os
import tempfile
from pathlib import Path
from typing import Any

import pytest

from grader.core.errors import UserError

pytest.importorskip("wasmtime", reason="wasmtime is not installed: pip install -e '.[wasm]'")
pytest.importorskip("componentize_py", reason="componentize-py is not installed: pip install -e '.[wasm]'")

from grader.sandbox import component


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let the component be made of nothing, in a folder of its own; give what was done."""
    import wasmtime.component

    done: list[str] = []

    class Made:
        def __init__(self, engine: object, content: bytes) -> None:
            done.append("compiled")

        def serialize(self) -> bytes:
            return b"compiled"

        @staticmethod
        def deserialize_file(engine: object, path: str) -> str:
            return Path(path).read_text()

    def build(target: Path) -> None:
        done.append("built")
        target.write_bytes(b"component")

    monkeypatch.setattr(wasmtime.component, "Component", Made)
    monkeypatch.setattr(component, "build", build)
    monkeypatch.setattr(component, "FOR_ALL", tmp_path / "for all")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return done


def prepared() -> component.Ready:
    nothing: Any = None
    return component.prepared(nothing, lambda engine, found: "3.14.0")


def files(folder: Path, pattern: str = "*") -> list[Path]:
    return sorted((folder / "tictactoe-grader" / "wasm").glob(pattern))


def test_it_is_built_and_compiled_once(made: list[str], tmp_path: Path, capsys: Any) -> None:
    first = prepared()
    assert (made, first.python, len(first.digest)) == (["built", "compiled"], "3.14.0", 64)
    assert prepared() == first
    assert made == ["built", "compiled"]
    assert capsys.readouterr().err == "preparing the sandbox, once: this takes about a minute\n"
    assert [file.suffix for file in files(tmp_path)] == [".compiled", ".about", ".wasm", ".about", ""]


def test_what_was_prepared_for_all_users_is_used_first(made: list[str], tmp_path: Path) -> None:
    nothing: Any = None
    file = component.prepare_for_all(nothing, lambda engine, found: "3.14.0")
    assert file.parent == component.FOR_ALL and file.stat().st_mode & 0o777 == 0o644
    assert prepared().python == "3.14.0"
    assert made == ["built", "compiled"]
    file.write_bytes(b"damaged")
    prepared()
    assert made == ["built", "compiled", "compiled"]


@pytest.mark.parametrize(
    ("damaged", "again"),
    [
        ("*.compiled", ["compiled"]),
        ("*.compiled.about", ["compiled"]),
        ("*[dm]", ["built", "compiled"]),
        ("*.[cw]*", ["built", "compiled"]),
    ],
    ids=["the compiled one", "its digest", "both files", "all"],
)
def test_what_is_damaged_is_made_again(
    made: list[str], tmp_path: Path, damaged: str, again: list[str]
) -> None:
    prepared()
    for file in files(tmp_path, damaged):
        file.write_bytes(b"damaged" + file.read_bytes())
    prepared()
    assert made == ["built", "compiled", *again]


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="Windows guards a user's folder by other means")
def test_what_others_may_write_is_not_used(made: list[str], tmp_path: Path) -> None:
    prepared()
    (file,) = files(tmp_path, "*.compiled")
    file.chmod(0o666)
    prepared()
    assert made == ["built", "compiled", "compiled"]
    other = tmp_path / "other"
    other.write_bytes(file.read_bytes())
    file.unlink()
    file.symlink_to(other)
    prepared()
    assert made == ["built", "compiled", "compiled", "compiled"]
    assert not file.is_symlink()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="Windows guards a user's folder by other means")
def test_a_folder_that_others_may_write_is_not_used(
    made: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path / "temporary"))
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "nowhere" / "home")
    mine = f"tictactoe-grader-wasm-{os.getuid()}"
    for folder in (tmp_path / "tictactoe-grader" / "wasm", tmp_path / "temporary" / mine):
        folder.mkdir(parents=True)
        folder.chmod(0o777)
    with pytest.raises(UserError, match="nobody else may write to"):
        prepared()
    assert made == []


def test_what_older_versions_left_is_removed(made: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "tictactoe-grader" / "wasm"
    folder.mkdir(parents=True, mode=0o700)
    for name in ("0123456789abcdef.wasm", "0123456789abcdef-50.0.0-Linux-x86_64.compiled", "tmpabc"):
        (folder / name).write_bytes(b"old")
        os.utime(folder / name, (0, 0))
    (folder / "fedcba9876543210.wasm").write_bytes(b"of another checkout")
    prepared()
    assert (folder / "fedcba9876543210.wasm").exists()
    assert not [file for file in files(tmp_path) if file.read_bytes() == b"old"]


def test_what_only_serves_the_native_boundary_is_not_in_it() -> None:
    names = {name.rpartition("/")[2] for name in component.sources()}
    assert {"guest.py", "host.py", "calling.py"} <= names
    assert not names & {"seccomp.py", "landlock.py", "confine.py", "serve.py", "template.py"}


def test_it_says_what_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(component, "find_spec", lambda name: None)
    assert component.missing().startswith("wasmtime is not installed: pip install")
