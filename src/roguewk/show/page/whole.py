"""A page as the content of a file: style, charts and data are inside, and nothing else may run or be loaded."""

import base64
import hashlib
import json
from collections.abc import Sequence
from importlib import resources
from typing import Any

from roguewk.show.page.html import safe

SCRIPTS = ("draw.js", "chart.js", "lines.js", "rows.js", "tables.js")  # the charts that all pages share


def scripts_in(package: str, names: Sequence[str]) -> str:
    """The scripts of these names beside a package's modules, one after the other."""
    return "\n".join(_read(package, name) for name in names)


def whole_page(title: str, body: str, style: str, scripts: str, data: Any) -> bytes:
    """The page; `style` and `scripts` come after those that all pages share."""
    style = _read(__package__, "style.css") + style
    script = '"use strict";\n' + scripts_in(__package__, SCRIPTS) + "\n" + scripts
    policy = f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; base-uri 'none'"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}; form-action \'none\'">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{safe(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}\n"
        f'<script type="application/json" id="data">{as_json(data)}</script>\n<script>{script}</script>\n'
        "</body>\n</html>\n"
    ).encode()


def as_json(data: Any) -> str:
    """JSON in which no text can end the script it stands in."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _read(package: str, name: str) -> str:
    return resources.files(package).joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
