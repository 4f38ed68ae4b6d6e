"""The command service: decides and appends. It is the only writer of games (architecture §4)."""
