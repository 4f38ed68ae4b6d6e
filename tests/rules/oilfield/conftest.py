"""Positions to test the rules in. `position(players=3)` begins one; see README.md."""

from collections.abc import Callable

import pytest

from wellhead_rules.oilfield.positions import Position


@pytest.fixture
def position() -> Callable[..., Position]:
    return Position
