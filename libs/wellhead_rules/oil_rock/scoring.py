"""Goals (OR-GOAL) and the end of the game (OR-END); formulas of section G."""

from collections.abc import Callable, Iterator, Sequence

from wellhead_rules.kernel.scores import Rank, ScoreCard, ScoreLine, totals
from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oil_rock import goods, pack, progress, refining
from wellhead_rules.oil_rock.events import (
    CategoryScored,
    GameEnded,
    GoalScored,
    GoalScoringDue,
    Standing,
    VictoryPointsGained,
)
from wellhead_rules.oil_rock.game import Game, Player
from wellhead_rules.oil_rock.vocabulary import OilColour, ScoreCategory, VpCategory

# -- metrics and scoring rules (H.3) ---------------------------------------------------------------------------


def _offices(terrain: str) -> Callable[[Game, Player], int]:
    return lambda game, player: sum(game.content.terrain[region] == terrain for region in player.offices)


def _briefcases(colour: OilColour) -> Callable[[Game, Player], int]:
    return lambda game, player: sum(game.content.briefcase_colour[opened] == colour for opened in player.briefcases)


def _improvements(colour: OilColour) -> Callable[[Game, Player], int]:
    return lambda game, player: sum(game.content.card_colour[card] == colour for card in player.improvements)


_METRICS: dict[str, Callable[[Game, Player], int]] = {
    "drills_yellow": lambda game, player: player.drills[OilColour.YELLOW],
    "drills_green": lambda game, player: player.drills[OilColour.GREEN],
    "drills_blue": lambda game, player: player.drills[OilColour.BLUE],
    "drills": lambda game, player: sum(player.drills),
    "progress_level": lambda game, player: player.level,
    "progress_space": lambda game, player: player.space,
    "offices_plains": _offices("plains"),
    "offices_hills": _offices("hills"),
    "offices_mountains": _offices("mountains"),
    "offices": lambda game, player: len(player.offices),
    "briefcases_opened": lambda game, player: len(player.briefcases),
    "briefcases_yellow": _briefcases(OilColour.YELLOW),
    "briefcases_green": _briefcases(OilColour.GREEN),
    "briefcases_blue": _briefcases(OilColour.BLUE),
    "improvements_yellow": _improvements(OilColour.YELLOW),
    "improvements_green": _improvements(OilColour.GREEN),
    "improvements_blue": _improvements(OilColour.BLUE),
    "improvements": lambda game, player: len(player.improvements),
    "turbines_built": lambda game, player: sum(map(bool, player.turbine_at)),
    "refineries_built": lambda game, player: player.refineries,
    "extra_actions_used": lambda game, player: len(player.extra_actions),
}


def metric(game: Game, player: Player, name: str) -> int:
    """A number counted from a player's position."""
    return _METRICS[name](game, player)


