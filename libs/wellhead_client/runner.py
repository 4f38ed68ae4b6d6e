"""A bot that plays a seat of a game to its end, over gRPC alone."""

from collections.abc import Mapping, Sequence

from wellhead.v1 import game_pb2, query_service_pb2
from wellhead_client.bots import Bot
from wellhead_client.client import SeatAt, WellheadClient
from wellhead_client.errors import Refused
from wellhead_client.follower import Follower
from wellhead_client.play import PlaySession
from wellhead_rules.kernel.ruleset import Owed, Ruleset


async def play_seat(
    client: WellheadClient, game_id: str, seat: SeatAt, bot: Bot, registry: Mapping[str, Ruleset]
) -> query_service_pb2.GameOver:
    """Answers every decision of the seat until the game is over; may start, or start again, at any point of a game."""
    follower = Follower(registry)
    # At revisions before this one the seat has acted already; whoever held it then.
    current = (await client.view(game_id, seat)).revision
    async with client.play(game_id, seat) as session:
        async for message in client.watch(game_id, seat, after_revision=0):
            if message.WhichOneof("kind") == "game_over":
                return message.game_over
            change = message.change
            news = follower.fold(change.revision, change.events, change.summary, change.undone_to)
            if news and change.revision >= current and not await _taken_back(client, game_id, seat, change):
                ruleset = registry[change.summary.game]
                acted = await _answer_all(session, seat, bot, ruleset, follower, change.decisions, change.anytime)
                current = max(current, acted)
    raise AssertionError("a watch ends with the end of the game")


async def _taken_back(client: WellheadClient, game_id: str, seat: SeatAt, change: query_service_pb2.GameChange) -> bool:
    """Agrees if another seat asks to take something back; whether that has been done, and the watch will bring it."""
    asked = change.undo
    if not change.HasField("undo") or seat.seat in (asked.seat, *asked.agreed):
        return False
    try:
        answer = await client.answer_undo(game_id, seat, asked.target_revision, agree=True)
    except Refused:
        return False  # it is not asked any more
    return not answer.view.HasField("undo")


async def _answer_all(
    session: PlaySession,
    seat: SeatAt,
    bot: Bot,
    ruleset: Ruleset,
    follower: Follower,
    decisions: Sequence[game_pb2.Decision],
    anytime: Sequence[game_pb2.Option],
) -> int:
    """Answers what the seat owes, and what it owes next, as long as nobody else comes in between.

    The revision of its last command, 0 if there was none.
    """
    acted = 0
    while own := next((decision for decision in decisions if decision.seat == seat.seat and decision.options), None):
        owed = Owed(own.decision_id, own.seat, own.kind)
        named = {
            ruleset.command_from_proto(option.command): (number, option.id)
            for number, options in ((own.decision_id, own.options), (0, anytime))
            for option in options
        }
        command = bot.choose(follower.state, owed, list(named))
        try:
            answer = await session.submit(*named[command])
        except Refused as refusal:
            if refusal.revision <= follower.revision:
                raise
            return acted  # the game went on without this answer; the watch brings what happened
        acted = answer.receipt.revision
        if not follower.fold(acted, answer.events):
            break
        decisions, anytime = answer.decisions, answer.anytime
    return acted
