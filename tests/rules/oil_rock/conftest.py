"""Positions to test the rules in. `position(turn="white")` begins one; see README.md."""

from collections.abc import Callable

import pytest

from wellhead_rules.oil_rock.positions import Position


@pytest.fixture
def position() -> Callable[..., Position]:
    return Position
