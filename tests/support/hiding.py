"""A game with secrets: Oil Rock, in which nobody but the player is told of changes to that player's goods."""

from collections.abc import Iterable
from typing import Any

from wellhead_rules.kernel.ruleset import Ruleset
from wellhead_rules.oil_rock.events import GoodsChanged
from wellhead_rules.registry import RULESETS


class SecretGoods:
    """Oil Rock but for what `hidden_from` and `redact` say."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ruleset, name)

    def hidden_from(self, event: Any) -> int | None:
        return event.player if isinstance(event, GoodsChanged) else self._ruleset.hidden_from(event)

    def redact(self, event: Any, viewer: int | None) -> Any:
        if not isinstance(event, GoodsChanged) or event.player == viewer:
            return self._ruleset.redact(event, viewer)
        nothing = dict.fromkeys(("tools", "coins", "coal", "patents", "yellow", "green", "blue", "energy"), 0)
        return GoodsChanged(player=event.player, reason=event.reason, source_id=event.source_id, **nothing)


SECRETIVE: dict[str, Any] = {"oil_rock": SecretGoods(RULESETS["oil_rock"])}


def is_told(events: Iterable[Any], player: int) -> bool:
    """Whether any fact tells how this player's goods changed."""
    changes = [event for event in events if isinstance(event, GoodsChanged) and event.player == player]
    return any(change.tools or change.coins or change.coal for change in changes)