def value(game: Game, player: Player, rule: pack.AnyScoringRule) -> int:
    """What a scoring rule gives a player (OR-IMP.47)."""
    match rule:
        case pack.Per():
            return _capped(metric(game, player, rule.metric) * rule.vp, rule.max)
        case pack.PerSet():
            return _capped(min(metric(game, player, name) for name in rule.metrics) * rule.vp, rule.max)
        case pack.PerGroup():
            return _capped(metric(game, player, rule.metric) // rule.size * rule.vp, rule.max)
        case pack.Majority():
            own = metric(game, player, rule.metric)
            best = max(metric(game, other, rule.metric) for other in game.players if other is not player)
            if own < rule.min or own < best:
                return 0
            return rule.vp_sole if own > best else rule.vp_tied


def _capped(points: int, most: int | None) -> int:
    return points if most is None else min(points, most)


# -- goals -----------------------------------------------------------------------------------------------------


def goal_due(game: Game) -> None:
    """Fixes what the goal of the round counts; the award follows as a commit of its own (OR-GOAL.2, 3)."""
    goal = game.goals[game.round - 1]
    rule = game.content.goals[goal].scoring
    measures = tuple(value(game, player, rule) for player in game.players)
    game.record(GoalScoringDue(game.round, goal, measures))


def award(game: Game, round: int) -> tuple[ScoreLine, ...]:
    """The award of a round, a line a seat (section G.1)."""
    due = next(due for due in game.goals_due if due.round == round)
    return tuple(ScoreLine(seat, "goals", points, "OR-GOAL.2", due.goal) for seat, points in enumerate(due.measures))


def record_award(game: Game, round: int, lines: Sequence[ScoreLine]) -> None:
    """Records an award that agrees with `award`."""
    if tuple(lines) != award(game, round):
        raise RuleViolation("SCORE_DIFFERS", "OR-GOAL.2", f"the award of round {round} differs from the rules")
    for line in lines:
        if line.points:
            game.record(VictoryPointsGained(line.seat, line.points, VpCategory.GOALS, line.source_id))
    goal = next(due.goal for due in game.goals_due if due.round == round)
    game.record(GoalScored(round, goal))


# -- the end of the game ---------------------------------------------------------------------------------------


def score(game: Game) -> ScoreCard:
    """The itemised score if the game ended now (section G.3); ties go to the marker ahead (OR-END.10)."""
    lines = tuple(line for player in game.players for line in _lines(game, player))
    total = totals(lines)
    ranked = sorted(
        game.players, key=lambda player: (total.get(player.seat, 0), progress.place(game, player)), reverse=True
    )
    return ScoreCard(lines, tuple(Rank(player.seat, total.get(player.seat, 0)) for player in ranked))


def _lines(game: Game, player: Player) -> Iterator[ScoreLine]:
    seat = player.seat
    for category in VpCategory:
        if points := player.vp_by_category[category]:
            yield ScoreLine(seat, category.name.lower(), points, _IN_PLAY[category])
    yield ScoreLine(seat, "depth", _depth(game, player), "OR-END.1")
    yield ScoreLine(seat, "modern_refineries", _modern_refineries(game, player), "OR-END.2")
    yield ScoreLine(seat, "offices", player.office_vp, "OR-END.3")
    yield ScoreLine(seat, "progress", game.content.end_vp.get(player.space, 0), "OR-END.4")
    for card in player.improvements:
        rule = game.content.improvements[card].scoring
        if rule is not None:
            yield ScoreLine(seat, "structures", value(game, player, rule), "OR-END.5", card)
    constants = game.content.constants
    patents = player.goods[goods.PATENTS] * constants.leftover_patent_vp
    yield ScoreLine(seat, "patents", patents, "OR-END.6")
    resources = sum(player.goods[place] for place in goods.RESOURCES) // constants.leftover_resource_divisor
    yield ScoreLine(seat, "resources", resources, "OR-END.7")


_IN_PLAY = {
    VpCategory.GOALS: "OR-GOAL.2",
    VpCategory.IMPROVEMENT_DEPTH: "OR-BUY.7",
    VpCategory.REFINERY: "OR-REFINE.4",
    VpCategory.TURBINE: "OR-REFINE.5",
    VpCategory.RAILWAY_BONUS: "OR-TRAIN.6",
    VpCategory.BRANCH_BONUS: "OR-OFFICE.9",
    VpCategory.BRIEFCASE: "OR-PATENT.4",
    VpCategory.EQUIPMENT: "OR-BUY.5",
    VpCategory.TECHNOLOGY: "OR-BUY.4",
    VpCategory.ABILITY: "OR-CHAR.4",
    VpCategory.PROGRESS_OVERFLOW: "OR-PROG.3",
}
"""The clause that grants the points of each category of G.2."""


def _depth(game: Game, player: Player) -> int:
    constants = game.content.constants
    return sum(constants.depth_vp[constants.min_depth + player.drills[well]] for well in game.content.wells)


def _modern_refineries(game: Game, player: Player) -> int:
    """Modern refineries flanked by a Turbine (OR-END.2)."""
    return sum(
        slot.modern_vp_if_flanked
        for slot in game.content.slots.values()
        if player.turbine_at[slot.slot]
        and (number := refining.standing(game, player, slot.slot))
        and game.content.refineries[number].modern
    )


def record_final(game: Game, card: ScoreCard) -> None:
    """Records a final score that agrees with `score`: every category of every player, then the ranking."""
    if card != score(game):
        raise RuleViolation("SCORE_DIFFERS", "OR-END.9", "the final score differs from the rules")
    for player in game.players:
        for category in ScoreCategory:
            if category is not ScoreCategory.IN_PLAY:
                name = category.name.lower()
                points = sum(line.points for line in card.lines if (line.seat, line.category) == (player.seat, name))
                game.record(CategoryScored(player.seat, category, points))
    game.record(GameEnded(tuple(Standing(rank.seat, rank.total) for rank in card.ranking)))
