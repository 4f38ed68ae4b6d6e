"""The suite on another game: simultaneous secret choices, no card, no board, no content."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.conformance import inspectors
from tests.conformance.sealed_bids import CODES, Bid, BidPlaced, BidsTurned, SealedBids, State
from tests.conformance.subject import Broken, Inspector, Subject, play
from tests.conformance.suite import Conformance
from tests.conformance.worlds import Secrets
from wellhead_rules.kernel.chance import Chance
from wellhead_rules.registry import RULESETS

SEALED_BIDS = Subject(SealedBids(), CODES, reveals=(BidsTurned,), games=30)


class TestSealedBids(Conformance):
    subject = SEALED_BIDS


class FirstComeFirstServed(SealedBids):
    """Who bids last is paid for a tie."""

    def play(self, state: State, seat: int, decision_id: int, command: Bid, chance: Chance) -> list[Any]:
        facts = super().play(state, seat, decision_id, command, chance)
        for fact in facts:
            if isinstance(fact, BidsTurned):
                state.points[seat] += fact.winner == -1
        return facts


class OpenBids(SealedBids):
    """Bids lie face up in the view."""

    def view(self, state: State, viewer: int | None) -> Any:
        message = super().view(state, viewer)
        message.oil_rock.discarded.append(str(state.placed))
        return message


class BidsToldToAll(SealedBids):
    """A bid is told as it is placed."""

    def redact(self, event: Any, viewer: int | None) -> Any:
        return event if isinstance(event, BidPlaced) else super().redact(event, viewer)


class HigherBidsOnly(SealedBids):
    """One may not bid below what lies face down."""

    def legal(self, state: State, seat: int) -> Sequence[Bid]:
        listed = super().legal(state, seat)
        return [bid for bid in listed if bid.amount >= max(filter(None, state.placed), default=0)] or listed


@pytest.mark.parametrize(
    ("requirement", "planted", "inspector"),
    [
        ("R-RULES-9", FirstComeFirstServed, inspectors.Arrivals),
        ("R-RULES-7", OpenBids, Secrets),
        ("R-RULES-7", BidsToldToAll, Secrets),
        ("R-RULES-7", HigherBidsOnly, Secrets),
    ],
)
def test_a_planted_fault_is_reported(requirement: str, planted: type[SealedBids], inspector: type[Inspector]) -> None:
    subject = replace(SEALED_BIDS, ruleset=planted())
    with pytest.raises(Broken) as found:
        for start in subject.starts(30):
            play(subject, start, [inspector()])
    assert found.value.requirement == requirement


def test_the_game_is_only_for_tests() -> None:
    assert SealedBids.name not in RULESETS
