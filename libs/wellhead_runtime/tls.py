"""TLS as the settings want it: a certificate for whoever calls us, and what we know others by (R-API-9)."""

import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import final

import grpc
from grpc import aio


@final
@dataclass(frozen=True, slots=True)
class Tls:
    """PEM files: our certificate with its chain, its key, and, if callers must prove themselves too (mutual TLS), the
    authority that has signed their certificates."""

    certificate: Path
    key: Path
    client_ca: Path | None = None

    def check(self) -> None:
        """OSError unless the files can be read and go together."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, self.key, password=lambda: b"")  # nobody is there to type one
        if self.client_ca is not None:
            context.load_verify_locations(self.client_ca)

    def server(self) -> grpc.ServerCredentials:
        """For a server that listens."""
        pair = (self.key.read_bytes(), self.certificate.read_bytes())
        ca = self.client_ca.read_bytes() if self.client_ca else None
        return grpc.ssl_server_credentials([pair], root_certificates=ca, require_client_auth=ca is not None)


def channel(target: str, ca: Path | None, own: Tls | None) -> aio.Channel:
    """A channel to another service: known by the authority `ca`, in the clear without one.

    Our own certificate proves us, if the other side asks.
    """
    if ca is None:
        return aio.insecure_channel(target)
    credentials = grpc.ssl_channel_credentials(
        root_certificates=ca.read_bytes(),
        private_key=own.key.read_bytes() if own else None,
        certificate_chain=own.certificate.read_bytes() if own else None,
    )
    return aio.secure_channel(target, credentials)
