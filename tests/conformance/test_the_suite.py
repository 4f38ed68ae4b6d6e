"""The suite finds what it is there to find: faults are planted in a game that is sound, and must be reported."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import pytest

from tests.conformance import inspectors, planting
from tests.conformance.planting import finds
from tests.conformance.subject import Inspector
from tests.conformance.test_oil_rock import OIL_ROCK
from tests.conformance.worlds import Secrets
from wellhead_rules.kernel.chance import Chance
from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oil_rock.events import (
    GoodsChanged,
    ImprovementsLookedAt,
    ImprovementsPutUnder,
    ImprovementTaken,
)
from wellhead_rules.oil_rock.game import Game


class Planted(planting.Planted):
    """Oil Rock with a fault; what a subclass does not define is sound."""

    sound = OIL_ROCK.ruleset


# -- leaks (R-RULES-7) -------------------------------------------------------------------------------------------------


class DeckInView(Planted):
    """A view names the cards under the deck, in their order."""

    def view(self, state: Game, viewer: int | None) -> Any:
        message = self.sound.view(state, viewer)
        message.oil_rock.hidden.deck_bottom[:] = state.deck_bottom
        return message


class TopOfDeckInView(Planted):
    """A view names the deck's first card: no secret as a set, but what it tells depends on the cards under it."""

    def view(self, state: Game, viewer: int | None) -> Any:
        message = self.sound.view(state, viewer)
        message.oil_rock.hidden.deck_bottom[:] = state.deck[:1]
        return message


class NothingRedacted(Planted):
    """The private part of an event reaches everybody."""

    def redact(self, event: Any, viewer: int | None) -> Any:
        return event


class LookToldToAll(Planted):
    """Only the look itself reaches everybody, at the moment at which the cards are drawn."""

    def redact(self, event: Any, viewer: int | None) -> Any:
        return event if isinstance(event, ImprovementsLookedAt) else self.sound.redact(event, viewer)


class LookCalledPublic(Planted):
    """A private event passes for one that everybody may see."""

    def hidden_from(self, event: Any) -> int | None:
        return None if isinstance(event, ImprovementsPutUnder) else self.sound.hidden_from(event)

    def redact(self, event: Any, viewer: int | None) -> Any:
        return event if isinstance(event, ImprovementsPutUnder) else self.sound.redact(event, viewer)


class OptionsKnowTheDeck(Planted):
    """A menu is one entry shorter when a certain card lies under the deck."""

    def legal(self, state: Game, seat: int) -> Sequence[Any]:
        listed = self.sound.legal(state, seat)
        odd = sum(int(card[2:]) for card in (*state.deck_bottom, *state.looked_at) if card) % 2
        return listed[:-1] if odd and len(listed) > 2 else listed


class OrderKnowsTheDeck(Planted):
    """A menu has another order when a certain card lies under the deck."""

    def legal(self, state: Game, seat: int) -> Sequence[Any]:
        listed = self.sound.legal(state, seat)
        odd = sum(int(card[2:]) for card in (*state.deck_bottom, *state.looked_at) if card) % 2
        return listed[::-1] if odd else listed


class RefusalKnowsTheDeck(Planted):
    """The words of a refusal name a card under the deck."""

    def play(self, state: Game, *command: Any) -> Any:
        try:
            return self.sound.play(state, *command)
        except RuleViolation as refusal:
            raise RuleViolation(refusal.code, refusal.clause, f"{refusal.detail} {state.deck_bottom}") from refusal


@pytest.mark.req("R-RULES-7")
@pytest.mark.parametrize(
    "planted",
    [
        DeckInView, TopOfDeckInView, NothingRedacted, LookToldToAll, LookCalledPublic, OptionsKnowTheDeck,
        OrderKnowsTheDeck, RefusalKnowsTheDeck,
    ],
)  # fmt: skip
def test_a_planted_leak_is_reported(planted: type[Planted]) -> None:
    finds("R-RULES-7", OIL_ROCK, planted(), Secrets(refusals=0.5))


# -- barriers (R-RULES-5 and 7) ----------------------------------------------------------------------------------------


class NothingIsNews(Planted):
    """Whoever has looked at cards may take back what led to it."""

    def barrier(self, event: Any) -> bool:
        return False


class ShowingIsNoNews(Planted):
    """A card that only one player has seen becomes public, and what led to it may be taken back."""

    def barrier(self, event: Any) -> bool:
        return bool(self.sound.barrier(event)) and not isinstance(event, ImprovementTaken)


