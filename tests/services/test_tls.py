"""TLS and mutual TLS by settings: on every port, and between the services (R-API-9)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import trustme

from tests.services.house import KEYRING, House
from tests.support.documents import blocks, main_of
from tests.support.waiting import until
from wellhead.v1 import game_pb2
from wellhead_client import Refused, Tls, Unreachable, WellheadClient
from wellhead_client.bots import RandomBot
from wellhead_client.runner import play_seat
from wellhead_rules.registry import RULESETS
from wellhead_runtime.keyring import Keyring
from wellhead_runtime.roles import IdentityMode, Role
from wellhead_runtime.settings import BadSetting, Settings
from wellhead_runtime.tls import Tls as ServerTls
from wellhead_runtime.tokens import Tokens

pytestmark = pytest.mark.req("R-API-9")


@dataclass
class Papers:
    """Certificates of one authority, as files."""

    where: Path
    ca: Path
    certificate: Path
    key: Path


def papers(where: Path, name: str) -> Papers:
    """For 127.0.0.1, as services and as clients have them."""
    authority = trustme.CA()
    issued = authority.issue_cert("127.0.0.1", "localhost")
    files = [where / f"{name}-{kind}.pem" for kind in ("ca", "certificate", "key")]
    authority.cert_pem.write_to_path(files[0])
    issued.cert_chain_pems[0].write_to_path(files[1])
    issued.private_key_pem.write_to_path(files[2])
    return Papers(where, *files)


@pytest.fixture
def ours(tmp_path: Path) -> Papers:
    return papers(tmp_path, "ours")


@pytest.fixture
def others(tmp_path: Path) -> Papers:
    return papers(tmp_path, "others")


async def serve(house: House, ours: Papers, mutual: bool) -> None:
    """All three services, each known by its certificate; the scoring service knows the command service by it."""
    tls = ServerTls(ours.certificate, ours.key, ours.ca if mutual else None)
    house.settings = replace(
        house.settings, tls=tls, command_ca=ours.ca, identity=IdentityMode.TOKENS, http_listen="127.0.0.1:0"
    )
    for start in (house.command, house.query, house.scoring):
        await start()


@asynccontextmanager
async def client(house: House, tls: Tls | None, name: str = "ada", http: bool = False) -> AsyncIterator[WellheadClient]:
    targets = [f"https://127.0.0.1:{each.http_port}" if http else f"127.0.0.1:{each.port}" for each in house.running]
    role = Role.OPERATOR if name == "referee" else Role.PLAYER
    token = Tokens(KEYRING).identity(name, role, 3600)
    async with WellheadClient(*targets, token=token, tls=tls, patience=2.0) as connected:
        yield connected


@pytest.mark.parametrize("mutual", [False, True], ids=["tls", "mutual"])
async def test_a_game_is_played_scored_and_exported_over_tls(memory_house: House, ours: Papers, mutual: bool) -> None:
    await serve(memory_house, ours, mutual)
    tls = Tls(ours.ca, ours.certificate, ours.key) if mutual else Tls(ours.ca)
    async with client(memory_house, tls, "referee") as referee:
        created = await referee.create_game("oil_rock", ["ada", "bob"])
        await referee.start_game(created.game_id)
        for seat in created.credentials:
            await referee.view(created.game_id, seat)
        async with asyncio.TaskGroup() as group:
            for seat in created.credentials:
                group.create_task(play_seat(referee, created.game_id, seat, RandomBot(seat.seat), RULESETS))

        async def ended() -> bool:
            return (await referee.view(created.game_id)).summary.status == game_pb2.GAME_STATUS_ENDED

        await until(ended)
        assert await referee.export(created.game_id)
        assert (await referee.score_card(created.game_id)).ranking


@pytest.mark.parametrize("http", [False, True], ids=["grpc", "http"])
async def test_whoever_does_not_know_the_authority_or_speaks_in_the_clear_gets_nowhere(
    memory_house: House, ours: Papers, others: Papers, http: bool
) -> None:
    await serve(memory_house, ours, mutual=False)
    async with client(memory_house, Tls(ours.ca), http=http) as good:
        assert (await good.create_game("oil_rock", seat_count=2)).game_id
    wrong = [Tls(others.ca), Tls()] if http else [Tls(others.ca), Tls(), None]
    for tls in wrong:
        async with client(memory_house, tls, http=http) as bad:
            with pytest.raises((Unreachable, Refused)) as failure:
                await bad.create_game("oil_rock", seat_count=2)
            assert "UNAVAILABLE" in str(failure.value) or isinstance(failure.value, Unreachable)


@pytest.mark.parametrize("http", [False, True], ids=["grpc", "http"])
async def test_where_it_is_mutual_a_client_needs_a_certificate_of_the_authority(
    memory_house: House, ours: Papers, others: Papers, http: bool
) -> None:
    await serve(memory_house, ours, mutual=True)
    async with client(memory_house, Tls(ours.ca, ours.certificate, ours.key), http=http) as good:
        assert (await good.create_game("oil_rock", seat_count=2)).game_id
    for tls in (Tls(ours.ca), Tls(ours.ca, others.certificate, others.key)):
        async with client(memory_house, tls, http=http) as bad:
            with pytest.raises((Unreachable, Refused)):
                await bad.create_game("oil_rock", seat_count=2)


# -- settings ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    Keyring.load_or_create(tmp_path / "key.json")
    return {"WELLHEAD_KEY_FILE": str(tmp_path / "key.json"), "WELLHEAD_STORE_URL": "unix:///s"}


def test_certificates_come_from_the_settings(environment: dict[str, str], ours: Papers) -> None:
    environment |= {"WELLHEAD_TLS_CERTIFICATE": str(ours.certificate), "WELLHEAD_TLS_KEY": str(ours.key)}
    assert Settings.from_environment(environment).tls == ServerTls(ours.certificate, ours.key)
    environment |= {"WELLHEAD_TLS_CLIENT_CA": str(ours.ca), "WELLHEAD_COMMAND_CA": str(ours.ca)}
    settings = Settings.from_environment(environment)
    assert settings.tls == ServerTls(ours.certificate, ours.key, ours.ca)
    assert settings.command_ca == ours.ca


def test_certificates_that_do_not_go_together_end_the_start(
    environment: dict[str, str], ours: Papers, others: Papers, tmp_path: Path
) -> None:
    secret = ours.key.read_text()
    (tmp_path / "empty.pem").touch()
    for certificate, key, ca, name in (
        (ours.certificate, None, None, "WELLHEAD_TLS_KEY"),
        (None, ours.key, None, "WELLHEAD_TLS_CERTIFICATE"),
        (None, None, ours.ca, "WELLHEAD_TLS_CERTIFICATE"),
        (ours.certificate, others.key, None, "WELLHEAD_TLS_CERTIFICATE"),
        (ours.key, ours.certificate, None, "WELLHEAD_TLS_CERTIFICATE"),
        (ours.certificate, ours.key, tmp_path / "empty.pem", "WELLHEAD_TLS_CERTIFICATE"),
    ):
        files = {"CERTIFICATE": certificate, "KEY": key, "CLIENT_CA": ca}
        given = {f"WELLHEAD_TLS_{kind}": str(file) for kind, file in files.items() if file}
        with pytest.raises(BadSetting, match=name) as caught:
            Settings.from_environment(environment | given)
        assert secret[40:80] not in str(caught.value)


def test_a_clients_certificate_and_its_key_go_together(ours: Papers) -> None:
    with pytest.raises(ValueError, match="go together"):
        Tls(ours.ca, ours.certificate)


@pytest.mark.req("R-API-8")
async def test_the_example_in_the_readme_of_the_sdk(
    memory_house: House, ours: Papers, capsys: pytest.CaptureFixture[str]
) -> None:
    await serve(memory_house, ours, mutual=False)
    readme = Path(__file__).parents[2] / "libs" / "wellhead_client" / "README.md"
    example = main_of(dict(blocks(readme, "python"))["TLS"])
    await example(*(f"127.0.0.1:{each.port}" for each in memory_house.running[:2]), ours.ca)
    assert capsys.readouterr().out == "0 games over TLS.\n"
