"""The Improvements: display, deck, cards owned and out of the game."""

from collections.abc import Mapping, Sequence

from msgspec import UNSET

from wellhead_rules.oil_rock import events as e
from wellhead_rules.oil_rock.described import PositionError
from wellhead_rules.oil_rock.posing.pose import Pose
from wellhead_rules.oil_rock.vocabulary import CardOrigin


def deal(pose: Pose) -> None:
    """Every Improvement where it belongs; none in two places."""
    said, every = pose.said, pose.content.improvements
    deck = said.deck
    owned = {player.seat: pose.of(player).improvements or () for player in pose.game.players}
    apart = [card for cards in owned.values() for card in cards]
    under, looked_at, kept = (deck.bottom or (), deck.looked_at or (), deck.unknown or ()) if deck else ((), (), ())
    apart += [*(said.discarded or ()), *under, *looked_at, *(deck.next or () if deck else ())]
    apart += [card for card in kept if not (deck and card in (deck.next or ()))]
    size = pose.content.constants.improvement_display_size[len(pose.names)]
    display = [card for card in every if card not in apart][:size] if said.display is UNSET else said.display
    pose.known("Improvement", [*apart, *display], every, "deck" if deck else "display")
    discarded = list(said.discarded or ())
    if deck and deck.unknown is not UNSET:
        discarded += [card for card in every if card not in apart and card not in display]
    _place_cards(pose, owned, discarded, display)
    _look(pose, under, looked_at)


def _place_cards(
    pose: Pose, owned: Mapping[int, Sequence[str]], discarded: Sequence[str], display: Sequence[str]
) -> None:
    game = pose.game
    taken_only = {frame.item for frame in pose.said.agenda or () if frame.frame == "laying"}
    for seat, cards in owned.items():
        for card in cards:
            game.record(e.ImprovementRevealed(card, CardOrigin.UNKNOWN_DECK))
            game.record(e.ImprovementTaken(seat, card, CardOrigin.DISPLAY))
            if card not in taken_only:
                game.record(e.ImprovementLaid(seat, card))
    for card in discarded:
        game.record(e.ImprovementRevealed(card, CardOrigin.UNKNOWN_DECK))
        game.record(e.ImprovementDiscarded(card))
    for card in display:
        game.record(e.ImprovementRevealed(card, CardOrigin.UNKNOWN_DECK))


def _look(pose: Pose, under: Sequence[str], looked_at: Sequence[str]) -> None:
    if not under and not looked_at:
        return
    deck = pose.said.deck
    looker = next((p.seat for p in pose.game.players if p.character == "carnegie"), None)
    if deck and deck.looker:
        looker = pose.seat(deck.looker, "deck", "looker")
    if looker is None:
        raise PositionError(("deck",), "say who has looked at the cards: looker")
    for cards in filter(None, (under, looked_at)):
        hidden = e.HiddenCards(tuple(cards), (CardOrigin.UNKNOWN_DECK,) * len(cards))
        pose.game.record(e.ImprovementsLookedAt(looker, len(cards), hidden))
        if cards is under:
            put = e.HiddenCards(tuple(cards), ())
            pose.game.record(e.ImprovementsPutUnder(looker, len(cards), put))
