"""Worlds of the catalogue that are the paper's game: rounds are alike, idle ones bring nothing, no budget renews."""

import roguewk as rw

NAMES = [name for name in rw.catalog.names() if name != "mobile_health"]
