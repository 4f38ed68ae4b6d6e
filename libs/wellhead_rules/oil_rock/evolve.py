"""Folding: one function of a few lines per kind of fact (section F.2).

Nothing here checks, draws or decides what comes next. A fact whose hidden part is missing folds too: the cards that the
holder of the state may not see stand as `UNSEEN`, and stay in `deck` as cards that may still be there.
"""

from wellhead_rules.oil_rock import events, goods
from wellhead_rules.oil_rock.game import FOLDS, UNSEEN, DueGoal, Game, PendingSource, PlacedWorker, Player
from wellhead_rules.oil_rock.vocabulary import CardOrigin, PlayerColour, Ring, Worker, WorkerSpace

# -- setup -----------------------------------------------------------------------------------------------------


@FOLDS.of(events.GameCreated)
def _(game: Game, event: events.GameCreated) -> None:
    game.options = dict(event.options)
    game.deck = tuple(game.content.improvements)
    game.offices = dict.fromkeys(game.content.regions, ())


@FOLDS.of(events.PlayerSeated)
def _(game: Game, event: events.PlayerSeated) -> None:
    game.players[event.player].colour = PlayerColour(event.colour)


@FOLDS.of(events.ActionTilePlaced)
def _(game: Game, event: events.ActionTilePlaced) -> None:
    if event.ring == Ring.OUTER:
        game.outer = (*game.outer, event.tile)
    else:
        game.inner = (*game.inner, event.tile)


@FOLDS.of(events.RegionTilePlaced)
def _(game: Game, event: events.RegionTilePlaced) -> None:
    game.region_tile = {**game.region_tile, event.region: event.region_tile}


@FOLDS.of(events.RailwayTokenPlaced)
def _(game: Game, event: events.RailwayTokenPlaced) -> None:
    game.railway_token = {**game.railway_token, event.region: event.railway_token}


@FOLDS.of(events.GoalPlaced)
def _(game: Game, event: events.GoalPlaced) -> None:
    game.goals = (*game.goals, event.goal)


@FOLDS.of(events.ProgressMarkerPlaced)
def _(game: Game, event: events.ProgressMarkerPlaced) -> None:
    player = game.players[event.player]
    _arrive(game, player, event.space)
    player.best_space = event.space


@FOLDS.of(events.CharacterTaken)
def _(game: Game, event: events.CharacterTaken) -> None:
    game.players[event.player].character = event.character


@FOLDS.of(events.TrainPlaced)
def _(game: Game, event: events.TrainPlaced) -> None:
    game.players[event.player].train = event.region


@FOLDS.of(events.EngineerPlaced)
def _(game: Game, event: events.EngineerPlaced) -> None:
    game.players[event.player].engineer = event.region


# -- flow ------------------------------------------------------------------------------------------------------


@FOLDS.of(events.TurnOrderSet)
def _(game: Game, event: events.TurnOrderSet) -> None:
    game.turn_order = tuple(event.order)


@FOLDS.of(events.RoundStarted)
def _(game: Game, event: events.RoundStarted) -> None:
    game.round = event.round


@FOLDS.of(events.PhaseStarted)
def _(game: Game, event: events.PhaseStarted) -> None:
    game.phase = event.phase


@FOLDS.of(events.PhaseEnded)
def _(game: Game, event: events.PhaseEnded) -> None:
    game.worker_turn = 0


@FOLDS.of(events.WorkerTurnStarted)
def _(game: Game, event: events.WorkerTurnStarted) -> None:
    game.active = event.player
    game.worker_turn = event.number
    game.worker_placed = False


@FOLDS.of(events.WorkerTurnEnded)
def _(game: Game, event: events.WorkerTurnEnded) -> None:
    game.active = -1


@FOLDS.of(events.PhaseTurnStarted)
def _(game: Game, event: events.PhaseTurnStarted) -> None:
    game.active = event.player
    game.ability_tier = event.ability_tier
    game.energy_mode = event.energy_mode
    game.ability_used = False
    game.slots_activated = ()
    game.basic_used = False


@FOLDS.of(events.PhaseTurnEnded)
def _(game: Game, event: events.PhaseTurnEnded) -> None:
    game.active = -1
    game.ability_tier = 0
    game.energy_mode = False


@FOLDS.of(events.DecisionOpened)
def _(game: Game, event: events.DecisionOpened) -> None:
    game.open = event
    game.last_decision_id = event.decision_id
    game.agenda = list(event.agenda)


@FOLDS.of(events.DecisionClosed)
def _(game: Game, event: events.DecisionClosed) -> None:
    game.open = None
    game.choices = None


# -- workers and Actions ---------------------------------------------------------------------------------------


@FOLDS.of(events.WorkersReceived)
def _(game: Game, event: events.WorkersReceived) -> None:
    player = game.players[event.player]
    player.assistants += event.assistants
    player.managers += event.managers


