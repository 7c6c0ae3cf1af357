"""What the server counts, in the text form of Prometheus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_BOUNDS = (0.005, 0.015, 0.05, 0.15, 0.5, 1.5, 5.0, 15.0)  # seconds


class Metrics:
    """Counts since the server has started."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, int]] = Counter()
        self.seconds: Counter[str] = Counter()
        self.within: Counter[tuple[str, float]] = Counter()
        self.restarts: Counter[str] = Counter()

    def answered(self, kind: str, status: int, seconds: float) -> None:
        """Count a request that was answered with a status of HTTP after so many seconds."""
        self.requests[kind, status] += 1
        self.seconds[kind] += seconds  # type: ignore[assignment]  # a Counter adds floats, too
        for bound in _BOUNDS:
            self.within[kind, bound] += seconds <= bound

    def restarted(self, reason: str) -> None:
        """Count a worker that another replaces."""
        self.restarts[reason] += 1

    def text(self, gauges: Mapping[str, tuple[str, int]]) -> str:
        """All counts, and what else is measured now: name -> what it means and its value. Names
        that end in `_total` are those of counts."""
        return "".join(f"{line}\n" for line in self._lines(gauges))

    def _lines(self, gauges: Mapping[str, tuple[str, int]]) -> Iterator[str]:
        yield from _head("requests_total", "counter", "Requests by kind and status.")
        for (kind, status), count in sorted(self.requests.items()):
            yield f'dipsat_requests_total{{kind="{kind}",status="{status}"}} {count}'
        yield from _head("request_seconds", "histogram", "Seconds of a request, with its waiting.")
        for kind, seconds in sorted(self.seconds.items()):
            total = sum(count for (one, _), count in self.requests.items() if one == kind)
            name = "dipsat_request_seconds"
            for bound in _BOUNDS:
                yield f'{name}_bucket{{kind="{kind}",le="{bound}"}} {self.within[kind, bound]}'
            yield f'{name}_bucket{{kind="{kind}",le="+Inf"}} {total}'
            yield f'{name}_sum{{kind="{kind}"}} {seconds:.6f}'
            yield f'{name}_count{{kind="{kind}"}} {total}'
        yield from _head("workers_restarted_total", "counter", "Workers replaced, by reason.")
        for reason, count in sorted(self.restarts.items()):
            yield f'dipsat_workers_restarted_total{{reason="{reason}"}} {count}'
        for name, (meaning, value) in gauges.items():
            yield from _head(name, "counter" if name.endswith("_total") else "gauge", meaning)
            yield f"dipsat_{name} {value}"


def _head(name: str, kind: str, meaning: str) -> tuple[str, str]:
    return f"# HELP dipsat_{name} {meaning}", f"# TYPE dipsat_{name} {kind}"
