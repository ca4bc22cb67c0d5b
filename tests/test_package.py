"""The package as a whole: what it exports, and what its compiled modules promise in their docstrings."""

import ast
import doctest
import importlib
import importlib.metadata
import inspect
import pkgutil
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

import baker

MODULES = [module.name for module in pkgutil.walk_packages(baker.__path__, "baker.") if module.name != "baker.__main__"]
COMPILED = [name for name in MODULES if str(importlib.import_module(name).__file__).endswith(tuple(EXTENSION_SUFFIXES))]
# Those that Python code imports; the others are there for compiled modules alone.
STUBBED = ["baker._core", "baker.engines.base", *(name for name in COMPILED if name.endswith(".search"))]


def test_every_compiled_module_is_there() -> None:
    searches = {f"baker.engines.{name}.search" for name in ("same_suit", "no_cells", "alternate_color", "general")}
    assert {"baker._core", "baker.engines.base"} | searches <= set(COMPILED)


@pytest.mark.parametrize("name", COMPILED)
def test_docstrings_of_compiled_modules(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_some_compiled_module_has_examples() -> None:
    assert doctest.testmod(importlib.import_module("baker._core")).attempted > 0


@pytest.mark.parametrize("name", STUBBED)
def test_compiled_modules_have_stubs(name: str) -> None:
    assert Path(baker.__path__[0], "..", *name.split(".")).with_suffix(".pyi").is_file()


def test_the_package_says_that_it_is_typed() -> None:
    assert Path(baker.__path__[0], "py.typed").is_file()


def test_exports_are_sorted_and_documented() -> None:
    assert baker.__all__ == sorted(baker.__all__)
    for name in set(baker.__all__) - {"games"}:
        assert getattr(baker, name).__doc__


def test_exports_are_what_type_checkers_see() -> None:
    [block] = [node for node in ast.parse(inspect.getsource(baker)).body if isinstance(node, ast.If)][:1]
    seen = {
        alias.asname or alias.name: getattr(importlib.import_module(str(node.module)), alias.name)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert sorted(seen) == baker.__all__
    assert all(getattr(baker, name) is value for name, value in seen.items())
    assert set(baker.__all__) <= set(dir(baker))


def test_no_other_names() -> None:
    with pytest.raises(AttributeError, match="module 'baker' has no attribute 'solve_all'"):
        baker.solve_all  # type: ignore[attr-defined]  # noqa: B018


def test_what_is_not_asked_for_is_not_loaded() -> None:
    code = "import sys, baker; assert not [name for name in sys.modules if name.startswith('baker.')]"
    subprocess.run([sys.executable, "-c", f"{code}; baker.solve; assert 'baker.solver' in sys.modules"], check=True)


def test_nothing_has_to_be_installed_with_it() -> None:
    try:
        required = importlib.metadata.requires("baker") or []
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("the package is built in place, not installed")
    assert all("extra ==" in requirement for requirement in required)


def test_version() -> None:
    from_baker: str = baker.__version__
    try:
        assert from_baker == importlib.metadata.version("baker")
    except importlib.metadata.PackageNotFoundError:
        assert from_baker == "(not installed)"
    assert not hasattr(baker, "version_of_something_else")


def test_importing_the_package_does_not_look_its_version_up() -> None:
    code = "import sys, baker; assert 'importlib.metadata' not in sys.modules; baker.__version__"
    subprocess.run([sys.executable, "-c", code], check=True)


SUBINTERPRETERS = r"""
import sys
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters

DECIDE = "import baker; print(baker.solve(baker.Deal.microsoft(617)).verdict)"
REFUSED = "try:\n    from baker import solve\nexcept ImportError as error:\n    print(error)"

def elsewhere(code):
    failed = interpreters.run_string(other, f"import sys; sys.path[:0] = {sys.path}\n{code}")
    assert failed is None, failed

other = interpreters.create()
"""


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="other interpreters have no subinterpreters")
@pytest.mark.parametrize(
    "steps",
    [
        "exec(DECIDE); elsewhere(REFUSED); exec(DECIDE)",
        pytest.param(
            "elsewhere(DECIDE); exec(REFUSED); elsewhere(DECIDE)",
            marks=pytest.mark.skipif(sys.version_info >= (3, 12), reason="refused in any interpreter but the main one"),
        ),
    ],
)
def test_a_second_interpreter_is_refused_in_one_sentence_and_spoils_nothing(steps: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SUBINTERPRETERS + steps], capture_output=True, text=True, timeout=300, check=True
    )
    first, refused, again = done.stdout.splitlines()
    assert (first, again) == ("solved", "solved")
    assert "baker can be used in one interpreter of a process only" in refused
