"""Numbers about this process, as Prometheus scrapes them: the registry, and what is true of every service.

A metric is declared at the head of the module that counts it, in this registry; a test holds the dashboards and alerts
in `deploy/` to what is declared. Labels have few values: methods, reasons, consumers; never games, callers or tokens.
Children with fixed labels are looked up once, since a command pays for every look-up.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import accumulate
from platform import python_version

from prometheus_client import CollectorRegistry, Gauge, ProcessCollector, disable_created_metrics
from prometheus_client.core import HistogramMetricFamily
from prometheus_client.exposition import generate_latest
from prometheus_client.registry import Collector

disable_created_metrics()  # type: ignore[no-untyped-call]

REGISTRY = CollectorRegistry()
"""Of this process; replicas are scraped one by one."""

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Buckets of what somebody waits for."""

DELAYS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 3600.0)
"""Buckets of what comes behind: it may be late by the length of an outage."""


class Observations:
    """One series of a histogram."""

    __slots__ = ("counts", "sum", "uppers")

    def __init__(self, uppers: Sequence[float]) -> None:
        self.uppers = uppers
        self.counts = [0] * (len(uppers) + 1)
        self.sum = 0.0

    def observe(self, seconds: float) -> None:
        """Counts it."""
        self.counts[bisect_left(self.uppers, seconds)] += 1
        self.sum += seconds


class Histogram(Collector):
    """A histogram that is counted and read on one loop: without the locks of the library's it costs a quarter."""

    def __init__(self, name: str, help: str, labels: Sequence[str] = (), *, buckets: Sequence[float]) -> None:
        self.label_names = tuple(labels)
        self._name = name
        self._help = help
        self._uppers = buckets
        self._series: dict[tuple[str, ...], Observations] = {}
        self.labels = cache(self._labels)
        if not labels:
            self.labels()
        REGISTRY.register(self)

    def _labels(self, *values: str) -> Observations:
        """The series with these values; to be kept by whoever counts often."""
        assert len(values) == len(self.label_names)
        return self._series.setdefault(values, Observations(self._uppers))

    def describe(self) -> Iterator[HistogramMetricFamily]:
        """Its name, which no other has."""
        yield HistogramMetricFamily(self._name, self._help, labels=self.label_names)

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """As Prometheus has it: every bucket counts those below it too."""
        (family,) = self.describe()
        for values, series in self._series.items():
            names = [*map(str, self._uppers), "+Inf"]
            family.add_metric(values, list(zip(names, accumulate(series.counts), strict=True)), series.sum)
        yield family


BUILD = Gauge(
    "wellhead_build_info", "1, with what runs here.", ["service", "version", "python", "durability"], registry=REGISTRY
)

ProcessCollector(registry=REGISTRY)  # memory, processor time, open files


def introduce(service: str, durability: str) -> None:
    """Says what runs in this process, and what its appends survive."""
    BUILD.labels(service, _version(), python_version(), durability).set(1)


def page() -> bytes:
    """Every metric, in the text that Prometheus reads."""
    return generate_latest(REGISTRY)


def _version() -> str:
    try:
        return version("wellhead")
    except PackageNotFoundError:
        return "unknown"
