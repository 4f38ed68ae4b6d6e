"""Which players follow their game through this process, and when they were last seen: never recorded, and no clock
depends on it."""

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from wellhead.v1 import game_pb2
from wellhead_rules.kernel.ruleset import Viewer
from wellhead_runtime import limits

Place = tuple[str, int]
"""A game and a seat of it."""


class Presence:
    """Counts the streams of every seat."""

    def __init__(self, now_us: Callable[[], int] = lambda: time.time_ns() // 1000) -> None:
        self._now_us = now_us
        self._streams: Counter[Place] = Counter()
        self._seen: OrderedDict[Place, int] = OrderedDict()

    @contextmanager
    def following(self, game_id: str, viewer: Viewer) -> Iterator[None]:
        """As long as somebody follows the game; a spectator is nobody's presence."""
        if viewer is None:
            yield
            return
        place = (game_id, viewer)
        self._streams[place] += 1
        try:
            yield
        finally:
            self._streams[place] -= 1
            if not self._streams[place]:
                del self._streams[place]
            self._seen[place] = self._now_us()
            self._seen.move_to_end(place)
            if len(self._seen) > limits.PLAYERS_SEEN:
                self._seen.popitem(last=False)

    def add_to(self, view: game_pb2.GameView) -> None:
        """Says of every seat of the game whether its player is there."""
        for each in view.summary.seats:
            place = (view.summary.game_id, each.seat)
            message = view.presence.add(seat=each.seat, connected=place in self._streams)
            seen_us = self._now_us() if message.connected else self._seen.get(place)
            if seen_us is not None:
                message.last_seen.FromMicroseconds(seen_us)
