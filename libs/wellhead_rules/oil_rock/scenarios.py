"""Scenarios of Oil Rock: a position, commands, and what must follow, in the identifiers of the rules document.

    game: oil_rock
    title: An Office goes to the most valuable slot
    clauses: [OR-OFFICE.8]
    given:
      players: 2
      white: {train: R05, tools: 3}
      acting: {action: office}
    cases:
      - case: the free slot is worth 4
        when:
          - {player: white, do: BuildOffice, region: R05, well: yellow}
        then:
          white: {tools: 0}
          facts:
            - {fact: OfficeBuilt, player: white, region: R05, slot_vp: 4}

What is given for a case is added to what is given for all. Scores that become due are recorded, as the scoring service
would, as soon as a step is done.
"""

from wellhead_rules.kernel.scenarios import ScenarioFiles
from wellhead_rules.kernel.scores import ScoreCard
from wellhead_rules.oil_rock.described import Table
from wellhead_rules.oil_rock.positions import Position
from wellhead_rules.oil_rock.vocabulary import ScoreCategory
from wellhead_rules.oil_rock.wording import DECISION_KINDS, WORDING

_FINAL = tuple(category.name.lower() for category in ScoreCategory)


def breakdown(card: ScoreCard, seat: int) -> dict[str, int]:
    """A player's score by the categories of section G.3; points made during play are in the first."""
    points: dict[str, int] = {}
    for line in card.lines:
        if line.seat == seat:
            category = line.category if line.category in _FINAL and line.clause != "OR-END.9" else "in_play"
            points[category] = points.get(category, 0) + line.points
    return points


FILES = ScenarioFiles(
    Position,
    WORDING,
    Table,
    decisions=DECISION_KINDS,
    categories=_FINAL,
    breakdown=breakdown,
    follows={"vp_by_category": "vp", "best_space": "progress", "offices_on_wells": "offices"},
)
load = FILES.load
run = FILES.run
schema = FILES.schema