@FOLDS.of(events.WorkerPlaced)
def _(game: Game, event: events.WorkerPlaced) -> None:
    player = game.players[event.player]
    if event.worker == Worker.ASSISTANT:
        player.assistants -= 1
    else:
        player.managers -= 1
    game.worker_placed = True
    game.workers = (*game.workers, PlacedWorker(event.player, event.worker, event.space, event.place))
    if event.space == WorkerSpace.TILE:
        game.tile_owner = {**game.tile_owner, event.place: event.player}
    elif event.space == WorkerSpace.CIRCLE:
        game.circle_owner = {**game.circle_owner, event.place: event.player}


@FOLDS.of(events.ActionsUnlocked)
def _(game: Game, event: events.ActionsUnlocked) -> None:
    source = PendingSource(event.source, event.mode, tuple(event.actions), event.started)
    game.sources = (*game.sources, source)


@FOLDS.of(events.ActionStarted)
def _(game: Game, event: events.ActionStarted) -> None:
    sources = []
    for source in game.sources:
        if source.source == event.source:
            pending = tuple(action for action in source.pending if action not in event.removed)
            if not pending:
                continue
            source = PendingSource(source.source, source.mode, pending, True)
        sources.append(source)
    game.sources = tuple(sources)


@FOLDS.of(events.ActionFinished)
def _(game: Game, event: events.ActionFinished) -> None:
    pass


@FOLDS.of(events.SourceForgone)
def _(game: Game, event: events.SourceForgone) -> None:
    game.sources = tuple(source for source in game.sources if source.source != event.source)


# -- goods, points, Progress -----------------------------------------------------------------------------------


@FOLDS.of(events.GoodsChanged)
def _(game: Game, event: events.GoodsChanged) -> None:
    held = game.players[event.player].goods
    if event.tools:
        held[goods.TOOLS] += event.tools
    if event.coins:
        held[goods.COINS] += event.coins
    if event.coal:
        held[goods.COAL] += event.coal
    if event.patents:
        held[goods.PATENTS] += event.patents
    if event.yellow:
        held[goods.YELLOW] += event.yellow
    if event.green:
        held[goods.GREEN] += event.green
    if event.blue:
        held[goods.BLUE] += event.blue
    if event.energy:
        held[goods.ENERGY] += event.energy


@FOLDS.of(events.VictoryPointsGained)
def _(game: Game, event: events.VictoryPointsGained) -> None:
    player = game.players[event.player]
    player.vp += event.amount
    player.vp_by_category[event.category] += event.amount


@FOLDS.of(events.ProgressMarkerMoved)
def _(game: Game, event: events.ProgressMarkerMoved) -> None:
    _arrive(game, game.players[event.player], event.space)


@FOLDS.of(events.BestSpaceRaised)
def _(game: Game, event: events.BestSpaceRaised) -> None:
    game.players[event.player].best_space = event.space


@FOLDS.of(events.LevelReached)
def _(game: Game, event: events.LevelReached) -> None:
    game.players[event.player].level = event.level


def _arrive(game: Game, player: Player, space: int) -> None:
    game.arrivals += 1
    player.space = space
    player.arrival = game.arrivals


# -- map and company board -------------------------------------------------------------------------------------


@FOLDS.of(events.TrainMoved)
def _(game: Game, event: events.TrainMoved) -> None:
    game.players[event.player].train = event.region


@FOLDS.of(events.EngineerMoved)
def _(game: Game, event: events.EngineerMoved) -> None:
    game.players[event.player].engineer = event.region


@FOLDS.of(events.OfficeBuilt)
def _(game: Game, event: events.OfficeBuilt) -> None:
    player = game.players[event.player]
    player.offices = (*player.offices, event.region)
    player.office_vp += event.slot_vp
    player.offices_taken = _raised(player.offices_taken, event.well)
    game.offices = {**game.offices, event.region: (*game.offices[event.region], event.player)}


@FOLDS.of(events.DrillBuilt)
def _(game: Game, event: events.DrillBuilt) -> None:
    player = game.players[event.player]
    player.drills = _raised(player.drills, event.well)


@FOLDS.of(events.RefineryBuilt)
def _(game: Game, event: events.RefineryBuilt) -> None:
    game.players[event.player].refineries = event.number


@FOLDS.of(events.TurbineBuilt)
def _(game: Game, event: events.TurbineBuilt) -> None:
    player = game.players[event.player]
    at = player.turbine_at
    player.turbine_at = (*at[: event.slot], event.turbine, *at[event.slot + 1 :])


@FOLDS.of(events.BriefcaseOpened)
def _(game: Game, event: events.BriefcaseOpened) -> None:
    player = game.players[event.player]
    player.briefcases = (*player.briefcases, event.briefcase)


@FOLDS.of(events.ExtraActionUsed)
def _(game: Game, event: events.ExtraActionUsed) -> None:
    player = game.players[event.player]
    player.extra_actions = (*player.extra_actions, (event.extra_action, event.round))


@FOLDS.of(events.AbilityUsed)
def _(game: Game, event: events.AbilityUsed) -> None:
    game.ability_used = True


