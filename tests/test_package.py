"""The package as a whole: what it exports, and what its compiled modules promise in their docstrings."""

import doctest
import importlib
import importlib.metadata
import pkgutil
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

import baker

MODULES = [module.name for module in pkgutil.iter_modules(baker.__path__) if module.name != "__main__"]
COMPILED = [
    name
    for name in MODULES
    if str(importlib.import_module(f"baker.{name}").__file__).endswith(tuple(EXTENSION_SUFFIXES))
]


def test_every_compiled_module_is_there() -> None:
    assert {"_core", "_same_suit", "_general"} <= set(COMPILED)


@pytest.mark.parametrize("name", COMPILED)
def test_docstrings_of_compiled_modules(name: str) -> None:
    assert doctest.testmod(importlib.import_module(f"baker.{name}")).failed == 0


def test_some_compiled_module_has_examples() -> None:
    assert doctest.testmod(importlib.import_module("baker._core")).attempted > 0


@pytest.mark.parametrize("name", COMPILED)
def test_compiled_modules_have_stubs(name: str) -> None:
    assert Path(baker.__path__[0], f"{name}.pyi").is_file()


def test_the_package_says_that_it_is_typed() -> None:
    assert Path(baker.__path__[0], "py.typed").is_file()


def test_exports_are_sorted_and_documented() -> None:
    assert baker.__all__ == sorted(baker.__all__)
    for name in set(baker.__all__) - {"games"}:
        assert getattr(baker, name).__doc__


def test_nothing_has_to_be_installed_with_it() -> None:
    try:
        required = importlib.metadata.requires("baker") or []
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("the package is built in place, not installed")
    assert all("extra ==" in requirement for requirement in required)
