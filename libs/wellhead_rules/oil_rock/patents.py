"""Patents: Briefcases and Extra Actions (OR-PATENT)."""

from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oil_rock import effects, goods, improvements
from wellhead_rules.oil_rock.commands import OpenBriefcase, UseExtraAction
from wellhead_rules.oil_rock.decision import Options
from wellhead_rules.oil_rock.events import ActionsUnlocked, BriefcaseOpened, ExtraActionUsed
from wellhead_rules.oil_rock.game import Game, Player
from wellhead_rules.oil_rock.holdings import pay, too_little
from wellhead_rules.oil_rock.lists import push_list
from wellhead_rules.oil_rock.progress import SETTLE


def add_options(game: Game, player: Player, listed: Options) -> None:
    """Adds every way to spend Patents in the open free window (OR-PATENT.1 to 9)."""
    held = player.goods[goods.PATENTS]
    if not held:
        return
    opened = player.briefcases
    listed += [
        OpenBriefcase(briefcase.id)
        for briefcase in game.content.briefcases.values()
        if briefcase.patent_cost <= held and briefcase.id not in opened
    ]
    if held >= game.content.constants.extra_action_cost_patents and not used_this_round(game, player):
        used = {extra_action for extra_action, _ in player.extra_actions}
        listed += [
            UseExtraAction(source.id)
            for source in game.content.extra_actions.values()
            if source.id not in used and startable(game, player, source.actions)
        ]


def used_this_round(game: Game, player: Player) -> bool:
    """The Extra Action of this round has been used (OR-PATENT.7)."""
    used = sum(round == game.round for _, round in player.extra_actions)
    return used >= game.content.constants.extra_actions_per_round


def startable(game: Game, player: Player, actions: tuple[str, ...]) -> bool:
    """At least one of the Actions is possible (OR-PATENT.9)."""
    return any(effects.first_possible(game, player, f"action:{action}") for action in actions)


def open_briefcase(game: Game, player: Player, briefcase_id: str) -> None:
    """Pays and opens; which triggers start is fixed before the reward is received (OR-PATENT.12, OR-IMP.48)."""
    game.push(SETTLE)
    pay(game, player.seat, goods.PATENTS, game.content.briefcases[briefcase_id].patent_cost)
    game.record(BriefcaseOpened(player.seat, briefcase_id))
    improvements.trigger(game, player, "briefcase_opened")
    push_list(game, player.seat, f"briefcase:{briefcase_id}")


def use_extra_action(game: Game, player: Player, extra_action: str) -> None:
    """Pays, marks the tile used in this round; its source counts as started (OR-PATENT.6, OR-ACTION.8)."""
    game.push(SETTLE)
    pay(game, player.seat, goods.PATENTS, game.content.constants.extra_action_cost_patents)
    game.record(ExtraActionUsed(player.seat, extra_action, game.round))
    source = game.content.extra_actions[extra_action]
    game.record(ActionsUnlocked(player.seat, extra_action, source.mode, source.actions, True))


def refuse_briefcase(game: Game, player: Player, command: OpenBriefcase) -> RuleViolation:
    """Why a Briefcase cannot be opened."""
    if command.briefcase in player.briefcases:
        return RuleViolation("BRIEFCASE_ALREADY_OPENED", "OR-PATENT.5", f"{command.briefcase} is open")
    needed = game.content.briefcases[command.briefcase].patent_cost
    return too_little(goods.PATENTS, needed, player.goods[goods.PATENTS])


def refuse_extra_action(game: Game, player: Player, command: UseExtraAction) -> RuleViolation:
    """Why an Extra Action cannot be used."""
    if used_this_round(game, player):
        return RuleViolation("EXTRA_ACTION_THIS_ROUND", "OR-PATENT.7", "one Extra Action has been used in this round")
    if any(command.extra_action == used for used, _ in player.extra_actions):
        return RuleViolation("EXTRA_ACTION_ALREADY_USED", "OR-PATENT.8", f"{command.extra_action} has been used")
    needed = game.content.constants.extra_action_cost_patents
    held = player.goods[goods.PATENTS]
    if held < needed:
        return too_little(goods.PATENTS, needed, held)
    return RuleViolation("ACTION_IMPOSSIBLE", "OR-PATENT.9", f"no Action of {command.extra_action} is possible")
