"""The scoring service: awards of the rounds and final scores, exactly once each (architecture §6)."""
