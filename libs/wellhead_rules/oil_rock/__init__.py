"""Oil Rock: 2 to 4 players, worker placement. `rules.md` is the rules document whose clauses the code names."""

from wellhead_rules.oil_rock.ruleset import OilRock

RULESET = OilRock()
