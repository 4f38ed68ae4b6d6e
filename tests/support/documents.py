"""Examples in documents, as the tests take them out and run them."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any


def blocks(document: Path, language: str) -> list[tuple[str, str]]:
    """Every fenced block of a language: the comment in the line before it, if there is one, and its text."""
    pattern = rf"(?:<!-- (?P<comment>[^\n]*) -->\n)?```{language}\n(?P<text>.*?)```"
    return [
        (found["comment"] or "", found["text"])
        for found in re.finditer(pattern, document.read_text("utf-8"), re.DOTALL)
    ]


def main_of(source: str) -> Callable[..., Any]:
    """`main` of a block of Python."""
    scope: dict[str, Any] = {"__name__": "example"}
    exec(source, scope)
    main: Callable[..., Any] = scope["main"]
    return main
