"""The structure of the source: data flows one way, and no module reaches for what another one calls its own.

Imports are read from the source: Python by `ast`, `cimport` lines of Cython as text.
"""

import ast
import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

import baker

PACKAGE = Path(baker.__path__[0])
SOURCE = Path(__file__).parent.parent / "src" / "baker"

# From the ground up. A module imports only from floors below its own, or from its own floor; where modules of one floor
# import each other there is no circle. A package counts with all that is in it.
FLOORS = (
    ("baker.version", "baker.checks", "baker.values", "baker.cards", "baker.places"),
    ("baker.rules",),
    ("baker.base_rank",),
    ("baker._core",),
    ("baker.moves", "baker.hints", "baker.board_text", "baker.board_forms", "baker.engines.base", "baker.engines.lib"),
    ("baker.layouts", "baker.origins", "baker.engines"),
    ("baker.solver",),
    ("baker.deals",),
    ("baker.game",),
    ("baker.batch",),
    ("baker.surveys",),
    ("baker.cli",),
    ("baker", "baker.__main__"),
)

CIMPORT = re.compile(r"^from (baker[\w.]*) cimport (?:\(([^)]*)\)|(.*))$", re.MULTILINE)


class Import(NamedTuple):
    """One name that one module takes from another."""

    by: str
    module: str
    name: str
    inside: bool
    """Whether it is inside a function."""
    typing: bool
    """Whether only type checkers see it."""


def module_name(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def python_imports(path: Path) -> Iterator[Import]:
    name = module_name(path)
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]

    def visit(node: ast.AST, inside: bool, typing: bool) -> Iterator[Import]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ImportFrom):
                assert child.level == 0, f"{name}: relative import"
                for alias in child.names:
                    yield Import(name, child.module or package, alias.name, inside, typing)
            elif isinstance(child, ast.Import):
                for alias in child.names:
                    yield Import(name, alias.name, "", inside, typing)
            elif isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
                yield from visit(child, inside, True)
            else:
                function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
                yield from visit(child, inside or function, typing)

    for found in visit(ast.parse(path.read_text()), False, False):
        if found.module.partition(".")[0] == "baker":
            yield found


def cython_imports(path: Path) -> Iterator[Import]:
    for found in CIMPORT.finditer(path.read_text()):
        for name in re.findall(r"\w+", found[2] or found[3]):
            yield Import(module_name(path), found[1], name, False, False)


def imports() -> Iterator[Import]:
    for path in sorted(SOURCE.rglob("*.py")):
        yield from python_imports(path)
    for pattern in ("*.pyx", "*.pxd"):
        for path in sorted(SOURCE.rglob(pattern)):
            # A module may import from its own header.
            yield from (found for found in cython_imports(path) if found.module != found.by)


def target(found: Import) -> str:
    """The module that is imported from: `from baker import cards` means baker.cards."""
    inner = f"{found.module}.{found.name}"
    path = SOURCE.parent.joinpath(*inner.split("."))
    return (
        inner
        if path.is_dir() or any(path.with_suffix(end).exists() for end in (".py", ".pyx", ".pxd"))
        else found.module
    )


def floor(module: str) -> int:
    """The floor that a module is on: that of the longest name of it or of a package that it is in."""
    names = {name: number for number, floor in enumerate(FLOORS) for name in floor}
    while module not in names:
        module = module.rpartition(".")[0]
        assert module != "baker", "a module that is on no floor"
    return names[module]


pytestmark = pytest.mark.skipif(
    not SOURCE.is_dir(), reason="the sources are not here: run the tests in the source tree"
)


def test_imports_are_found() -> None:
    found = [(one.by, target(one)) for one in imports()]
    assert ("baker.solver", "baker.rules") in found
    assert ("baker.engines.same_suit.search", "baker.engines.lib.memory") in found


def test_data_flows_one_way() -> None:
    wrong = [
        f"{one.by} imports {one.name} from {target(one)}" for one in imports() if floor(one.by) < floor(target(one))
    ]
    assert wrong == []


def test_there_is_no_circle_of_imports() -> None:
    graph: dict[str, set[str]] = {}
    for one in imports():
        # What a package exports is not what its modules import.
        if target(one) != one.by:
            graph.setdefault(one.by, set()).add(target(one))
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))


# Loads the commands only after it has made ready for interrupts, which may come while that takes its time.
LATE = ("baker.cli", "baker.cli.run")


def test_no_import_is_inside_a_function() -> None:
    """Heavy libraries may be imported where they are used; the modules of the package have an order without that."""
    assert [one for one in imports() if one.inside and (one.by, one.module) != LATE] == []


def test_nobody_uses_the_private_names_of_another_module() -> None:
    private = [
        f"{one.by} imports {one.name} from {one.module}"
        for one in imports()
        if re.fullmatch(r"_[a-z].*", one.name) and one.name != "_core"
    ]
    assert private == []


def private_uses(tree: ast.Module) -> Iterator[ast.Attribute]:
    """Attributes with an underscore that are not those of a class or of an object of this module."""
    own = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("self", "cls"):
            own.add(node.attr)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            own.add(node.target.id)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            own.add(node.id)
    # What named tuples offer is public in spite of its name.
    own |= {"_fields", "_replace", "_asdict", "_make"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and re.fullmatch(r"_[a-z]\w*", node.attr) and node.attr not in own:
            yield node


def test_nobody_uses_the_private_attributes_of_another_class() -> None:
    assert [
        f"{module_name(path)}:{node.lineno} {ast.unparse(node)}"
        for path in sorted(SOURCE.rglob("*.py"))
        for node in private_uses(ast.parse(path.read_text()))
    ] == []
