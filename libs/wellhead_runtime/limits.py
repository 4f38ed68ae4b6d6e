"""Every limit of the services, in one place (R-LOG-11). Those of the store are in `wellhead_eventlog.limits`."""

from wellhead_rules.kernel.ruleset import Ruleset

# Messages
TRANSPORT_BYTES = 4 * 1024 * 1024  # beyond this the transport itself refuses, without details
REQUEST_BYTES = 64 * 1024
REQUEST_ID_CHARS = range(16, 129)
GAME_ID_CHARS = range(1, 129)
NAME_CHARS = range(1, 65)
WORD_CHARS = range(0, 65)  # colours, ids of rulesets, options and content packs; empty means any or the default
NONCE_BYTES = 64
OPTION_ID_CHARS = range(1, 257)
OPTIONS = 64
PAGE_TOKEN_CHARS = 512
GAMES_PAGE = 200
GAMES_PAGE_DEFAULT = 50
HISTORY_PAGE = 500
HISTORY_PAGE_DEFAULT = 100

# Games
SEATS = 16
TABLE_COMMITS = 200  # before the start: seats may be taken and left, but not for ever
APPEND_TRIES = 8  # how often a command is decided again after others were faster

# Streams
WATCHERS_PER_GAME = 1_000
WATCHED_GAMES = 10_000
WATCH_QUEUE = 256  # messages that wait for a slow watcher before it is cut
WRITE_SECONDS = 30.0  # a reader that takes nothing for so long is cut
HEARTBEAT_SECONDS = 15.0

# Time
CALL_SECONDS = 30.0  # for a call that brings no deadline of its own
DEADLINE_MARGIN_SECONDS = 0.05  # a waiting call answers so long before its deadline, so that the client hears why
STOP_SECONDS = 5.0
KEEPALIVE_MS = 30_000
KEEPALIVE_TIMEOUT_MS = 10_000
STORE_RETRY_SECONDS = 1.0


def commits_of(ruleset: Ruleset) -> int:
    """No game may become longer; its rules promise that none needs to (R-RULES-3)."""
    return TABLE_COMMITS + ruleset.max_commands
