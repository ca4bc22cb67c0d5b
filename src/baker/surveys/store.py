"""The files of a survey: written whole or not at all, and one run in a directory at a time."""

from __future__ import annotations

import errno
import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class SurveyError(ValueError):
    """A directory that holds another survey, or is in use by another run."""


def store_file(path: Path, data: bytes) -> None:
    """Write a file that is there as a whole, and on the disk, or not at all."""
    beside = path.with_name(f".{path.name}.tmp")
    try:
        with open(beside, "wb") as file:
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
        beside.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise


@contextmanager
def reading(path: Path) -> Iterator[None]:
    pa, _ = import_pyarrow()
    try:
        yield
    except (pa.ArrowInvalid, OSError) as error:
        raise SurveyError(f"{path} cannot be read: {error}") from None


# Directories in which this process is at work. The lock of a file holds against other processes only; one that holds
# within a process would be inherited by its workers, and outlive it with them.
_at_work: set[Path] = set()
_at_work_lock = threading.Lock()


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Keep other runs out of a directory.  The lock ends with the process, whatever ends that."""
    refused = SurveyError(f"another run is at work in {directory}: expected one at a time")
    key = directory.resolve()
    with _at_work_lock:
        if key in _at_work:
            raise refused
        _at_work.add(key)
    try:
        with open(directory / ".lock", "ab") as file:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                if error.errno in (errno.EACCES, errno.EAGAIN):
                    raise refused from None
                raise
            yield
    finally:
        with _at_work_lock:
            _at_work.remove(key)


def import_pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise ImportError("surveys need pyarrow: pip install 'baker[survey]'") from None
    return pyarrow, parquet
