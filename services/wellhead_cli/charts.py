"""Small charts as SVG, to stand in a page or in a row of a table. Their colours suit a light page and a dark one."""

from collections.abc import Sequence

SOFT, STRONG, MARK, ALARM, ASKED = "#9db4d3", "#2f6cb3", "#8a8f98", "#d9480f", "#22a35a"
_ROW = 18
_BINS = 24


def _svg(width: int, height: int, body: str, label: str) -> str:
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return f'<svg {size} role="img" aria-label="{label}">{body}</svg>'


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, width: float = 1, dashed: bool = False) -> str:
    dash = ' stroke-dasharray="2 2"' if dashed else ""
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {ends} stroke="{colour}" stroke-width="{width}"{dash}/>'


def _rect(x: float, y: float, width: float, height: float, colour: str, opacity: float = 1) -> str:
    box = f'x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{max(height, 0):.1f}"'
    return f'<rect {box} fill="{colour}" fill-opacity="{opacity}"/>'


def _dot(x: float, colour: str, hollow: bool = False) -> str:
    paint = f'fill="none" stroke="{colour}" stroke-width="2"' if hollow else f'fill="{colour}"'
    return f'<circle cx="{x:.1f}" cy="{_ROW / 2}" r="{4 if hollow else 4.5}" {paint}/>'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="11" fill="{MARK}" text-anchor="{anchor}">{text}</text>'


def bar(value: float, most: float, width: int = 180) -> str:
    """A bar for a value between 0 and `most`."""
    length = width * value / most if most else 0.0
    return _svg(width, _ROW, _rect(0, 4, length, _ROW - 8, SOFT), f"{value:g}")


def share(
    value: float, low: float, high: float, fair: float, most: float, asked: tuple[float, float] | None, width: int
) -> str:
    """A share with its interval on a scale from 0 to `most`: the fair share as a line, what is asked for as a band."""

    def x(part: float) -> float:
        return 5 + (width - 10) * min(part, most) / most

    body = ""
    colour = STRONG
    if asked is not None:
        body = _rect(x(asked[0]), 0, x(asked[1]) - x(asked[0]), _ROW, ASKED, 0.16)
        colour = STRONG if asked[0] <= value <= asked[1] else ALARM
    body += _line(x(fair), 0, x(fair), _ROW, MARK, dashed=True)
    body += _line(x(low), _ROW / 2, x(high), _ROW / 2, colour, 2) + _dot(x(value), colour)
    return _svg(width, _ROW, body, f"{value:.1%}, interval {low:.1%} to {high:.1%}")


def spread(values: Sequence[float], special: float, most: float, width: int) -> str:
    """Where values from 0 to `most` lie: the middle 80 % as a bar, their mean as a mark, a special mean as a ring."""
    ordered = sorted(values)
    low, high = quantile(ordered, 0.1), quantile(ordered, 0.9)
    mean = sum(ordered) / len(ordered)

    def x(value: float) -> float:
        return 5 + (width - 10) * min(value, most) / most

    body = (
        _line(x(0), _ROW / 2, x(most), _ROW / 2, MARK, 0.5)
        + _rect(x(low), 5, max(x(high) - x(low), 1.5), _ROW - 10, SOFT)
        + _line(x(mean), 2, x(mean), _ROW - 2, MARK, 2)
        + _dot(x(special), STRONG, hollow=True)
    )
    return _svg(width, _ROW, body, f"mean {mean:.1f}, 80 % between {low:.0f} and {high:.0f}")


def histogram(values: Sequence[int], special: Sequence[int], width: int = 820, height: int = 220) -> str:
    """How often each range of values occurs, with the special ones in front."""
    step = max(1, -(-(max(values) - min(values) + 1) // _BINS))
    first = min(values) // step * step
    counts, front = [0] * (_BINS + 2), [0] * (_BINS + 2)
    for bins, found in ((counts, values), (front, special)):
        for value in found:
            bins[(value - first) // step] += 1
    used = (max(values) - first) // step + 1
    left, top, foot, most = 34, 14, height - 22, max(counts)
    wide = (width - left) / used
    body = ""
    for part in (0.5, 1.0):
        y = foot - (foot - top) * part
        body += _line(left, y, width, y, MARK, 0.4) + _text(left - 6, y + 4, f"{most * part:.0f}", "end")
    for index in range(used):
        x = left + index * wide
        for count, colour in ((counts[index], SOFT), (front[index], STRONG)):
            tall = (foot - top) * count / most
            body += _rect(x + 1, foot - tall, wide - 2, tall, colour)
        if index % 2 == 0:
            body += _text(x + 1, height - 6, str(first + index * step), "start")
    body += _line(left, foot, width, foot, MARK)
    return _svg(width, height, body, f"histogram of {len(values)} values")


def quantile(ordered: Sequence[float], part: float) -> float:
    """The value below which this part of an ordered sequence lies."""
    place = part * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)
