"""How well colours are told apart."""


def contrast(one: str, other: str) -> float:
    """How well two colours are told apart, from 1 to 21, as in the guidelines for accessible web pages.

    >>> contrast("#000000", "#ffffff")
    21.0
    """
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def channels(colour: str) -> list[float]:
    """Red, green and blue, from 0 to 255."""
    return [float(int(colour[i : i + 2], 16)) for i in (1, 3, 5)]


def _luminance(colour: str) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (x / 255 for x in channels(colour))]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
