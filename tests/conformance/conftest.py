"""Long runs are for those who ask for them: `pytest -m soak`."""

from pathlib import Path

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if "soak" in (config.getoption("markexpr") or ""):
        return
    for item in items:
        if item.get_closest_marker("soak") and item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.skip(reason="a long run; asked for with -m soak"))
