"""Which tests run, how much hypothesis tries, and the judge that many tests ask.

`pytest --hypothesis-profile quick` is for slow builds.
"""

import re

import pytest
from hypothesis import settings
from judge import compiled
from judge.compiled import CompiledJudge
from long_verdicts import Decide

# No deadline: how long an example takes says more about the machine than about the code.
settings.register_profile("usual", deadline=None)
settings.register_profile("quick", deadline=None, max_examples=10)
settings.load_profile("usual")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave tests of minutes out unless `-m` names them, whatever else it asks for."""
    if re.search(r"\blong\b", config.option.markexpr):
        return
    long = [item for item in items if item.get_closest_marker("long")]
    if long:
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]


@pytest.fixture(scope="session")
def decide() -> Decide:
    """The verdict of the judge in C."""
    if compiled.compiler() is None:
        pytest.skip("needs a C compiler")
    return CompiledJudge().decide