@FOLDS.of(events.RefineryActivated)
def _(game: Game, event: events.RefineryActivated) -> None:
    game.slots_activated = (*game.slots_activated, event.slot)


@FOLDS.of(events.BasicRefineryUsed)
def _(game: Game, event: events.BasicRefineryUsed) -> None:
    game.basic_used = True


@FOLDS.of(events.EffectSkipped)
def _(game: Game, event: events.EffectSkipped) -> None:
    pass


@FOLDS.of(events.EffectDeclined)
def _(game: Game, event: events.EffectDeclined) -> None:
    pass


def _raised(counts: tuple[int, ...], place: int) -> tuple[int, ...]:
    return (*counts[:place], counts[place] + 1, *counts[place + 1 :])


# -- Improvements ----------------------------------------------------------------------------------------------


@FOLDS.of(events.ImprovementRevealed)
def _(game: Game, event: events.ImprovementRevealed) -> None:
    game.deck = _without(game.deck, event.improvement)
    if event.origin == CardOrigin.DECK_BOTTOM:
        game.deck_bottom = game.deck_bottom[1:]
    game.display = tuple(sorted((*game.display, event.improvement), key=game.content.card_number))


@FOLDS.of(events.ImprovementsLookedAt)
def _(game: Game, event: events.ImprovementsLookedAt) -> None:
    game.looker = event.player
    if event.hidden is None:
        game.looked_at = (UNSEEN,) * event.count
        return
    game.looked_at = tuple(event.hidden.improvements)
    game.looked_at_from = tuple(event.hidden.origins)
    game.deck = tuple(card for card in game.deck if card not in game.looked_at)
    from_bottom = sum(origin == CardOrigin.DECK_BOTTOM for origin in event.hidden.origins)
    game.deck_bottom = game.deck_bottom[from_bottom:]


@FOLDS.of(events.ImprovementTaken)
def _(game: Game, event: events.ImprovementTaken) -> None:
    player = game.players[event.player]
    player.improvements = (*player.improvements, event.improvement)
    if event.origin == CardOrigin.LOOKED_AT:
        known = event.improvement in game.looked_at
        game.looked_at = _without(game.looked_at, event.improvement if known else UNSEEN)
        game.deck = _without(game.deck, event.improvement)
    else:
        game.display = _without(game.display, event.improvement)


@FOLDS.of(events.ImprovementLaid)
def _(game: Game, event: events.ImprovementLaid) -> None:
    card = game.content.improvements[event.improvement]
    if card.kind != "equipment":
        return
    player = game.players[event.player]
    player.equipment = tuple(sorted((*player.equipment, card.id), key=game.content.card_number))
    discounts = game.content.discounts.get(card.id, {})
    player.train_discount += discounts.get("move_train", 0)
    player.office_discount += discounts.get("build_office", 0)
    player.improvement_discount += discounts.get("buy_improvement", 0)


@FOLDS.of(events.ImprovementsPutUnder)
def _(game: Game, event: events.ImprovementsPutUnder) -> None:
    put = tuple(event.hidden.improvements) if event.hidden else (UNSEEN,) * event.count
    game.deck_bottom = (*game.deck_bottom, *put)
    game.looked_at = ()
    game.looked_at_from = ()


@FOLDS.of(events.ImprovementDiscarded)
def _(game: Game, event: events.ImprovementDiscarded) -> None:
    game.display = _without(game.display, event.improvement)
    game.discarded = (*game.discarded, event.improvement)


def _without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """The cards less the first occurrence of one."""
    if card not in cards:
        return cards
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


# -- scoring and the end ---------------------------------------------------------------------------------------


@FOLDS.of(events.GoalScoringDue)
def _(game: Game, event: events.GoalScoringDue) -> None:
    game.goals_due = (*game.goals_due, DueGoal(event.round, event.goal, tuple(event.measures)))


@FOLDS.of(events.GoalScored)
def _(game: Game, event: events.GoalScored) -> None:
    game.goals_due = tuple(due for due in game.goals_due if due.round != event.round)
    game.goals_scored = (*game.goals_scored, event.round)


@FOLDS.of(events.WorkersReturned)
def _(game: Game, event: events.WorkersReturned) -> None:
    game.workers = ()
    game.tile_owner = {}
    game.circle_owner = {}
    for player in game.players:
        player.assistants = player.managers = 0


@FOLDS.of(events.OuterRingTurned)
def _(game: Game, event: events.OuterRingTurned) -> None:
    game.rotation = event.rotation


@FOLDS.of(events.FinalScoringDue)
def _(game: Game, event: events.FinalScoringDue) -> None:
    game.final_due = True
    game.agenda = []


@FOLDS.of(events.CategoryScored)
def _(game: Game, event: events.CategoryScored) -> None:
    pass


@FOLDS.of(events.GameEnded)
def _(game: Game, event: events.GameEnded) -> None:
    game.ranking = tuple((standing.player, standing.total) for standing in event.ranking)
    game.final_due = False


__all__ = ["FOLDS"]
