"""What can be taken in a game, and what has been: for reports on balance."""

from collections.abc import Mapping

from wellhead_rules.kernel.ruleset import Taken
from wellhead_rules.oilfield.content import Content
from wellhead_rules.oilfield.events import (
    ActionStarted,
    Event,
    ExpansionBuilt,
    InvestmentBought,
    LeaseTaken,
    TowerBuilt,
)
from wellhead_rules.oilfield.vocabulary import Action, ActionOrigin

_PUBLIC, _PRIVATE = "public action", "private action"


def things(content: Content, seats: int) -> Mapping[str, Mapping[str, str]]:
    """Actions by how they were chosen, building tiles, leases by field, investments by track."""
    public = {space.action for space in (content.spaces[index] for index in content.spaces_in_play[seats])}
    return {
        _PUBLIC: {_name(action): _words(_name(action)) for action in Action if action in public},
        _PRIVATE: {card.name.lower(): _words(card.name.lower()) for card in content.cards},
        "building tile": {kind: _words(kind) for kind in content.kinds},
        "lease": {field: field.capitalize() for field in content.fields},
        "investment": {track.id: f"investment of {track.vp} VP" for track in content.tracks.values()},
    }


def taken(event: Event) -> Taken | None:
    """The thing that a seat has taken by this fact, if it is such a fact."""
    match event:
        case ActionStarted(seat=seat, action=action, origin=origin):
            return Taken(seat, _PUBLIC if origin == ActionOrigin.PUBLIC else _PRIVATE, _name(action))
        case TowerBuilt(seat=seat, tile_id=tile) | ExpansionBuilt(seat=seat, tile_id=tile):
            return Taken(seat, "building tile", tile.rpartition("_")[0])
        case LeaseTaken(seat=seat, lease_id=card):
            return Taken(seat, "lease", card.partition("_")[0])
        case InvestmentBought(seat=seat, track=track):
            return Taken(seat, "investment", track)
    return None


def _name(action: int) -> str:
    return Action(action).name.lower()


def _words(name: str) -> str:
    return name.replace("_", " ")
