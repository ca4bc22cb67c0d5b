"""The judge's verdict in C: builds `reference.c` with the system's compiler and calls it."""

import ctypes
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from judge import reference

BUILDS = ("same_suit", "alternate_color", "any_suit", "different_suit")
FILLS = ("any", "kings", "none")
SOURCE = Path(__file__).with_name("reference.c")


def compiler() -> str | None:
    """The C compiler, or `None` where there is none."""
    return shutil.which(os.environ.get("CC", "cc").split()[0])


class CompiledJudge:
    """`reference.explore` in C."""

    def __init__(self) -> None:
        command = compiler()
        if command is None:
            raise RuntimeError("no C compiler found")
        with tempfile.TemporaryDirectory() as directory:
            library = Path(directory) / "reference.so"
            subprocess.run([command, "-O2", "-std=c99", "-shared", "-fPIC", "-o", library, SOURCE], check=True)
            self._decide = ctypes.CDLL(str(library)).decide

    def decide(self, position: reference.Position, rules: reference.Rules, limit: int = 10_000_000) -> bool | None:
        return self.explore(position, rules, limit)[0]

    def explore(
        self, position: reference.Position, rules: reference.Rules, limit: int = 10_000_000
    ) -> tuple[bool | None, int]:
        """The verdict and the number of positions seen; ctypes frees the GIL meanwhile."""
        values = (
            rules.ranks,
            len(position.columns),
            len(position.cells),
            BUILDS.index(rules.build),
            FILLS.index(rules.fill),
            rules.group == "unlimited",
        )
        positions = ctypes.c_uint32()
        verdict = self._decide(
            (ctypes.c_int * len(values))(*values),
            bytes(map(len, position.columns)),
            bytes(rank * 4 + suit for column in position.columns for rank, suit in column),
            bytes(0 if card is None else card[0] * 4 + card[1] for card in position.cells),
            ctypes.c_uint32(limit),
            ctypes.byref(positions),
        )
        return {1: True, 0: False, -1: None}[verdict], positions.value
