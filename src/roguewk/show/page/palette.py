"""The looks of policies or arms in a page: colours on a light and on a dark page, lines and markers."""

from collections.abc import Iterable
from typing import Any

from roguewk.show.colours import channels, contrast
from roguewk.show.style import PALE, Look

DARK = "#212325"  # what figures stand on when the page is dark
LEAST_CONTRAST = 4.5


def lightened(colour: str) -> str:
    """The colour, mixed with as much white as a dark page needs."""
    mixed = channels(colour)
    while contrast(_hex(mixed), DARK) < LEAST_CONTRAST:
        mixed = [channel + 0.06 * (255 - channel) for channel in mixed]
    return _hex(mixed)


def colour_rules(looks: Iterable[Look]) -> str:
    """Style rules that give each look its colour, as --p0, --p1, ..."""
    each = list(looks)
    light = "".join(f"--p{i}:{look.colour};" for i, look in enumerate(each))
    dark = "".join(f"--p{i}:{lightened(look.colour)};" for i, look in enumerate(each))
    return f":root{{{light}}}\n@media screen and (prefers-color-scheme: dark){{:root{{{dark}}}}}\n"


def look_data(label: str, look: Look) -> dict[str, Any]:
    """What charts need of a look."""
    dashes = [] if isinstance(look.line, str) else [2 * each for each in look.line[1]]
    return {"label": label, "dashes": dashes, "marker": look.marker, "pale": look is PALE}


def _hex(channels: Iterable[float]) -> str:
    return "#" + "".join(f"{min(255, round(each)):02x}" for each in channels)
