"""Looks of policies, told apart by everyone."""

import itertools
from typing import Any

import numpy as np
import pytest
from matplotlib.markers import MarkerStyle

from roguewk.show.colours import contrast
from roguewk.show.page.palette import DARK, lightened
from roguewk.show.style import LOOKS, OTHERS, looks_for


def test_policies_differ_in_colour_line_and_marker() -> None:
    looks = [*LOOKS.values(), *OTHERS]
    assert len(OTHERS) >= 10
    for field in ("colour", "line", "marker"):
        assert len({str(getattr(look, field)) for look in looks}) == len(looks)
    assert all(MarkerStyle(look.marker).is_filled() for look in looks)  # a hollow one is told from a filled one
    many = looks_for([f"policy {i}" for i in range(60)]).values()
    assert len({(look.colour, look.line, look.marker) for look in many}) == 60
    for look in looks:
        assert contrast(look.text, "#ffffff") >= 4.5
        assert contrast(lightened(look.colour), DARK) >= 4.5


# Machado, Oliveira and Fernandes (2009), severity 1, for linear RGB.
DEUTERANOPIA = np.array(
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
)


PROTANOPIA = np.array(
    [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
)


@pytest.mark.parametrize("eye", [DEUTERANOPIA, PROTANOPIA])
def test_the_main_policies_differ_to_colour_blind_eyes(eye: Any) -> None:
    colours = np.array([[int(look.colour[i : i + 2], 16) / 255 for i in (1, 3, 5)] for look in LOOKS.values()])
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    seen = np.clip(linear @ eye.T, 0, 1) ** (1 / 2.2)
    for one, other in itertools.combinations(seen, 2):
        assert np.linalg.norm(one - other) > 0.1
