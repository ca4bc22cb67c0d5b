"""What the documentation shows to type is right for mypy --strict: the README, docs/*.md and the docstrings."""

import doctest
import importlib
import os
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import baker

ROOT = Path(__file__).parent.parent
TEXTS = [path for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))) if path.is_file()]
# What the documentation calls of other packages, which have no types or not all of them.
UNTYPED = [f"--untyped-calls-exclude={name}" for name in ("pyarrow", "distributed")]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


def modules() -> Iterator[str]:
    """The modules of the package that are written in Python."""
    for module in pkgutil.walk_packages(baker.__path__, "baker."):
        if module.name != "baker.__main__":
            file = importlib.import_module(module.name).__file__
            if file is not None and file.endswith(".py"):
                yield module.name


def snippets() -> Iterator[tuple[str, str]]:
    """A name and the code of each: the blocks of a page together, as they are read, and each docstring by itself."""
    parser = doctest.DocTestParser()
    for path in TEXTS:
        blocks = BLOCK.findall(path.read_text(encoding="utf-8"))
        examples = ["".join(e.source for e in parser.get_examples(block)) or block for block in blocks]
        if examples:
            yield path.stem, "".join(examples)
    for name in modules():
        for found in doctest.DocTestFinder(parser=parser).find(importlib.import_module(name)):
            if found.examples:
                # As the examples see the names of their module.
                start = f"from baker import *\nfrom {name} import *\n"
                yield found.name, start + "".join(example.source for example in found.examples)


@pytest.mark.slow
def test_snippets_are_typed(tmp_path: Path) -> None:
    pytest.importorskip("mypy", reason="mypy is not installed: pip install 'baker[lint]'")
    found = dict(snippets())
    assert "baker.rules.Rules" in found
    for name, code in found.items():
        (tmp_path / f"{re.sub('[^a-z0-9]', '_', name.lower())}.py").write_text(code, encoding="utf-8")
    source = str(Path(baker.__path__[0]).parent)
    environment = dict(os.environ)
    if "site-packages" not in source:  # mypy finds what is installed, and refuses to be told where that is
        environment["MYPYPATH"] = source
    options = [
        "--strict",
        "--ignore-missing-imports",
        *UNTYPED,
        "--follow-untyped-imports",
        "--cache-dir",
        str(tmp_path / "cache"),
    ]
    command = [sys.executable, "-m", "mypy", *options, "--config-file", "", "--no-error-summary", "."]
    result = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    errors = [line for line in result.stdout.splitlines() if not line.startswith(("..", "/"))]
    assert not errors, "\n".join(errors)
    assert result.returncode in (0, 1), result.stderr
