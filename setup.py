"""Builds the extension modules: one of each .pyx below src/baker. All else is in pyproject.toml.

Environment variables, each on if it is set to anything but "" or "0":

BAKER_DEBUG     checks of bounds and of None, C assertions, no optimisation, debug symbols
BAKER_SANITIZE  AddressSanitizer and UndefinedBehaviorSanitizer, bounds of C arrays included; run Python with
                LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)",
                ASAN_OPTIONS=detect_leaks=0 and PYTHONMALLOC=malloc

Each kind of build has its own folder below build. In place, "python setup.py build_ext --inplace --force" is needed to
go from one kind to another.
"""

import os
import shutil
import sys
import sysconfig
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext


def is_on(variable: str) -> bool:
    return os.environ.get(variable, "") not in ("", "0")


DEBUG = is_on("BAKER_DEBUG")
SANITIZE = is_on("BAKER_SANITIZE")

# Speed directives stand here and not in the .pyx files, where they would win over a debug build.
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": DEBUG,
    "initializedcheck": DEBUG,
    "nonecheck": DEBUG,
    "wraparound": False,
    "cdivision": True,
    "auto_pickle": False,
    "autotestdict": False,
    # For all modules alike: one that needs the GIL switches it on for the whole process.
    "freethreading_compatible": False,
}

flags: list[str] = []
link_flags: list[str] = []
if SANITIZE:
    sanitizers = "-fsanitize=address,undefined,bounds"
    flags += ["-O1", "-g", "-fno-omit-frame-pointer", sanitizers, "-fno-sanitize-recover=all"]
    link_flags += [sanitizers]
elif DEBUG:
    flags += ["-O0", "-g"]
elif sys.platform != "win32":
    flags += ["-O3"]

SOURCES = Path("src")
HEADERS = sorted(path.as_posix() for path in SOURCES.rglob("*.pxd"))

extensions = [
    Extension(
        ".".join(path.relative_to(SOURCES).with_suffix("").parts),
        [path.as_posix()],
        depends=HEADERS,
        extra_compile_args=flags,
        extra_link_args=link_flags,
        undef_macros=["NDEBUG"] if DEBUG or SANITIZE else [],
    )
    for path in sorted(SOURCES.rglob("*.pyx"))
]


class Build(build_ext):
    """Says in one sentence what is missing, where the compiler would say it in forty lines."""

    def run(self) -> None:
        compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
        lacks = []
        if sys.platform != "win32" and not (shutil.which(compiler) or shutil.which("cc")):
            lacks.append(f"a C compiler ({compiler} is not there)")
        if not Path(sysconfig.get_path("include"), "Python.h").exists():
            lacks.append(f"the headers of Python (no Python.h in {sysconfig.get_path('include')})")
        if lacks:
            sys.exit(
                f"baker is built from C and lacks {' and '.join(lacks)}: apt-get install gcc libc6-dev python3-dev"
            )
        super().run()


build_base = f"build/{'sanitize' if SANITIZE else 'debug' if DEBUG else 'release'}"
setup(
    ext_modules=cythonize(
        extensions,
        include_path=["src"],
        build_dir=f"{build_base}/cython",
        compiler_directives=DIRECTIVES,
    ),
    cmdclass={"build_ext": Build},
    options={"build": {"build_base": build_base}},
)