class FactsFoldDifferently(Planted):
    """A fact folds to something else the second time."""

    def evolve(self, state: Game, event: Any) -> None:
        self.sound.evolve(state, event)
        if isinstance(event, GoodsChanged):
            state.players[event.player].goods[1] += 1


@pytest.mark.parametrize(
    ("requirement", "planted"),
    [("R-RULES-7", NothingIsNews), ("R-RULES-7", ShowingIsNoNews), ("R-RULES-5", FactsFoldDifferently)],
)
def test_a_planted_fault_in_what_can_be_taken_back_is_reported(requirement: str, planted: type[Planted]) -> None:
    finds(requirement, OIL_ROCK, planted(), inspectors.Barriers(), games=40)


# -- other faults ------------------------------------------------------------------------------------------------------


class SharedGoods(Planted):
    """A clone shares a list with its original."""

    def clone(self, state: Game) -> Game:
        clone: Game = self.sound.clone(state)
        for copy, player in zip(clone.players, state.players, strict=True):
            copy.goods = player.goods
        return clone


class UnrecordedGift(Planted):
    """A Coin changes hands and no fact says so."""

    def play(self, state: Game, seat: int, *command: Any) -> Any:
        facts = self.sound.play(state, seat, *command)
        state.players[seat].goods[1] += 1
        return facts


class DoubleGift(Planted):
    """A fact of nothing."""

    def play(self, state: Game, seat: int, *command: Any) -> Any:
        facts = self.sound.play(state, seat, *command)
        kind = next((fact for fact in facts if isinstance(fact, GoodsChanged)), None)
        return [*facts, msgspec.structs.replace(kind, tools=0, coins=0, coal=0, patents=0)] if kind else facts


class LetsAnythingPass(Planted):
    """A command that is not listed is carried out as if it were the first that is."""

    def play(self, state: Game, seat: int, decision_id: int, command: Any, chance: Chance) -> Any:
        listed = self.sound.legal(state, seat)
        known = not listed or command in listed
        return self.sound.play(state, seat, decision_id, command if known else listed[0], chance)


class DrawsOnRefusal(Planted):
    """A refused command uses up a draw."""

    def play(self, state: Game, seat: int, decision_id: int, command: Any, chance: Chance) -> Any:
        if command not in self.sound.legal(state, seat):
            chance.draw(6)
        return self.sound.play(state, seat, decision_id, command, chance)


class ListsTooMuch(Planted):
    """A menu also offers what another one offered."""

    last: Any = None

    def legal(self, state: Game, seat: int) -> Sequence[Any]:
        listed = self.sound.legal(state, seat)
        extra = [self.last] if listed and self.last is not None and self.last not in listed else []
        self.last = listed[0] if listed else self.last
        return [*listed, *extra]


class NeverEnds(Planted):
    """It promises to end sooner than it does."""

    max_commands = 20


class CountedOptions(Planted):
    """An option is named by its place in the list."""

    def option_id(self, command: Any) -> str:
        return f"option-{len(str(command)) % 7}"


class ForgetsAFact(Planted):
    """A kind of fact does not survive being stored."""

    def events_to_proto(self, events: Iterable[Any]) -> Any:
        return self.sound.events_to_proto([event for event in events if not isinstance(event, GoodsChanged)])


@pytest.mark.parametrize(
    ("requirement", "planted", "inspector"),
    [
        ("R-RULES-2", LetsAnythingPass, inspectors.Refusals),
        ("R-RULES-2", ListsTooMuch, inspectors.Soundness),
        ("R-RULES-3", NeverEnds, Inspector),
        ("R-RULES-4", DrawsOnRefusal, inspectors.Refusals),
        ("R-RULES-5", SharedGoods, inspectors.Clones),
        ("R-RULES-5", UnrecordedGift, inspectors.Twin),
        ("R-RULES-5", ForgetsAFact, inspectors.Twin),
        ("R-RULES-6", UnrecordedGift, inspectors.Conservation),
        ("R-RULES-6", DoubleGift, inspectors.Conservation),
        ("R-RULES-10", CountedOptions, inspectors.OptionIds),
    ],
)
def test_another_planted_fault_is_reported(
    requirement: str, planted: type[Planted], inspector: type[Inspector]
) -> None:
    finds(requirement, OIL_ROCK, planted(), inspector())
