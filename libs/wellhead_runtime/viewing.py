"""What goes out about a game, as one viewer may see it: the only place where messages about a table are built.

What may be seen is decided by the ruleset's `view` and `redact`; here it is put into the envelopes.
"""

from collections.abc import Sequence
from functools import lru_cache

from wellhead.v1 import game_pb2
from wellhead_rules.kernel.absence import RESIGNED
from wellhead_rules.kernel.commits import rank_to_proto
from wellhead_rules.kernel.ruleset import Command, Owed, Ruleset, Viewer
from wellhead_rules.kernel.table import Status, Table
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
        ranking=_ranking(table),
        content_pack=game_pb2.ContentPack(id=pack.id, version=pack.version, digest=pack.digest),
        rules_version=table.rules_version,
        options=table.options,
        spectating=int(table.spectating),  # type: ignore[arg-type]
        creator=table.creator,
        private=table.private,
        start_when_full=table.start_when_full,
        rematch_of=table.rematch_of,
    )
    if table.control is not None:
        message.time_control.CopyFrom(table.control.to_proto())
        message.absence_policy.CopyFrom(table.policy.to_proto())
        message.clocks.extend(_clocks(table))
    message.absent.extend(_absence(seat, bot) for seat, bot in sorted(table.absent.items()))
    message.created.FromMicroseconds(table.created_us)
    message.updated.FromMicroseconds(table.updated_us)
    return message


def _ranking(table: Table) -> list[game_pb2.RankedSeat]:
    """The ranking by the rules, but that whoever has resigned stands behind all who stayed. Totals stay as they are."""
    gone = {seat for seat, bot in table.absent.items() if bot == RESIGNED}
    placed = sorted(table.ranking, key=lambda rank: rank.seat in gone)
    ranking = list(map(rank_to_proto, placed))
    for rank, before in zip(ranking[1:], placed, strict=False):
        rank.shared &= rank.total == before.total and (rank.seat in gone) == (before.seat in gone)
    return ranking


def _clocks(table: Table) -> list[game_pb2.SeatClock]:
    shown = []
    for seat, clock in enumerate(table.clocks):
        message = game_pb2.SeatClock(
            seat=seat, remaining_ms=max(clock.left_us, 0) // 1_000, running=bool(clock.decision_id)
        )
        if clock.deadline_us is not None:
            message.deadline.FromMicroseconds(clock.deadline_us)
        shown.append(message)
    return shown


def _absence(seat: int, bot: str) -> game_pb2.SeatAbsence:
    if bot == RESIGNED:
        return game_pb2.SeatAbsence(seat=seat, resigned=game_pb2.Resignation())
    return game_pb2.SeatAbsence(seat=seat, taken_over=game_pb2.TakeOver(bot=bot))


def colours(table: Table) -> list[str]:
    """The colour of every seat; empty words until the game has started."""
    if not table.started:
        return [""] * len(table.seats)
    return table.ruleset.colours([holder.colour if holder else "" for holder in table.seats])


def _seats(table: Table) -> list[game_pb2.Seat]:
    return [
        game_pb2.Seat(seat=seat, player=holder.player if holder else "", colour=colour, reserved_for=reserved)
        for seat, (holder, colour, reserved) in enumerate(zip(table.seats, colours(table), table.reserved, strict=True))
    ]


def game_view(table: Table, viewer: Viewer) -> game_pb2.GameView:
    """The game as the viewer may see it now."""
    return game_pb2.GameView(
        summary=summary(table),
        revision=table.revision,
        table=table.ruleset.view(table.game, viewer) if table.started else None,
        decisions=decisions(table, viewer),
        anytime=anytime(table, viewer),
        undo=undo(table),
        programmes=programmes(table),
    )


def programmes(table: Table) -> list[game_pb2.Programme]:
    """The programmes that stand, by seat; everybody may know them."""
    if table.status is not Status.RUNNING:
        return []
    return [each.to_proto() for _, each in sorted(table.programmes.items())]


def undo(table: Table) -> game_pb2.PendingUndo | None:
    """What somebody asks to take back; None if nobody does."""
    asked, stretch = table.undoing.asked, table.undoing.stretch
    if asked is None or stretch is None:
        return None
    commands = len(stretch.facts) - (stretch.place(asked.target) or 0)
    return game_pb2.PendingUndo(seat=asked.seat, target_revision=asked.target, commands=commands, agreed=asked.agreed)


def undone_to(live: LiveGame) -> int:
    """The revision to which the latest commit has taken the game back; 0 if it was another kind of commit."""
    facts = live.last.record.table_events if live.last is not None else ()
    return next((fact.undone.target_revision for fact in facts if fact.HasField("undone")), 0)


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
