"""The examples do what they say."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"

pytestmark = pytest.mark.skipif(
    not EXAMPLES.is_dir(), reason="the examples are not here: run the tests in the source tree"
)


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_example_has_a_test() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.py")} == {"hint_loop", "compare_rules", "survey"}


def test_hint_loop() -> None:
    play = load("hint_loop").play
    assert play(617).is_won
    assert not play(10).history


def test_compare_rules() -> None:
    shares = load("compare_rules").shares(100)
    assert list(shares) == [2, 3, 4, 5, 6]
    assert shares[4] == 0.76
    assert sorted(shares.values()) == list(shares.values())


def test_survey(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    found = load("survey").hardest(str(tmp_path / "seahaven"), 200)
    assert len(found) == 5
    assert found == sorted(found, key=lambda row: -row[1])
