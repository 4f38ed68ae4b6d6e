"""What every game shares: the contract of a ruleset, chance, violations, scores and the table around a game."""
