"""What somebody meets who builds the package on a machine that cannot."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def build(tmp_path: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    for module in ("setuptools", "Cython"):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed: pip install '.[dev]'")
    if not (ROOT / "setup.py").exists():
        pytest.skip("the sources are not here: run the tests in the source tree")
    script = (
        "import Cython.Build, runpy, sys\n"
        # What is compiled is not of interest.
        "Cython.Build.cythonize = lambda extensions, **options: extensions\n"
        f"sys.argv = ['setup.py', '-q', 'build_ext', '--build-lib', {str(tmp_path)!r}]\n"
        "runpy.run_path('setup.py')"
    )
    command = [sys.executable, "-W", "ignore", "-c", script]
    return subprocess.run(command, check=False, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)


def test_no_compiler_is_one_sentence_that_says_what_to_install(tmp_path: Path) -> None:
    done = build(tmp_path, PATH=str(tmp_path), CC="/nowhere/gcc -pthread")
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "baker is built from C and lacks a C compiler (/nowhere/gcc is not there): "
        "apt-get install gcc libc6-dev python3-dev"
    ]
    assert not os.listdir(tmp_path)
