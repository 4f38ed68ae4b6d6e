"""Scenarios of Oilfield: a position, commands, and what must follow, in the identifiers of the rules document.

game: oilfield
title: A public lease costs the bid
clauses: [OF-7.1]
given:
  players: 4
  acting: {seat: P0, action: lease, price: 7}
cases:
  - case: 20 coins become 13
    when:
      - {player: P0, do: TakeLease, field: dallas}
    then:
      P0: {coins: 13}
      facts:
        - {fact: LeaseTaken, seat: P0, slot_id: dallas_slot_1, coins_paid: 7}
"""

from wellhead_rules.kernel.scenarios import ScenarioFiles
from wellhead_rules.oilfield.described import Table
from wellhead_rules.oilfield.positions import Position
from wellhead_rules.oilfield.wording import DECISION_KINDS, SCORE_CATEGORIES, WORDING

FILES = ScenarioFiles(
    Position,
    WORDING,
    Table,
    decisions=DECISION_KINDS,
    categories=SCORE_CATEGORIES,
    follows={"vp_by_category": "vp", "vp": "vp_by_category"},
)
load = FILES.load
run = FILES.run
schema = FILES.schema
