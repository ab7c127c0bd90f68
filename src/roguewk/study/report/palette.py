"""The colours of policies on a light and on a dark page, as style rules."""

from collections.abc import Iterable

from roguewk.show.style import Look
from roguewk.study.views.colours import channels, contrast

DARK = "#212325"  # what figures stand on when the page is dark
LEAST_CONTRAST = 4.5


def lightened(colour: str) -> str:
    """The colour, mixed with as much white as a dark page needs."""
    mixed = channels(colour)
    while contrast(_hex(mixed), DARK) < LEAST_CONTRAST:
        mixed = [channel + 0.06 * (255 - channel) for channel in mixed]
    return _hex(mixed)


def colour_rules(looks: Iterable[Look]) -> str:
    """Style rules that give each policy its colour, as --p0, --p1, ..."""
    each = list(looks)
    light = "".join(f"--p{i}:{look.colour};" for i, look in enumerate(each))
    dark = "".join(f"--p{i}:{lightened(look.colour)};" for i, look in enumerate(each))
    return f":root{{{light}}}\n@media screen and (prefers-color-scheme: dark){{:root{{{dark}}}}}\n"


def _hex(channels: Iterable[float]) -> str:
    return "#" + "".join(f"{min(255, round(each)):02x}" for each in channels)
