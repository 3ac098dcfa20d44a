"""The rules of the house: which way imports run, what an import costs, how large a module may grow."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import segmenter

PACKAGE = Path(segmenter.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
HEAVY = (
    *("torch", "ultralytics", "whisper", "faster_whisper", "cv2", "sentence_transformers", "onnxruntime", "scipy"),
    *("transformers", "matplotlib", "lancedb", "pymilvus", "chromadb", "faiss", "mcp", "langchain_core", "llama_index"),
    *("pandas", "pyarrow", "openvino", "supervision", "shapely"),
)

# Each room may import from its own and from those further down; rooms on one line do not know each other.
FLOORS = (
    {"__init__", "__main__"},
    {"cli"},
    {"integrations"},
    {"evaluate", "report"},
    {"retrieval", "live"},
    {"clips"},
    {"pipeline"},
    {"senses"},
    {"kit"},
    {"speech", "topics", "vision", "chunks"},
    {"formats", "media", "weights"},
    {"settings", "timeline", "table", "progress", "parallel", "files"},
    {"records"},
    {"zoning"},
    {"errors"},
)


def room(module: Path) -> str:
    parts = module.relative_to(PACKAGE).with_suffix("").parts
    return parts[0]


def imported(module: Path) -> Iterator[str]:
    """Rooms of this package that a module imports, wherever in it."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "segmenter":
            path = (node.module or "").split(".")[1:]
            yield from [path[0]] if path else [alias.name for alias in node.names]
        elif isinstance(node, ast.Import):
            yield from (alias.name.split(".")[1] for alias in node.names if alias.name.startswith("segmenter."))


def floor(name: str) -> int:
    return next(i for i, names in enumerate(FLOORS) if name in names)


@pytest.mark.parametrize("module", MODULES, ids=lambda m: str(m.relative_to(PACKAGE)))
def test_imports_run_one_way(module: Path) -> None:
    own = room(module)
    for other in set(imported(module)) - {own}:
        assert floor(other) > floor(own), f"{own} may not import {other}"


def test_importing_segmenter_is_light() -> None:
    code = f"import sys, segmenter; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_command_line_starts_without_the_models_packages() -> None:
    code = f"import sys, segmenter.cli.app; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_public_name_is_there() -> None:
    assert sorted(segmenter.__all__) == segmenter.__all__
    assert all(hasattr(segmenter, name) for name in segmenter.__all__)


@pytest.mark.parametrize("module", MODULES, ids=lambda m: str(m.relative_to(PACKAGE)))
def test_a_module_has_one_subject_and_says_it(module: Path) -> None:
    text = module.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 350
    if module.name != "__init__.py":
        assert ast.get_docstring(ast.parse(text))


@pytest.mark.parametrize("module", MODULES, ids=lambda m: str(m.relative_to(PACKAGE)))
def test_functions_are_short(module: Path) -> None:
    """Forty lines at most, the docstring and the signature left out."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            lines = (node.end_lineno or 0) - body[0].lineno + 1 if body else 0
            assert lines <= 40, f"{node.name} has {lines} lines"
