"""Faults planted in a game that is sound, to see that the suite reports them."""

from dataclasses import replace
from typing import Any

import pytest

from tests.conformance.subject import Broken, Inspector, Subject, play

GAMES = 12


class Planted:
    """A ruleset with a fault; what a subclass does not define is that of `sound`."""

    sound: Any

    def __getattr__(self, name: str) -> Any:
        return getattr(self.sound, name)


def finds(requirement: str, subject: Subject, planted: Any, inspector: Inspector, games: int = GAMES) -> str:
    """What the inspector reports of the first game of the subject in which the planted fault shows."""
    faulty = replace(subject, ruleset=planted)
    with pytest.raises(Broken) as found:
        for start in faulty.starts(games, salt=21):
            play(faulty, start, [inspector])
    assert found.value.requirement == requirement
    return str(found.value)
