"""Final scoring (OF-19, section G)."""

from wellhead_rules.kernel.scores import Rank, ScoreCard, ScoreLine
from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oilfield.events import FinalScoreAdded, GameEnded, Standing
from wellhead_rules.oilfield.game import Game, Player
from wellhead_rules.oilfield.vocabulary import Phase, VpCategory

_CLAUSES = {
    VpCategory.VP_INVESTMENTS: "OF-14.2",
    VpCategory.VP_LOCAL_MARKET: "OF-10.1",
    VpCategory.VP_LEASES: "OF-19.2",
    VpCategory.VP_FULL_STORAGE: "OF-19.3",
    VpCategory.VP_MOST_MONEY: "OF-19.4",
}
_AT_THE_END = (VpCategory.VP_LEASES, VpCategory.VP_FULL_STORAGE, VpCategory.VP_MOST_MONEY)


def full_units(game: Game, player: Player) -> int:
    """Storage units that are full in the best arrangement: expansions first, then the base refinery (OF-19.3)."""
    refinery = game.content.data.refinery
    cubes = player.oil + player.gas
    expansions = min(len(player.expansions), cubes // refinery.expansion_storage)
    left = cubes - expansions * refinery.expansion_storage
    return expansions + (left >= refinery.base_storage)


def points(game: Game) -> list[tuple[int, ...]]:
    """By seat and category what the game would give if it ended now; the first category is unused."""
    scoring = game.content.data.scoring
    if game.phase == Phase.GAME_OVER:
        return [player.vp for player in game.players]
    most = max(player.coins for player in game.players)
    richest = sum(player.coins == most for player in game.players)
    money = scoring.most_money_vp if richest == 1 else scoring.most_money_tie_vp
    return [
        (
            0,
            player.vp[VpCategory.VP_INVESTMENTS],
            player.vp[VpCategory.VP_LOCAL_MARKET],
            scoring.vp_per_lease_card * len(player.leases),
            scoring.vp_per_full_storage_unit * full_units(game, player),
            money if player.coins == most else 0,
        )
        for player in game.players
    ]


def score(game: Game) -> ScoreCard:
    """The itemised score if the game ended now."""
    earned = points(game)
    lines = tuple(
        ScoreLine(seat, category.name.lower(), own[category], _CLAUSES[category])
        for seat, own in enumerate(earned)
        for category in VpCategory
        if own[category]
    )
    ordered = standings(game, earned)
    shared = [each.rank != place for place, each in enumerate(ordered, 1)]
    return ScoreCard(
        lines, tuple(Rank(each.seat, each.total, tied) for each, tied in zip(ordered, shared, strict=True))
    )


def standings(game: Game, earned: list[tuple[int, ...]]) -> tuple[Standing, ...]:
    """The order of winners: total, then fewer coins, then fewer leases, then shared (OF-19.5)."""

    def key(player: Player) -> tuple[int, int, int]:
        return -sum(earned[player.seat]), player.coins, len(player.leases)

    ordered = sorted(game.players, key=lambda player: (*key(player), player.seat))
    keys = [key(player) for player in ordered]
    return tuple(
        Standing(player.seat, keys.index(key(player)) + 1, sum(earned[player.seat]), player.coins, len(player.leases))
        for player in ordered
    )


def record_final(game: Game, card: ScoreCard) -> None:
    """Records the points of the end and the ranking; RuleViolation if they are not due or differ."""
    if game.phase != Phase.FINAL_SCORING:
        raise RuleViolation("SCORE_NOT_DUE", "OF-18.5", "the final score is not due")
    if card != score(game):
        raise RuleViolation("SCORE_DIFFERS", "OF-19.1", "the score is not that of the recorded game")
    earned = points(game)
    ranking = standings(game, earned)
    for category in _AT_THE_END:
        for seat, own in enumerate(earned):
            if own[category]:
                game.record(FinalScoreAdded(seat, category, own[category]))
    winners = tuple(standing.seat for standing in ranking if standing.rank == 1)
    game.record(GameEnded(winners, ranking))
