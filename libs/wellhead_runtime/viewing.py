"""What goes out about a game, as one viewer may see it: the only place where messages about a table are built.

What may be seen is decided by the ruleset's `view` and `redact`; here it is put into the envelopes.
"""

from collections.abc import Sequence
from functools import lru_cache

from wellhead.v1 import game_pb2
from wellhead_rules.kernel.commits import rank_to_proto
from wellhead_rules.kernel.ruleset import Command, Owed, Ruleset, Viewer
from wellhead_rules.kernel.table import Table
from wellhead_runtime.live import LiveGame

_OPTIONS_KEPT = 20_000


def summary(table: Table) -> game_pb2.GameSummary:
    """What everybody may know without looking at the table."""
    pack = table.pack
    message = game_pb2.GameSummary(
        game_id=table.game_id,
        game=table.ruleset.name,
        status=int(table.status),  # type: ignore[arg-type]
        seats=_seats(table),
        revision=table.revision,
        awaiting=sorted({owed.seat for owed in table.owed}),
        ranking=map(rank_to_proto, table.ranking),
        content_pack=game_pb2.ContentPack(id=pack.id, version=pack.version, digest=pack.digest),
        rules_version=table.rules_version,
        options=table.options,
        spectating=int(table.spectating),  # type: ignore[arg-type]
        creator=table.creator,
    )
    message.created.FromMicroseconds(table.created_us)
    message.updated.FromMicroseconds(table.updated_us)
    return message


def colours(table: Table) -> list[str]:
    """The colour of every seat; empty words until the game has started."""
    if not table.started:
        return [""] * len(table.seats)
    return table.ruleset.colours([holder.colour if holder else "" for holder in table.seats])


def _seats(table: Table) -> list[game_pb2.Seat]:
    return [
        game_pb2.Seat(seat=seat, player=holder.player if holder else "", colour=colour)
        for seat, (holder, colour) in enumerate(zip(table.seats, colours(table), strict=True))
    ]


def game_view(table: Table, viewer: Viewer) -> game_pb2.GameView:
    """The game as the viewer may see it now."""
    return game_pb2.GameView(
        summary=summary(table),
        revision=table.revision,
        table=table.ruleset.view(table.game, viewer) if table.started else None,
        decisions=decisions(table, viewer),
        anytime=anytime(table, viewer),
    )


def decisions(table: Table, viewer: Viewer) -> list[game_pb2.Decision]:
    """The decisions owed now; options only for the viewer's own."""
    return [_decision(table, owed, viewer) for owed in table.owed]


def _decision(table: Table, owed: Owed, viewer: Viewer) -> game_pb2.Decision:
    ruleset, game = table.ruleset, table.game
    commands = ruleset.legal(game, owed.seat) if owed.seat == viewer else ()
    return game_pb2.Decision(
        decision_id=owed.decision_id,
        seat=owed.seat,
        kind=owed.kind,
        prompt=ruleset.prompt(game, owed),
        options=_options(table, commands),
    )


def anytime(table: Table, viewer: Viewer) -> list[game_pb2.Option]:
    """The commands that are open to the viewer's own seat whoever owes what."""
    if viewer is None or not table.started:
        return []
    return _options(table, table.ruleset.anytime(table.game, viewer))


def _options(table: Table, commands: Sequence[Command]) -> list[game_pb2.Option]:
    ruleset, game = table.ruleset, table.game
    return [_option(ruleset, each, ruleset.option_label(game, each)) for each in commands]  # type: ignore[arg-type]


@lru_cache(_OPTIONS_KEPT)  # a ruleset is one object for the life of the process, a command compares by value
def _option(ruleset: Ruleset, command: Command, label: str) -> game_pb2.Option:
    """An option's message: the same options come again and again, and building one costs more than copying it."""
    return game_pb2.Option(id=ruleset.option_id(command), command=ruleset.command_to_proto(command), label=label)


def events(live: LiveGame, viewer: Viewer) -> game_pb2.Events | None:
    """The facts of the latest commit as the viewer may see them; None if there are none."""
    commit, ruleset = live.last, live.table.ruleset
    if commit is None or not commit.events:
        return None
    if not commit.record.private_commitments:
        return commit.record.events  # nothing is hidden from anybody: the message that was stored serves all
    return ruleset.events_to_proto([ruleset.redact(each, viewer) for each in commit.events])
