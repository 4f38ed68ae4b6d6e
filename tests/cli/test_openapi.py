"""`wellhead openapi`: one document of all services."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from openapi_spec_validator import validate


def test_it_is_printed_or_written_and_valid(wellhead: Callable[..., Any], tmp_path: Path) -> None:
    printed = wellhead("openapi")
    assert (printed.code, printed.err) == (0, "")
    described = json.loads(printed.out)
    validate(described)
    assert {tag["name"] for tag in described["tags"]} == {
        f"wellhead.v1.{name}" for name in ("GameCommandService", "GameQueryService", "ScoringService")
    }
    assert wellhead("openapi", "-o", tmp_path / "openapi.json").code == 0
    assert json.loads((tmp_path / "openapi.json").read_text()) == described


def test_a_file_that_cannot_be_written_is_one_line(wellhead: Callable[..., Any], tmp_path: Path) -> None:
    ran = wellhead("openapi", "-o", tmp_path / "no" / "openapi.json")
    assert (ran.code, ran.err.count("\n")) == (1, 1)
