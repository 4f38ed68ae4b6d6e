"""The round (OF-3), up to the last one (OF-18)."""

from wellhead_rules.oilfield import dummy, markets
from wellhead_rules.oilfield.events import Frame, PhaseStarted, RoundStarted, SubsidyIncreased
from wellhead_rules.oilfield.game import Game
from wellhead_rules.oilfield.vocabulary import Phase, Step


def next_round(game: Game, frame: Frame) -> None:
    """A new round, or the final scoring after the last one (OF-3.7, OF-3.8, OF-18.3, OF-18.4)."""
    if game.is_final:
        game.record(PhaseStarted(Phase.FINAL_SCORING))
        return
    number = game.round + 1
    game.record(RoundStarted(number, number in (game.final_round, game.content.max_rounds)))
    if number > 1:
        markets.refill_tiles(game)
        markets.refill_leases(game)
        game.record(SubsidyIncreased(game.content.data.subsidy.added_each_new_round))
        if game.has_dummy:
            dummy.move_worker(game)
    game.record(PhaseStarted(Phase.PUBLIC_SELECTION))
    game.push(*course(game))


def course(game: Game) -> list[Frame]:
    """All that is done in the round, in order (OF-3.1, OF-3.6)."""
    return [
        *(Frame(Step.PLACE_WORKER, seat) for seat in game.turn_order),
        Frame(Step.COMMIT_PRIVATE),
        Frame(Step.PUBLIC_ACTIONS),
        Frame(Step.CHECK),
        Frame(Step.REVEAL),
        *(() if game.is_final else (Frame(Step.CHECK),)),
        Frame(Step.NEXT_ROUND),
    ]
