"""The rules of every game: pure functions over state, with no I/O, no clock and no logging."""
