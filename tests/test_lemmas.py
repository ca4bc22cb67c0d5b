"""Every rule by which a search leaves something out has a name, a proof, and a citation at the line that uses it.

A lemma is defined in the docstring of a compiled module: a paragraph that begins ``Lemma S3`` (bold or not), with its
proof. Any other mention of the name is a citation. The letters: H home moves, S same suit, N no cells, A alternate
colours, G general.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "baker"
NAME = re.compile(r"\b[HSNAG][0-9]{1,2}\b")
DEFINITION = re.compile(r"^ *(?:\*\*)?Lemma ([HSNAG][0-9]{1,2})\b", re.MULTILINE)
COMMENT = re.compile(r"(?:^|\s)#[^\n]*")
DOCSTRING = re.compile(r'"""(.*?)"""', re.DOTALL)

pytestmark = pytest.mark.skipif(
    not SOURCE.is_dir(), reason="the sources are not here: run the tests in the source tree"
)


class Module(NamedTuple):
    """The text at the head of a compiled module, and all other comments and docstrings of it."""

    path: Path
    head: str
    rest: str


def modules() -> Iterator[Module]:
    for path in sorted([*SOURCE.rglob("*.pyx"), *SOURCE.rglob("*.pxd")]):
        text = path.read_text()
        docstrings = list(DOCSTRING.finditer(text))
        rest = [found[1] for found in docstrings[1:]] + COMMENT.findall(text)
        yield Module(path, docstrings[0][1], "\n".join(rest))


def definitions() -> dict[str, list[str]]:
    """The texts from each definition of a name to the next."""
    found: dict[str, list[str]] = {}
    for module in modules():
        starts = [*DEFINITION.finditer(module.head)]
        ends = [*(start.start() for start in starts[1:]), len(module.head)][: len(starts)]
        for start, end in zip(starts, ends, strict=True):
            found.setdefault(start[1], []).append(module.head[start.start() : end])
    return found


def citations() -> dict[str, set[str]]:
    """Where each name is cited outside the head of a module."""
    found: dict[str, set[str]] = {}
    for module in modules():
        for name in NAME.findall(module.rest):
            found.setdefault(name, set()).add(str(module.path.relative_to(SOURCE)))
    return found


def test_lemmas_are_found() -> None:
    assert "H1" in definitions()
    assert "_core.pyx" in citations()["H1"]


def test_every_lemma_is_defined_once_with_a_proof() -> None:
    for name, texts in definitions().items():
        assert len(texts) == 1, f"{name} is defined {len(texts)} times"
        assert re.search(r"\b[Pp]roof\b", texts[0]), f"{name} has no proof"


def test_every_lemma_is_cited_where_it_is_used() -> None:
    assert sorted(set(definitions()) - set(citations())) == []


def test_every_citation_names_a_lemma() -> None:
    mentioned = set(citations()) | {name for module in modules() for name in NAME.findall(module.head)}
    assert sorted(mentioned - set(definitions())) == []


def test_documents_name_no_lemma_that_is_not_there() -> None:
    docs = SOURCE.parent.parent / "docs"
    mentioned = {
        name
        for path in docs.rglob("*.md")
        for name in re.findall(r"\b(?:Lemmas? |\()([HSNAG][0-9]{1,2})\b", path.read_text())
    }
    assert sorted(mentioned - set(definitions())) == []
