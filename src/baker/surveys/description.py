"""What a survey is, as its directory has it in JSON: read field by field, compared, written."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NoReturn

from baker.batch import solve_many
from baker.board_text import DealError
from baker.checks import shown, whole
from baker.rules import Rules, RulesError
from baker.solver import EngineLimits
from baker.surveys.selection import Kind, Selection, select
from baker.surveys.store import SurveyError, printable, read_regular
from baker.version import installed_version

Moves = Literal["none", "count", "text"]

DESCRIPTION = "_survey.json"
LARGEST_PART = 1_000_000
"""Deals of a file: all of them are in memory when it is written."""

# Of the files; another number for files that this version could not go on with.
_FORMAT = 2
_MOVES = ("none", "count", "text")
_KINDS = ("microsoft", "seeds")
# A million numbers of ten digits with room to spare.
_LARGEST_DESCRIPTION = 1 << 25
_LONGEST_NAME = 200
_MOST = 2**62
# How these deals are searched tells whether two versions search alike.
_FIXED_SET = range(1, 33)
_FIXED_NODES = 1000


@dataclass(frozen=True, slots=True)
class Settings:
    """What has to be the same for a survey to be gone on with; only the selection may grow."""

    rules: Rules
    kind: Kind
    part_size: int
    moves: Moves
    max_nodes: int | None
    max_seconds: float | None
    max_memory: int

    @property
    def limits(self) -> dict[str, Any]:
        """The limits of each search, as `solve_many` takes them."""
        return {"max_nodes": self.max_nodes, "max_seconds": self.max_seconds, "max_memory": self.max_memory}

    def difference(self, other: Settings) -> str | None:
        """What is not the same, with both values. The name of the rules does not matter."""
        ours, theirs = self._values(), other._values()
        return next(
            (f"its {name} is {ours[name]!r}, not {theirs[name]!r}" for name in ours if ours[name] != theirs[name]), None
        )

    def _values(self) -> dict[str, Any]:
        record = self.to_record()
        rules: dict[str, Any] = record.pop("rules")
        limits: dict[str, Any] = record.pop("limits")
        del rules["name"]
        return rules | record | limits

    def to_record(self) -> dict[str, Any]:
        """The settings as JSON has them."""
        rules = _plain(self.rules)
        own = {"kind": self.kind, "part_size": self.part_size, "moves": self.moves}
        return {"rules": rules, **own, "limits": self.limits}


@dataclass(frozen=True, slots=True)
class Description:
    """A survey, or one of its files, and the version that has begun it."""

    settings: Settings
    fingerprint: tuple[int, int]
    version: str

    def to_json(self, which: dict[str, Any]) -> bytes:
        """The JSON of the description; `which` says which deals there are."""
        settings = self.settings.to_record()
        begun = {"fingerprint": self.fingerprint, "version": self.version}
        return json.dumps({"format": _FORMAT, **settings, **which, **begun}, allow_nan=False).encode()


def make_settings(
    rules: Rules,
    kind: Kind,
    part_size: int,
    moves: Moves,
    limits: EngineLimits,
) -> Settings:
    """The settings that a user has given.  Raises ValueError or TypeError if one is wrong."""
    if not isinstance(moves, str) or moves not in _MOVES:
        raise ValueError(f"moves is {shown(moves)}: expected 'none', 'count' or 'text'")
    part_size = whole("part_size", part_size)
    if not 1 <= part_size <= LARGEST_PART:
        raise ValueError(f"part_size is {shown(part_size)}: expected 1 to {LARGEST_PART}")
    # The memory is noted where it was not given, too: what is usual may be another thing one day.
    seconds = limits.seconds if 0 < limits.seconds < math.inf else None
    return Settings(rules, kind, part_size, moves, limits.nodes or None, seconds, limits.memory)


def fingerprint(rules: Rules, moves: Moves) -> tuple[int, int]:
    """How many nodes and moves some deals take: different if another version searches in another way."""
    kind: Kind = "microsoft" if rules.ranks == 13 else "seeds"
    deals = Selection(kind, _FIXED_SET).deals(_FIXED_SET, rules)
    solutions = list(solve_many(deals, rules=rules, moves=moves != "none", threads=1, max_nodes=_FIXED_NODES))
    return sum(solution.nodes for solution in solutions), sum(len(solution.moves) for solution in solutions)


def describe(settings: Settings) -> Description:
    """The description of a survey that is begun now."""
    return Description(settings, fingerprint(settings.rules, settings.moves), installed_version())


def read_description(directory: Path) -> tuple[Description, Selection] | None:
    """What the survey in a directory is, or None if there is none.

    Raises `SurveyError` with the file and the field if something in it is wrong.
    """
    path = directory / DESCRIPTION
    try:
        data = read_regular(path, _LARGEST_DESCRIPTION)
    except FileNotFoundError:
        return None
    fields = _Fields(printable(path), data)
    description = _description(fields)
    rules = description.settings.rules
    if fields.has("numbers"):
        listed = fields.take("numbers", lambda value: isinstance(value, list), "a list of numbers")
        selection = fields.made("numbers", lambda: select(description.settings.kind, listed, rules))
    else:
        first, last = fields.take_bounds()
        selection = fields.made(
            "first and last", lambda: select(description.settings.kind, range(first, last + 1), rules)
        )
    fields.end()
    return description, selection


def read_part_description(where: str, data: bytes) -> tuple[Description, int, int]:
    """The description in the metadata of a file, and the first and the last of its places."""
    fields = _Fields(where, data)
    description = _description(fields)
    first, last = fields.take_bounds()
    fields.end()
    return description, first, last


def write_selection(selection: Selection) -> dict[str, Any]:
    """The fields that say which deals a survey has."""
    if isinstance(selection.values, range):
        return {"first": selection.values[0], "last": selection.values[-1]}
    return {"numbers": list(selection.values)}


# Reading.


class _Fields:
    """The fields of a JSON object, taken one by one; what is left at the end is unknown."""

    def __init__(self, where: str, data: bytes) -> None:
        self.where = where
        try:
            record = json.loads(data, parse_constant=_refuse, object_pairs_hook=_unique)
        except (ValueError, RecursionError) as error:
            raise SurveyError(f"{where} cannot be read: {_short(str(error))}") from None
        if not isinstance(record, dict):
            raise SurveyError(f"{where} cannot be read: expected a JSON object")
        self.record: dict[str, Any] = record
        self.prefix = ""

    def has(self, name: str) -> bool:
        return name in self.record

    def take(self, name: str, is_right: Callable[[Any], bool], expected: str) -> Any:
        """The value of a field.  Raises `SurveyError` if it is missing or not right."""
        if name not in self.record:
            raise SurveyError(f"{self.where}: {self.prefix}{name} is missing: expected {expected}")
        value = self.record.pop(name)
        if not is_right(value):
            raise SurveyError(f"{self.where}: {self.prefix}{name} is {_short(repr(value))}: expected {expected}")
        return value

    def take_bounds(self) -> tuple[int, int]:
        first = self.take("first", lambda value: _is_whole(value, 0, 2**64 - 1), "a number")
        return first, self.take("last", lambda value: _is_whole(value, first, 2**64 - 1), f"a number, {first} or more")

    def inner(self, name: str) -> _Fields:
        """The fields of an object within."""
        found = object.__new__(_Fields)
        found.where, found.prefix = self.where, f"{name}."
        found.record = self.take(name, lambda value: isinstance(value, dict), "an object")
        return found

    def made(self, name: str, make: Callable[[], Any]) -> Any:
        """What is made of a field."""
        try:
            return make()
        except (RulesError, DealError, ValueError, TypeError) as error:
            raise SurveyError(f"{self.where}: {self.prefix}{name}: {_short(str(error))}") from None

    def end(self) -> None:
        for name in self.record:
            raise SurveyError(f"{self.where}: unknown field {_short(self.prefix + name)}")


def _description(fields: _Fields) -> Description:
    """The fields that a survey and its files have."""
    fields.take("format", lambda value: value == _FORMAT, f"{_FORMAT}, which this version of baker reads")
    rules = _rules(fields)
    kind = fields.take("kind", lambda value: value in _KINDS, "'microsoft' or 'seeds'")
    part_size = fields.take("part_size", lambda value: _is_whole(value, 1, LARGEST_PART), f"1 to {LARGEST_PART}")
    moves = fields.take("moves", lambda value: value in _MOVES, "'none', 'count' or 'text'")
    limits = _limits(fields.inner("limits"))
    pair = fields.take("fingerprint", _is_fingerprint, "two numbers")
    version = fields.take("version", _is_name, "the version of baker that has begun it")
    return Description(Settings(rules, kind, part_size, moves, *limits), (pair[0], pair[1]), version)


def _rules(fields: _Fields) -> Rules:
    rules = fields.take("rules", lambda value: isinstance(value, dict), "an object")
    known = {item.name for item in dataclasses.fields(Rules)}
    for name in rules:
        if name not in known:
            raise SurveyError(f"{fields.where}: unknown field {_short(f'rules.{name}')}")
    if not _is_name(rules.get("name")):
        raise SurveyError(f"{fields.where}: rules.name is missing or no short text: expected the name of the game")
    # Rules that have come since then have their defaults.
    found: Rules = fields.made("rules", lambda: Rules(**rules))
    written = _plain(found)
    for name, value in rules.items():
        if value != written[name]:
            raise SurveyError(f"{fields.where}: rules.{name} is {_short(repr(value))}: expected {written[name]!r}")
    return found


def _plain(rules: Rules) -> dict[str, Any]:
    """The rules as JSON has them."""
    return dict(json.loads(json.dumps(dataclasses.asdict(rules))))


def _limits(fields: _Fields) -> tuple[int | None, float | None, int]:
    nodes = fields.take("max_nodes", lambda value: value is None or _is_whole(value, 1, _MOST), "a number or null")
    seconds = fields.take("max_seconds", lambda value: value is None or _is_positive(value), "seconds or null")
    memory = fields.take("max_memory", lambda value: _is_whole(value, 1, _MOST), "a number of bytes")
    fields.end()
    return nodes, None if seconds is None else float(seconds), memory


def _is_whole(value: object, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def _is_positive(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e300


def _is_fingerprint(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(_is_whole(number, 0, _MOST) for number in value)


def _is_name(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _LONGEST_NAME


def _short(text: str) -> str:
    return printable(text if len(text) <= _LONGEST_NAME else f"{text[:_LONGEST_NAME]}...")


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise ValueError("a field is there twice")
    return record
