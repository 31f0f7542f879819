"""The hub's figures for monitoring, as Prometheus reads them."""

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest

from companion.core.values import Json


class Metrics:
    """Figures for Prometheus."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.batches = Counter(
            "companion_hub_batches", "Batches that were committed", registry=self._registry
        )
        self._gauges = {
            name: Gauge(f"companion_hub_{name}", meaning, registry=self._registry)
            for name, meaning in (
                ("boxes", "Boxes that are members"),
                ("joining", "Boxes that ask to join"),
                ("forks", "Boxes of which the organiser has to choose a chain"),
                ("rows", "Rows that are kept"),
                ("connected", "Boxes that are connected to this hub"),
            )
        }

    def text(self, found: Json, connected: int) -> bytes:
        """The figures as they stand."""
        for name, number in {**found, "connected": connected}.items():
            self._gauges[name].set(number)
        return generate_latest(self._registry)
