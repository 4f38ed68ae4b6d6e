"""Oilfield keeps what every game has to keep, and the suite finds a committed card wherever it leaks."""

import re
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from tests.conformance import inspectors, planting
from tests.conformance.oilfield_books import OilfieldBooks
from tests.conformance.planting import finds
from tests.conformance.subject import Inspector, Subject
from tests.conformance.suite import Conformance
from tests.conformance.worlds import Secrets
from tests.support.curious import CuriousOilfield
from wellhead_rules.kernel.chance import Chance
from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oilfield import RULESET
from wellhead_rules.oilfield.commands import CommitPrivateAction, PassAction, SellInvestment
from wellhead_rules.oilfield.events import (
    DecisionOpened,
    PrivateActionCommitted,
    PrivateActionsRevealed,
    PrivateCardReturned,
)
from wellhead_rules.oilfield.game import Game
from wellhead_rules.oilfield.vocabulary import ActionCard, Phase

_COMMANDS = files("wellhead_rules.oilfield").joinpath("rules.md").read_text("utf-8").split("### F.1 ")[1]
_CODES = re.findall(r"`([A-Z]+(?:_[A-Z]+)+)`", _COMMANDS.split("### F.2 ")[0])

OILFIELD = Subject(
    RULESET,
    codes=frozenset(_CODES),
    variants=({"advanced_towers": "true"}, {}, {"advanced_towers": "true", "dummy_timing": "between_players"}),
    bot=CuriousOilfield,
    books=OilfieldBooks,
    regressions=Path(__file__).parent / "regressions" / "oilfield",
    reveals=(PrivateActionsRevealed,),
    games=4,
    in_between=0.03,
)


class TestOilfield(Conformance):
    subject = OILFIELD


# -- a committed card that leaks (R-RULES-7, F.3) ----------------------------------------------------------------------


class Planted(planting.Planted):
    """Oilfield with a fault; what a subclass does not define is sound."""

    sound = RULESET


def lies_face_down(state: Game, card: ActionCard = ActionCard.DRILL) -> bool:
    """Somebody has committed that card, and it is not turned up yet."""
    return card in state.committed and not state.revealed


class CardsInView(Planted):
    """A view shows every committed card."""

    def view(self, state: Game, viewer: int | None) -> Any:
        message = self.sound.view(state, viewer)
        for player, card in zip(message.oilfield.players, state.committed, strict=True):
            player.card = max(card, 0)
        return message


class PriceInView(Planted):
    """A view shows the national price before the cards are turned up."""

    def view(self, state: Game, viewer: int | None) -> Any:
        message = self.sound.view(state, viewer)
        message.oilfield.sellers = state.committed.count(ActionCard.NATIONAL)
        return message


class MarketInView(Planted):
    """A view lists a market in another order while a certain card lies face down."""

    def view(self, state: Game, viewer: int | None) -> Any:
        message = self.sound.view(state, viewer)
        if lies_face_down(state):
            message.oilfield.building_market[:] = state.tile_market[::-1]
        return message


class CardToldToAll(Planted):
    """A card is told as it is committed."""

    def redact(self, event: Any, viewer: int | None) -> Any:
        return event


class CardCalledPublic(Planted):
    """The fact passes for one that everybody may see."""

    def hidden_from(self, event: Any) -> int | None:
        return None

    def redact(self, event: Any, viewer: int | None) -> Any:
        return event


class CardInTheLog(Planted):
    """The command is stored as it was sent."""

    def redact_command(self, command: Any) -> Any:
        return command


class OneCardInTheLog(Planted):
    """The command is stored without its card, unless that is to drill."""

    def redact_command(self, command: Any) -> Any:
        return command if command == CommitPrivateAction(ActionCard.DRILL) else self.sound.redact_command(command)


class OrderTellsTheCard(Planted):
    """The facts of a commitment come in another order for a certain card."""

    def play(self, state: Game, seat: int, decision_id: int, command: Any, chance: Chance) -> list[Any]:
        closed, committed, *rest = [*self.sound.play(state, seat, decision_id, command, chance), None]
        turned = command == CommitPrivateAction(ActionCard.DRILL)
        facts = [committed, closed, *rest] if turned else [closed, committed, *rest]
        return [fact for fact in facts if fact is not None]


class DecisionTellsTheCard(Planted):
    """The first question of the public actions phase says on its agenda what a card will do."""

    def play(self, state: Game, *command: Any) -> list[Any]:
        facts = self.sound.play(state, *command)
        if state.phase == Phase.PUBLIC_ACTIONS and lies_face_down(state) and isinstance(facts[-1], DecisionOpened):
            parameters = structs.replace(facts[-1].parameters, field="dallas")
            facts = [*facts[:-1], structs.replace(facts[-1], parameters=parameters)]
            self.sound.evolve(state, facts[-1])
        return list(facts)


class DrawsTellTheCard(Planted):
    """A die is thrown for a certain card; the log counts the throws."""

    def play(self, state: Game, seat: int, decision_id: int, command: Any, chance: Chance) -> list[Any]:
        facts: list[Any] = self.sound.play(state, seat, decision_id, command, chance)
        if command == CommitPrivateAction(ActionCard.DRILL):
            chance.draw(6)
        return facts


