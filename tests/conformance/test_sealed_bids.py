"""The suite on another game: simultaneous secret choices, no card, no board, no content."""

from collections.abc import Sequence
from typing import Any

import pytest

from tests.conformance import inspectors
from tests.conformance.planting import finds
from tests.conformance.sealed_bids import (
    CODES,
    Bid,
    BidPlaced,
    BidsTurned,
    Command,
    Concede,
    PointConceded,
    RoundOpened,
    SealedBids,
    State,
)
from tests.conformance.subject import Inspector, Subject
from tests.conformance.suite import Conformance
from tests.conformance.worlds import Secrets
from wellhead_rules.kernel.chance import Chance
from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.registry import RULESETS

SEALED_BIDS = Subject(SealedBids(), CODES, reveals=(BidsTurned,), games=30)


class TestSealedBids(Conformance):
    subject = SEALED_BIDS


# -- the order of answers (R-RULES-9) ----------------------------------------------------------------------------------


class FirstComeFirstServed(SealedBids):
    """Who bids last is paid for a tie."""

    def play(self, state: State, seat: int, decision_id: int, command: Command, chance: Chance) -> list[Any]:
        facts = super().play(state, seat, decision_id, command, chance)
        for fact in facts:
            if isinstance(fact, BidsTurned):
                state.points[seat] += fact.winner == -1
        return facts


class DearAfterBids(SealedBids):
    """A point conceded after one's own bid costs two."""

    def play(self, state: State, seat: int, decision_id: int, command: Command, chance: Chance) -> list[Any]:
        if isinstance(command, Concede) and state.placed[seat] is not None:
            state.points[seat] -= 1
        return super().play(state, seat, decision_id, command, chance)


# -- leaks (R-RULES-7) -------------------------------------------------------------------------------------------------


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


class BidsInTheLog(SealedBids):
    """The command is stored as it was sent."""

    def redact_command(self, command: Command) -> Command:
        return command


class HighBidsInTheLog(SealedBids):
    """The command is stored without its amount, unless that is low."""

    def redact_command(self, command: Command) -> Command:
        return command if isinstance(command, Bid) and command.amount == 1 else super().redact_command(command)


class OrderTellsTheBid(SealedBids):
    """After a high bid the prize is named once more, after a low one before it."""

    def play(self, state: State, seat: int, decision_id: int, command: Command, chance: Chance) -> list[Any]:
        again = RoundOpened(state.round, state.prize)
        placed, *rest = super().play(state, seat, decision_id, command, chance)
        if not isinstance(command, Bid) or rest:
            return [placed, *rest]
        return [placed, again] if (command.amount or 0) > 2 else [again, placed]


class HistoryTellsBids(SealedBids):
    """A bid is put into words with what it has to beat."""

    def option_label(self, state: State, command: Command) -> str:
        return f"{super().option_label(state, command)} against {state.placed}"


class HistoryKnowsTheTable(SealedBids):
    """A redacted bid is put into words with what lies on the table."""

    def describe(self, state: State, event: Any) -> str:
        return (
            f"a bid of {state.placed[event.seat]}" if isinstance(event, BidPlaced) else super().describe(state, event)
        )


class RefusalTellsBids(SealedBids):
    """A refusal says what lies on the table."""

    def play(self, state: State, seat: int, decision_id: int, command: Command, chance: Chance) -> list[Any]:
        try:
            return super().play(state, seat, decision_id, command, chance)
        except RuleViolation as refusal:
            raise RuleViolation(refusal.code, refusal.clause, f"{refusal.detail}: {state.placed}") from refusal


class PromptTellsBids(SealedBids):
    """The question says how much has been bid."""

    def prompt(self, state: State, owed: Any) -> str:
        return f"{super().prompt(state, owed)} {sum(bid or 0 for bid in state.placed)} so far"


class HigherBidsOnly(SealedBids):
    """One may not bid below what lies face down."""

    def legal(self, state: State, seat: int) -> Sequence[Command]:
        listed = super().legal(state, seat)
        highest = max(filter(None, state.placed), default=0)
        return [bid for bid in listed if isinstance(bid, Bid) and (bid.amount or 0) >= highest] or listed


