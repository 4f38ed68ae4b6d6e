"""What a client needs for TLS."""

from dataclasses import dataclass
from pathlib import Path

import grpc


@dataclass(frozen=True, slots=True)
class Tls:
    """PEM files: the authority that servers are known by (those of the system if there is none), and, where servers ask
    for it (mutual TLS), our certificate with its key."""

    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None

    def __post_init__(self) -> None:
        if (self.certificate is None) != (self.key is None):
            raise ValueError("a certificate and its key go together")

    @property
    def pem(self) -> tuple[bytes | None, bytes | None, bytes | None]:
        """The contents of the files."""
        ca, certificate, key = (each.read_bytes() if each else None for each in (self.ca, self.certificate, self.key))
        return ca, certificate, key

    def credentials(self) -> grpc.ChannelCredentials:
        """For a gRPC channel."""
        ca, certificate, key = self.pem
        return grpc.ssl_channel_credentials(ca, key, certificate)