class HistoryTellsTheCard(Planted):
    """A redacted commitment is put into words with the card."""

    def describe(self, state: Game, event: Any) -> str:
        if isinstance(event, PrivateActionCommitted):
            return f"seat {event.seat} commits {state.committed[event.seat]}"
        return str(self.sound.describe(state, event))


class HistoryKnowsTheTable(Planted):
    """A redacted command is put into words with what lies on the table."""

    def option_label(self, state: Game, command: Any) -> str:
        return f"{self.sound.option_label(state, command)} beside {state.committed}"


class PromptTellsTheCard(Planted):
    """The question says what has been committed."""

    def prompt(self, state: Game, owed: Any) -> str:
        return f"{self.sound.prompt(state, owed)} {state.committed}"


class RefusalTellsTheCard(Planted):
    """The words of a refusal say what lies face down."""

    def play(self, state: Game, *command: Any) -> Any:
        try:
            return self.sound.play(state, *command)
        except RuleViolation as refusal:
            raise RuleViolation(refusal.code, refusal.clause, f"{refusal.detail} {state.committed}") from refusal


class CodeTellsTheCard(Planted):
    """A refusal has another code while a certain card lies face down."""

    def play(self, state: Game, *command: Any) -> Any:
        try:
            return self.sound.play(state, *command)
        except RuleViolation as refusal:
            code = "FIELD_ON_STRIKE" if lies_face_down(state) else refusal.code
            raise RuleViolation(code, refusal.clause, refusal.detail) from refusal


class OptionsKnowTheCard(Planted):
    """Nobody may pass while a certain card lies face down."""

    def legal(self, state: Game, seat: int) -> Sequence[Any]:
        listed: Sequence[Any] = self.sound.legal(state, seat)
        return listed[:-1] if lies_face_down(state) and len(listed) > 1 else listed


class SalesKnowTheCard(Planted):
    """Nobody may sell an investment while a certain card lies face down."""

    def anytime(self, state: Game, seat: int) -> Sequence[Any]:
        return [] if lies_face_down(state) else self.sound.anytime(state, seat)


class WorthKnowsTheCard(Planted):
    """A bot is told what a card will do."""

    def worth(self, state: Game, seat: int) -> float:
        return float(self.sound.worth(state, seat)) - lies_face_down(state, ActionCard.NATIONAL)


@pytest.mark.req("R-RULES-7")
@pytest.mark.parametrize(
    "planted",
    [
        CardsInView, PriceInView, MarketInView, CardToldToAll, CardCalledPublic, CardInTheLog, OneCardInTheLog,
        OrderTellsTheCard, DecisionTellsTheCard, DrawsTellTheCard, HistoryTellsTheCard, HistoryKnowsTheTable,
        PromptTellsTheCard, RefusalTellsTheCard, CodeTellsTheCard, OptionsKnowTheCard, SalesKnowTheCard,
        WorthKnowsTheCard,
    ],
)  # fmt: skip
def test_a_planted_leak_is_reported(planted: type[Planted]) -> None:
    finds("R-RULES-7", OILFIELD, planted(), Secrets(refusals=0.5))


# -- other faults ------------------------------------------------------------------------------------------------------


class UnrecordedCoin(Planted):
    """A coin changes hands and no fact says so."""

    def play(self, state: Game, seat: int, *command: Any) -> Any:
        facts = self.sound.play(state, seat, *command)
        state.players[seat].coins += 1
        return facts


class LostCube(Planted):
    """A cube falls under the table."""

    def play(self, state: Game, seat: int, *command: Any) -> Any:
        facts = self.sound.play(state, seat, *command)
        state.bag_oil -= 1
        return facts


class UnreturnedCards(Planted):
    """Cards stay on the table after their actions."""

    def evolve(self, state: Game, event: Any) -> None:
        if not isinstance(event, PrivateCardReturned):
            self.sound.evolve(state, event)

    def play(self, state: Game, *command: Any) -> Any:
        committed = state.committed
        facts = self.sound.play(state, *command)
        if any(isinstance(fact, PrivateCardReturned) for fact in facts):
            state.committed = committed
        return facts


class SellingIsPassing(Planted):
    """Who sells an investment while being asked passes."""

    def play(self, state: Game, seat: int, decision_id: int, command: Any, chance: Chance) -> Any:
        facts = self.sound.play(state, seat, decision_id, command, chance)
        owed = [due.decision_id for due in self.sound.decisions(state) if due.seat == seat]
        if isinstance(command, SellInvestment) and owed and PassAction() in self.sound.legal(state, seat):
            facts = [*facts, *self.sound.play(state, seat, owed[0], PassAction(), chance)]
        return facts


@pytest.mark.parametrize(
    ("requirement", "planted", "inspector"),
    [
        ("R-RULES-2", SellingIsPassing, inspectors.Soundness),
        ("R-RULES-5", UnreturnedCards, inspectors.Twin),
        ("R-RULES-6", UnrecordedCoin, inspectors.Conservation),
        ("R-RULES-6", LostCube, inspectors.Conservation),
        ("R-RULES-6", UnreturnedCards, inspectors.Conservation),
    ],
)
def test_another_planted_fault_is_reported(
    requirement: str, planted: type[Planted], inspector: type[Inspector]
) -> None:
    finds(requirement, OILFIELD, planted(), inspector())
