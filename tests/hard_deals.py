"""A deal whose search takes far longer than any test waits."""

from baker import Build, Deal, Fill, Group, Rules

HARD_RULES = Rules(
    name="hard",
    columns=(4,) * 13,
    cells=2,
    build=Build.DIFFERENT_SUIT,
    fill=Fill.NONE,
    group=Group.UNLIMITED,
)
# No search that was tried has come to its end.
HARD = Deal.random(1, HARD_RULES)
# So that memory does not end it first.
MUCH_MEMORY = 1 << 40
