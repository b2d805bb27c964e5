"""What lies beside the grader may be read, and the grader may not."""

from pathlib import Path

import pytest

from grader.sandbox import layers


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder of packages, one of which is the grader."""
    for name in ("lib/packages/grader/shipped", "lib/packages/numpy", "lib/python", "bin"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "lib/packages/six.py").touch()
    monkeypatch.setattr(layers, "OWN", tmp_path / "lib/packages/grader")
    return tmp_path


def test_a_folder_without_the_grader_is_granted_whole(packages: Path) -> None:
    assert layers.around_the_grader([packages / "bin", packages / "bin"]) == ([str(packages / "bin")], [])


def test_of_a_folder_with_the_grader_all_but_the_grader_is_granted(packages: Path) -> None:
    readable, listable = layers.around_the_grader([packages])
    names = ["bin", "lib/packages/numpy", "lib/packages/six.py", "lib/python"]
    assert sorted(readable) == [str(packages / name) for name in names]
    assert listable == [str(packages), str(packages / "lib"), str(packages / "lib/packages")]


def test_the_grader_itself_is_not_granted(packages: Path) -> None:
    assert layers.around_the_grader([packages / "lib/packages/grader"]) == ([], [])
