"""What a watcher of a game is sent."""

from collections.abc import Callable

from wellhead.v1 import game_pb2
from wellhead.v1 import query_service_pb2 as api
from wellhead_rules.kernel.ruleset import Viewer
from wellhead_runtime import viewing
from wellhead_runtime.live import LiveGame
from wellhead_runtime.reasons import Reason


def snapshot(live: LiveGame, viewer: Viewer) -> api.WatchGameResponse:
    """The current state."""
    return api.WatchGameResponse(snapshot=viewing.game_view(live.table, viewer))


def change_for(viewer: Viewer) -> Callable[[LiveGame], api.WatchGameResponse]:
    """Renders commits for a viewer."""

    def change(live: LiveGame) -> api.WatchGameResponse:
        return api.WatchGameResponse(
            change=api.GameChange(
                revision=live.head.revision,
                events=viewing.events(live, viewer),
                decisions=viewing.decisions(live.table, viewer),
                summary=viewing.summary(live.table),
                anytime=viewing.anytime(live.table, viewer),
                undo=viewing.undo(live.table),
                undone_to=viewing.undone_to(live),
                programmes=viewing.programmes(live.table),
            )
        )

    return change


def game_over(summary: game_pb2.GameSummary) -> api.WatchGameResponse:
    """The last message of a game."""
    return api.WatchGameResponse(game_over=api.GameOver(revision=summary.revision, ranking=summary.ranking))


def heartbeat(revision: int) -> api.WatchGameResponse:
    """The stream is alive."""
    return api.WatchGameResponse(heartbeat=api.Heartbeat(revision=revision))


def stream_end(resume_after: int, reason: Reason) -> api.WatchGameResponse:
    """The stream ends early."""
    return api.WatchGameResponse(stream_end=api.StreamEnd(resume_after=resume_after, reason=reason.name))
