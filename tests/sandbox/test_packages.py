"""The files of a package that a rubric allows, and of the grader: what a worker may read, and what not."""

from collections.abc import Callable
from pathlib import Path

import pytest

from grader.course.courses import OWN
from grader.sandbox import layers
from grader.sandbox.layers import is_the_graders
from grader.sandbox.packages import Unusable, installed

MakePackage = Callable[..., None]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder in which packages are installed."""
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


@pytest.fixture
def make(site: Path) -> MakePackage:
    """Give a function that installs a distribution with some files, as pip does."""

    def make_package(name: str, *files: str, requires: tuple[str, ...] = ()) -> None:
        info = site / f"{name.replace('-', '_')}-1.0.dist-info"
        info.mkdir()
        for file in files:
            (site / file).parent.mkdir(parents=True, exist_ok=True)
            (site / file).touch()
        needs = "".join(f"Requires-Dist: {requirement}\n" for requirement in requires)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n{needs}")
        (info / "RECORD").write_text("".join(f"{file},,\n" for file in (*files, f"{info.name}/METADATA")))

    return make_package


def test_a_package_comes_with_what_it_needs_and_nothing_else(make: MakePackage, site: Path) -> None:
    """Given a package with libraries beside it, what it needs, what that needs, and what nobody asked for."""
    make("Big-Thing", "big/__init__.py", "big.libs/x.so", "../bin/big", requires=(
        "small_thing>=1", "missing-thing", "optional ; extra == 'all'",
    ))  # fmt: skip
    make("small-thing", "small.py", "_small.abi3.so", requires=("Big-Thing",))
    make("optional", "optional/__init__.py")
    make("unrelated", "unrelated/__init__.py")
    found = installed(["big", "math"])
    places = {place.module: (place.file, place.folders) for place in found.places}
    assert places == {
        "big": (str(site / "big/__init__.py"), (str(site / "big"),)),
        "small": (str(site / "small.py"), ()),
        "_small": (str(site / "_small.abi3.so"), ()),
    }
    assert {str(Path(path).relative_to(site)) for path in found.readable} == {
        "big", "big.libs", "Big_Thing-1.0.dist-info", "small.py", "_small.abi3.so", "small_thing-1.0.dist-info",
    }  # fmt: skip


def test_what_nobody_has_installed_is_found_by_its_file(site: Path) -> None:
    (site / "lonely").mkdir()
    (site / "lonely" / "part.py").touch()
    (place,) = installed(["lonely"]).places
    assert (place.file, place.folders) == (None, (str(site / "lonely"),))


def test_the_grader_is_never_among_what_is_needed(make: MakePackage) -> None:
    make("nosy", "nosy.py", requires=("tictactoe-grader",))
    found = installed(["nosy"])
    assert "grader" not in {place.module for place in found.places}
    assert not any(OWN.is_relative_to(path) or is_the_graders(path) for path in found.readable)


def test_an_environment_may_lie_in_the_graders_folder(
    make: MakePackage, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a checkout with an environment in it: what is installed there may be allowed, and nothing else."""
    monkeypatch.setattr("grader.sandbox.layers.OWN", site.resolve())
    monkeypatch.setattr("sys.prefix", str(site / "environment"))
    make("inside", "environment/inside.py")
    make("beside", "beside.py")
    monkeypatch.syspath_prepend(site / "environment")
    assert [place.file for place in installed(["inside"]).places] == [str(site / "environment" / "inside.py")]
    with pytest.raises(Unusable):
        installed(["beside"])


@pytest.mark.parametrize(
    ("module", "why"),
    [
        ("nosuch", "which is not installed here: pip install nosuch, or take it out"),
        ("big.part", "which is no name of a module: say how it is imported, by its first part (big)"),
        ("Big-Thing", "which is no name of a module: say how it is imported, as in big"),
        ("no-such thing", "which is no name of a module: say how it is imported"),
        ("", "which is no name of a module: say how it is imported"),
        ("grader", "which is the grader itself: take it out"),
    ],
)
def test_a_module_that_cannot_be_had_says_why_and_what_to_do(
    make: MakePackage, module: str, why: str
) -> None:
    make("Big-Thing", "big/__init__.py")
    with pytest.raises(Unusable) as error:
        installed([module])
    assert (error.value.module, error.value.why) == (module, f"'imports.allowed' names {module}, {why}")


def test_nothing_is_imported_to_find_out(make: MakePackage, site: Path) -> None:
    make("loud", "loud/__init__.py")
    (site / "loud" / "__init__.py").write_text("raise SystemExit\n")
    assert installed(["loud"]).places


def test_the_standard_library_needs_no_place() -> None:
    assert installed(["math", "json"]).places == ()


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder of packages, one of which is the grader."""
    for name in ("lib/packages/grader/shipped", "lib/packages/numpy", "lib/python", "bin"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "lib/packages/six.py").touch()
    monkeypatch.setattr(layers, "OWN", tmp_path / "lib/packages/grader")
    return tmp_path


@pytest.mark.parametrize(
    ("granted", "readable", "listable"),
    [
        ("bin bin", "bin", ""),
        (".", "bin lib/packages/numpy lib/packages/six.py lib/python", ". lib lib/packages"),
        ("lib/packages/grader", "", ""),
    ],
    ids=["without the grader", "around the grader", "the grader itself"],
)
def test_all_but_the_grader_is_granted(packages: Path, granted: str, readable: str, listable: str) -> None:
    def paths(names: str) -> list[str]:
        return [str(packages / name) for name in names.split()]

    found = layers.around_the_grader(paths(granted))
    assert (sorted(found[0]), found[1]) == (paths(readable), paths(listable))