class ConcedesToHighBids(SealedBids):
    """One may concede only while a high bid lies face down."""

    def anytime(self, state: State, seat: int) -> Sequence[Command]:
        return super().anytime(state, seat) if max(filter(None, state.placed), default=0) > 2 else []


# -- commands at any time (R-RULES-2 and 3) ----------------------------------------------------------------------------


class ConcedesNothing(SealedBids):
    """Points can be conceded that one does not have."""

    def anytime(self, state: State, seat: int) -> Sequence[Command]:
        return [] if state.over else [Concede()]

    def _check(self, state: State, seat: int, decision_id: int, command: Command) -> None:
        super()._check(state, seat, decision_id, command)
        if isinstance(command, Concede) and not state.points[seat]:
            raise RuleViolation("NOTHING_TO_CONCEDE", "SB.6", "there is no point to give up")


class ConcedesInTheWrongPlace(SealedBids):
    """It does not matter under which decision one concedes."""

    def play(self, state: State, seat: int, decision_id: int, command: Command, chance: Chance) -> list[Any]:
        return super().play(state, seat, 0 if isinstance(command, Concede) else decision_id, command, chance)


class BidsWithoutBeingAsked(SealedBids):
    """A bid need not name its decision."""

    def play(self, state: State, seat: int, decision_id: int, command: Command, chance: Chance) -> list[Any]:
        return super().play(state, seat, decision_id or state.round, command, chance)


class OnlyTheAskedConcede(SealedBids):
    """Who owes nothing is offered a concession and refused it."""

    def play(self, state: State, seat: int, decision_id: int, command: Command, chance: Chance) -> list[Any]:
        if isinstance(command, Concede) and all(owed.seat != seat for owed in self.decisions(state)):
            raise RuleViolation("STALE_DECISION", "SB.2", "nothing of the kind is owed")
        return super().play(state, seat, decision_id, command, chance)


class ConcedingIsPassing(SealedBids):
    """Conceding answers the decision."""

    def decisions(self, state: State) -> Sequence[Any]:
        return [owed for owed in super().decisions(state) if state.points[owed.seat] != 1]


class EndlessConcessions(SealedBids):
    """A point conceded is still there."""

    def evolve(self, state: State, event: Any) -> None:
        if not isinstance(event, PointConceded):
            super().evolve(state, event)


@pytest.mark.parametrize(
    ("requirement", "planted", "inspector"),
    [
        ("R-RULES-9", FirstComeFirstServed, inspectors.Arrivals),
        ("R-RULES-9", DearAfterBids, inspectors.Arrivals),
        ("R-RULES-7", OpenBids, Secrets),
        ("R-RULES-7", BidsToldToAll, Secrets),
        ("R-RULES-7", BidsInTheLog, Secrets),
        ("R-RULES-7", HighBidsInTheLog, Secrets),
        ("R-RULES-7", OrderTellsTheBid, Secrets),
        ("R-RULES-7", HistoryTellsBids, Secrets),
        ("R-RULES-7", HistoryKnowsTheTable, Secrets),
        ("R-RULES-7", RefusalTellsBids, Secrets),
        ("R-RULES-7", PromptTellsBids, Secrets),
        ("R-RULES-7", HigherBidsOnly, Secrets),
        ("R-RULES-7", ConcedesToHighBids, Secrets),
        ("R-RULES-2", ConcedesNothing, inspectors.Soundness),
        ("R-RULES-2", OnlyTheAskedConcede, inspectors.Soundness),
        ("R-RULES-2", ConcedingIsPassing, inspectors.Soundness),
        ("R-RULES-2", ConcedesInTheWrongPlace, inspectors.Refusals),
        ("R-RULES-2", BidsWithoutBeingAsked, inspectors.Refusals),
        ("R-RULES-3", EndlessConcessions, inspectors.Anytime),
    ],
)
def test_a_planted_fault_is_reported(requirement: str, planted: type[SealedBids], inspector: type[Inspector]) -> None:
    finds(requirement, SEALED_BIDS, planted(), inspector(), games=30)


def test_the_game_is_only_for_tests() -> None:
    assert SealedBids.name not in RULESETS
