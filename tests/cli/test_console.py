"""`wellhead games`: games as text, from what a query service answers."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import pytest

from wellhead.v1 import game_pb2, query_service_pb2_grpc
from wellhead.v1 import query_service_pb2 as queries
from wellhead_cli.console import out

Wellhead = Callable[..., Any]

ADA, BASIL = "Ada [bold]", "Basil"
CREATED = 1_700_000_000


def summary(game_id: str, **changes: Any) -> game_pb2.GameSummary:
    game = game_pb2.GameSummary(
        game_id=game_id,
        game="oil_rock",
        status=game_pb2.GAME_STATUS_RUNNING,
        seats=[
            game_pb2.Seat(seat=0, player=ADA, colour="white"),
            game_pb2.Seat(seat=1, player=BASIL, colour="black"),
        ],
        revision=3,
        awaiting=[1],
        creator=ADA,
        rules_version="1.0.0",
        content_pack=game_pb2.ContentPack(id="base", version="1"),
    )
    game.created.seconds = game.updated.seconds = CREATED
    game.MergeFrom(game_pb2.GameSummary(**changes))
    return game


def entry(revision: int, actor: str, *facts: str) -> queries.HistoryEntry:
    return queries.HistoryEntry(
        revision=revision, time={"seconds": CREATED + revision}, actor=actor, command=f"command {revision}", facts=facts
    )


HISTORY = [
    entry(1, ADA, "a table of oil_rock with 2 seats is open", f"{ADA} takes seat 0"),
    entry(2, BASIL),
    entry(3, "white", "white builds a drill", "white gains 2"),
    entry(4, "black", "black passes"),
]


class Queries(query_service_pb2_grpc.GameQueryServiceServicer):
    """Knows two games; one of them goes on while it is watched, with a connection that breaks."""

    def __init__(self) -> None:
        self.watches: list[int | None] = []
        self.pages: list[str] = []
        self.told: list[str] = []
        self.view = game_pb2.GameView(
            summary=summary("g1"),
            revision=3,
            decisions=[game_pb2.Decision(decision_id=9, seat=1, kind="turn", prompt="Where to build?")],
        )

    def ListGames(self, request: queries.ListGamesRequest, context: grpc.ServicerContext) -> queries.ListGamesResponse:
        games = [summary("g2", game="oilfield") if request.page_token else summary("g1")]
        wanted = [each for each in games if request.status in (0, each.status)]
        return queries.ListGamesResponse(games=wanted, next_page_token="" if request.page_token else "more")

    def GetGameView(self, request: queries.GetGameViewRequest, context: grpc.ServicerContext) -> Any:
        self.told += [str(value) for key, value in context.invocation_metadata() if key == "authorization"]
        if request.game_id != "g1":
            context.abort(grpc.StatusCode.NOT_FOUND, "there is no such game")
        return queries.GetGameViewResponse(view=self.view)

    def ListHistory(self, request: queries.ListHistoryRequest, context: grpc.ServicerContext) -> Any:
        self.pages.append(request.page_token)
        at = int(request.page_token or 0)
        entries = HISTORY[: self.view.revision]
        more = str(at + 2) if at + 2 < len(entries) else ""
        return queries.ListHistoryResponse(entries=entries[at : at + 2], next_page_token=more)

    def WatchGame(self, request: queries.WatchGameRequest, context: grpc.ServicerContext) -> Iterator[Any]:
        after = request.after_revision if request.HasField("after_revision") else None
        self.watches.append(after)
        if after is None:
            yield queries.WatchGameResponse(snapshot=self.view)
            context.abort(grpc.StatusCode.UNAVAILABLE, "the service stops")
        self.view.revision = 4
        yield queries.WatchGameResponse(change=queries.GameChange(revision=4))
        ranking = [game_pb2.RankedSeat(seat=1, total=70), game_pb2.RankedSeat(seat=0, total=60)]
        yield queries.WatchGameResponse(game_over=queries.GameOver(revision=4, ranking=ranking))


@pytest.fixture
def service() -> Iterator[tuple[Queries, str]]:
    servicer, server = Queries(), grpc.server(ThreadPoolExecutor(4))
    query_service_pb2_grpc.add_GameQueryServiceServicer_to_server(servicer, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield servicer, f"127.0.0.1:{port}"
    server.stop(None).wait()


@pytest.fixture
def games(service: tuple[Queries, str], wellhead: Wellhead, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    monkeypatch.setattr(out, "width", 160)  # wherever the tests run
    return lambda *arguments: wellhead("games", *arguments, "--target", service[1])


# -- list --------------------------------------------------------------------------------------------------------------


def test_a_list_has_a_line_a_game_with_its_state_in_words(games: Wellhead) -> None:
    ran = games("list")
    assert (ran.code, ran.err) == (0, "")
    (first,) = [line for line in ran.out.splitlines() if "g1" in line]
    assert all(word in first for word in ("oil_rock", "running", ADA, f"{BASIL} (to decide)", "2023-11-14 22:13:20"))
    assert "g2" in ran.out
    assert "\x1b" not in ran.out


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ((), ["g1", "g2"]),
        (("--limit", "1"), ["g1"]),
        (("--game", "oilfield"), ["g2"]),
        (("--player", BASIL), ["g1", "g2"]),
        (("--player", "Cleo"), []),
        (("--status", "running"), ["g1", "g2"]),
        (("--status", "open"), []),
    ],
)
def test_a_list_has_the_games_that_are_wanted(games: Wellhead, options: tuple[str, ...], found: list[str]) -> None:
    said = json.loads(games("list", *options, "--json").out)
    assert [each["game_id"] for each in said["games"]] == found
    text = games("list", *options).out
    assert all(game_id in text for game_id in found)
    assert found or text == "There is no such game.\n"


def test_a_status_that_no_game_has_is_one_line_that_names_those_there_are(games: Wellhead) -> None:
    ran = games("list", "--status", "lost")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("wellhead: a game is never 'lost'; it is open, running, scoring, ended")


# -- show --------------------------------------------------------------------------------------------------------------


def test_a_game_is_shown_with_its_seats_what_is_owed_and_the_last_facts(games: Wellhead) -> None:
    ran = games("show", "g1", "--facts", "2")
    assert (ran.code, ran.err) == (0, "")
    assert "Oil Rock g1: running, revision 3" in ran.out
    assert "time: no clocks" in ran.out
    assert f"Decision 9: {BASIL} (seat 1): Where to build?" in ran.out
    assert ran.out.splitlines()[-2:] == [
        "    3  2023-11-14 22:13:23  white: white builds a drill",
        "    3  2023-11-14 22:13:23  white: white gains 2",
    ]
    (ada,) = [line for line in ran.out.splitlines() if ADA in line and "white" in line]
    (basil,) = [line for line in ran.out.splitlines() if BASIL in line and "black" in line]
    assert ("waits" in ada, "to decide" in basil) == (True, True)
    assert "\x1b" not in ran.out


def test_a_game_with_clocks_says_how_much_time_is_left_and_who_is_away(
    games: Wellhead, service: tuple[Queries, str]
) -> None:
    game = service[0].view.summary
    game.time_control.per_game.initial_seconds = 600
    game.clocks.add(seat=0, remaining_ms=3_725_000)
    game.clocks.add(seat=1, remaining_ms=59_000, running=True, deadline={"seconds": CREATED + 59})
    game.absent.add(seat=0).resigned.SetInParent()
    service[0].view.presence.add(seat=1, connected=True)
    out = games("show", "g1").out
    assert "time per game: initial seconds 600" in out
    assert "1:02:05 left" in out
    assert "0:00:59 left, running" in out
    assert f"Decision 9: {BASIL} (seat 1), until 2023-11-14 22:14:19: Where to build?" in out
    assert "has resigned" in out
    assert "connected" in out


def test_a_game_as_json_is_the_view_and_the_end_of_its_history(games: Wellhead) -> None:
    said = json.loads(games("show", "g1", "--facts", "1", "--json").out)
    assert said["view"]["summary"]["game_id"] == "g1"
    assert [each["revision"] for each in said["history"]] == ["3"]


def test_a_token_says_who_asks(games: Wellhead, service: tuple[Queries, str]) -> None:
    games("show", "g1", "--token", "secret")
    assert service[0].told == ["Bearer secret"]


def test_a_game_that_is_not_there_is_one_line(games: Wellhead) -> None:
    ran = games("show", "g3")
    assert (ran.code, ran.out, ran.err) == (1, "", "wellhead: NOT_FOUND: there is no such game\n")


# -- watch -------------------------------------------------------------------------------------------------------------


def test_a_game_is_watched_a_line_a_fact_until_it_is_over_whatever_happens_to_the_connection(
    games: Wellhead, service: tuple[Queries, str]
) -> None:
    ran = games("watch", "g1")
    assert (ran.code, ran.err) == (0, "")
    assert [line.split("  ")[-1] for line in ran.out.splitlines()] == [
        f"{ADA}: a table of oil_rock with 2 seats is open",
        f"{ADA}: {ADA} takes seat 0",
        f"{BASIL}: command 2",
        "white: white builds a drill",
        "white: white gains 2",
        "black: black passes",
        f"The game is over: {BASIL} 70, {ADA} 60.",
    ]
    assert service[0].watches == [None, 3]
    assert service[0].pages == ["", "2", "2"]  # what was read to its end is not read again


def test_watching_goes_on_after_a_revision(games: Wellhead) -> None:
    said = [json.loads(line) for line in games("watch", "g1", "--after", "3", "--json").out.splitlines()]
    assert [each.get("revision") for each in said] == ["4", None]
    assert said[-1]["game_over"]["revision"] == "4"
