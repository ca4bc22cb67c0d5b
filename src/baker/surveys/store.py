"""The files of a directory: read if they are ordinary ones, written whole or not at all, one run at a time."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

_LOCK = ".lock"
_PART = re.compile(r"part-([0-9]{10,20})-([0-9]{10,20})\.parquet")
# Files that are no ordinary ones are refused, and opening one must not wait for anybody or follow a link.
_CAREFUL = os.O_NOFOLLOW | os.O_NONBLOCK


class SurveyError(ValueError):
    """A directory that holds no survey, another one or a damaged one, or is in use by another run."""


def printable(text: object) -> str:
    """A text for a message: what would steer a terminal is escaped."""
    return "".join(
        [sign if sign.isprintable() else sign.encode("unicode_escape", "surrogatepass").decode() for sign in str(text)]
    )


def survey_directory(name: str | os.PathLike[str]) -> Path:
    """The directory of a survey.  Raises `SurveyError` if no directory can have that name."""
    if not os.fspath(name) or "\0" in os.fspath(name):
        raise SurveyError(f"the directory is {os.fspath(name)!r}: expected the name of one")
    return Path(name)


def part_path(directory: Path, places: range, width: int) -> Path:
    """The file of the deals at some places."""
    return directory / f"part-{places[0]:0{width}}-{places[-1]:0{width}}.parquet"


def list_parts(directory: Path, width: int) -> list[range]:
    """The places of the deals that are done, a range for each file, in order.

    Raises `SurveyError` if there are Parquet files of something else, or that have a deal in common.
    """
    parts = []
    for name in _names(directory):
        if name.endswith(".parquet"):
            found = _PART.fullmatch(name)
            places = range(int(found[1]), int(found[2]) + 1) if found else range(0)
            if not places or part_path(directory, places, width).name != name:
                raise no_part(directory / name, "expected a directory of its own")
            parts.append(places)
    parts.sort(key=lambda places: places.start)
    for one, other in pairwise(parts):
        if other.start < one.stop:
            raise no_part(part_path(directory, other, width), "the file before it has some of its deals")
    return parts


def no_part(path: Path, why: str) -> SurveyError:
    return SurveyError(f"{printable(path)} is no part of the survey: {why}")


def remove_temporary_files(directory: Path) -> None:
    """Remove what runs that were killed have left."""
    for name in _names(directory):
        if name.startswith((".part-", "._survey")) and name.endswith(".tmp"):
            _unlink(directory / name)


def read_regular(path: Path, most: int) -> bytes:
    """The bytes of an ordinary file.

    Raises FileNotFoundError if it is not there, `SurveyError` if it cannot be read, is no ordinary file or has more
    bytes than `most`.
    """
    try:
        file = os.open(path, os.O_RDONLY | _CAREFUL)
        try:
            _check_regular(file, path)
            with open(file, "rb", closefd=False) as opened:
                data = opened.read(most + 1)
        finally:
            os.close(file)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise SurveyError(f"{printable(path)} cannot be read: {_reason(error)}") from None
    if len(data) > most:
        raise SurveyError(f"{printable(path)} cannot be read: it is larger than the {most} bytes that it may have")
    return data


def store_file(path: Path, data: bytes) -> None:
    """Write a file that is there as a whole, and on the disk, or not at all."""
    beside = path.with_name(f".{path.name}.tmp")
    try:
        _unlink(beside)
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _CAREFUL, 0o666), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
        directory = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)
    except BaseException as error:
        if isinstance(error, SurveyError):
            raise
        beside.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Keep other runs out of a directory, those of this process too.  The lock ends with the process."""
    path = directory / _LOCK
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | _CAREFUL, 0o666)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EISDIR, errno.ENXIO):
            raise SurveyError(f"{printable(path)} cannot be locked: {_reason(error)}") from None
        raise
    _locks.add(file)
    try:
        _check_regular(file, path)
        if not _take_lock(file):
            raise SurveyError(f"another run is at work in {printable(directory)}: expected one at a time")
        yield
    finally:
        _locks.discard(file)
        os.close(file)


# Locks belong to open files, which a child has too after a fork: it would keep them when its parent is gone.
_locks: set[int] = set()


def _close_locks() -> None:
    for file in _locks:
        os.close(file)
    _locks.clear()


os.register_at_fork(after_in_child=_close_locks)


def _take_lock(file: int) -> bool:
    """Lock an open file unless somebody else has.  Another descriptor of the file may be closed without harm."""
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EAGAIN):
            return False
        raise
    return True


def _names(directory: Path) -> list[str]:
    try:
        return os.listdir(directory)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise SurveyError(f"{printable(directory)} cannot be read: {_reason(error)}") from None


def _check_regular(file: int, path: Path) -> None:
    if not stat.S_ISREG(os.fstat(file).st_mode):
        raise SurveyError(f"{printable(path)} is no ordinary file")


def _unlink(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except (IsADirectoryError, PermissionError):
        if path.is_dir():
            raise SurveyError(f"{printable(path)} is a directory, where a file will be written") from None
        raise


def _reason(error: OSError) -> str:
    return "it is a link" if error.errno == errno.ELOOP else error.strerror or str(error)
