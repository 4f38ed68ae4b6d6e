"""Every limit of the services, in one place (R-LOG-11). Those of the store are in `wellhead_eventlog.limits`.

Whoever reaches one is told its name, as it stands here, and its size: `protos/errors.md` lists both with the reasons.
"""

from msgspec import Struct

from wellhead_rules.kernel.ruleset import Ruleset

# Messages
TRANSPORT_BYTES = 4 * 1024 * 1024  # beyond this the transport itself refuses, without details
REQUEST_BYTES = 64 * 1024
JSON_DEPTH = 32  # of a request in JSON
HTTP_CONNECTIONS = 20_000
HTTP_HEAD_BYTES = 1024 * 1024  # in pieces; one that comes whole is as large as the loop reads at once
REQUEST_ID_CHARS = range(16, 129)
GAME_ID_CHARS = range(1, 129)
NAME_CHARS = range(1, 65)
CLOCK_SECONDS = range(1, 30 * 24 * 3600 + 1)  # of a time control
CLOCK_DAYS = range(1, 366)
WORD_CHARS = range(0, 65)  # colours, ids of rulesets, options and content packs; empty means any or the default
NONCE_BYTES = 64
OPTION_ID_CHARS = range(1, 257)
INVITATION_CODE_CHARS = range(0, 65)
OPTIONS = 64
PAGE_TOKEN_CHARS = 512
GAMES_PAGE = 200
GAMES_PAGE_DEFAULT = 50
GAMES_LOOKED_AT = 1_000  # for one page: a list that leaves many out has short pages
HISTORY_PAGE = 500
HISTORY_PAGE_DEFAULT = 100

# Tokens
TOKEN_CHARS = 2_048
TOKEN_SECONDS = 31 * 24 * 3600  # no token says for longer who somebody is
TOKENS_AT_HAND = 10_000  # verified ones, which are not verified again


# Calls of one caller: `burst` at once, and then so many a second (R-API-6). Moves in a game are not among them.
class Rate(Struct, frozen=True):
    """How often something may be done."""

    per_second: float
    burst: float


CREATIONS = Rate(1, 100)
TABLE_COMMANDS = Rate(20, 400)
READS = Rate(200, 2_000)
WATCHES = Rate(20, 400)
REFUSED_COMMANDS = Rate(20, 100)  # beyond these a caller's commands wait, but are decided
REFUSED_COMMAND_SECONDS = 0.25  # how long they wait at most
CALLERS = 10_000  # of whom a process remembers how much they have asked
HISTORY_COST = 5  # reads: it folds the game again
EXPORT_COST = 20  # reads

# Games
OPEN_TABLES = 200  # that a caller has opened within the last OPEN_TABLE_SECONDS and nobody has started
OPEN_TABLE_SECONDS = 3_600.0
SEATS = 16
TABLE_COMMITS = 200  # before the start: seats may be taken and left, but not for ever
REMATCHES = 8  # of one game: another only after the one before has been abandoned
UNDO_COMMITS = 1_000  # of a game: what is asked, answered and taken back; beyond these nobody asks any more
PROGRAMME_FACTS = 1_000  # of a game: programmes set and stopped; beyond these nobody sets one any more
APPEND_TRIES = 8  # how often a command is decided again after others were faster

# Clocks
BEAT_SECONDS = 0.25  # how often a command service says that it is there
OUTAGE_SECONDS = 1.0  # none has said so for longer: nobody could play, and nobody is charged
SWEEP_SECONDS = 1.0  # how often it looks for decisions whose time is over
SWEPT_AT_ONCE = 100  # games of one partition, before the others get their turn
SWEPT_TOGETHER = 16  # games of all partitions
PUT_OFF_SECONDS = 60.0  # after which a game is looked at again with which something was wrong
ANSWERED_AT_ONCE = 200  # decisions of one game, before others get their turn

# Streams
STREAMS_PER_CALLER = 200  # watches that run at once
CALLS_PER_CONNECTION = 500  # at once; the transport makes more of them wait
WATCHERS_PER_GAME = 1_000
WATCHED_GAMES = 10_000
PLAYERS_SEEN = 100_000  # of whom a process remembers when they last followed their game
WATCH_QUEUE = 256  # messages that wait for a slow watcher before it is cut
WRITE_SECONDS = 30.0  # a reader that takes nothing for so long is cut
HEARTBEAT_SECONDS = 15.0

# Time
CALL_SECONDS = 30.0  # for a call that brings no deadline of its own
DEADLINE_MARGIN_SECONDS = 0.05  # a waiting call answers so long before its deadline, so that the client hears why;
DEADLINE_MARGIN_SHARE = 0.1  # or such a part of the time, if that is longer
STOP_SECONDS = 5.0
KEEPALIVE_MS = 30_000
KEEPALIVE_TIMEOUT_MS = 10_000
STORE_RETRY_SECONDS = 1.0
PULSE_SECONDS = 1.0  # between two questions whether the store is there
STORE_SILENT_SECONDS = 5.0  # after which a service takes no calls until the store answers again
LAG_SECONDS = 2.0  # between two looks at how far a consumer is behind


def commits_of(ruleset: Ruleset) -> int:
    """No game may become longer; its rules promise that none needs to (R-RULES-3)."""
    return TABLE_COMMITS + ruleset.max_commands


def at_most(name: str) -> int | float:
    """The size of a limit by its name; of a range, its largest."""
    value = globals()[name]
    return value[-1] if isinstance(value, range) else value
