"""Everything that is needed to repeat a study: its file, the command, versions, every parameter and every world."""

import importlib.metadata
import json
import platform
import shlex
import tomllib
from collections.abc import Iterator
from typing import Any

from roguewk import __version__
from roguewk.show.page.html import safe, section, table
from roguewk.show.words import count
from roguewk.study.plan.model import PlannedPolicy, Study
from roguewk.study.plan.policies import all_parameters, told_name
from roguewk.study.plan.read import REPLICATES, shipped
from roguewk.study.results import Results
from roguewk.study.views.axes import world_names
from roguewk.world.plain import world_to_data

PACKAGES = ("numpy", "numba", "pyarrow")
MOST_WORLDS = 40


def repeat_section(results: Results) -> str:
    """The last part of the page."""
    return section("repeat", "To repeat this", *_parts(results.study, results.sources))


def study_command(study: Study) -> str:
    """What is typed to run the study."""
    own = shipped().get(study.name) == study.source
    words = ["roguewk", "study", study.name if own else f"{study.name}.toml"]
    written = tomllib.loads(study.source)
    if study.replicates != written.get("replicates", REPLICATES):
        words += ["--replicates", str(study.replicates)]
    if study.seed != written.get("seed", 0):
        words += ["--seed", str(study.seed)]
    return shlex.join(words)


def versions() -> dict[str, str]:
    """What the numbers depend on."""
    return {
        "roguewk": __version__,
        "Python": platform.python_version(),
        **{name: importlib.metadata.version(name) for name in PACKAGES},
    }


def _parts(study: Study, sources: str) -> Iterator[str]:
    yield f"<p><code>{safe(study_command(study))}</code></p>"
    rows = [[name, version] for name, version in versions().items()]
    rows += [["code that played", f"roguewk {sources}"]]
    rows += [["seed", str(study.seed)], ["replicates", str(study.replicates)], ["baseline", study.baseline]]
    traced = count(min(study.record.traces, study.replicates), "replicate")
    rows += [["recorded", f"rounds of {traced}; bounds: {'yes' if study.record.bound else 'no'}"]]
    yield table(["what", "value"], rows)
    if study.source:
        yield _folded(f"Study file {study.name}.toml", study.source, opened=True)
    if study.code:
        yield _folded("Code of its own policies", study.code)
    yield "<h3>Policies, with all their parameters</h3>"
    parameters = [[each.label, told_name(each.name), *pair] for each in study.policies for pair in _parameters(each)]
    yield table(["label", "policy", "parameter", "value"], parameters)
    yield "<h3>Worlds</h3>"
    if len(study.worlds) > MOST_WORLDS:
        yield f'<p class="soft">The first {MOST_WORLDS} of {len(study.worlds)} worlds; the study file makes all.</p>'
    names = world_names(study)
    for world in study.worlds[:MOST_WORLDS]:
        title = world.label if names[world.label] == world.label else f"{names[world.label]}: {world.label}"
        yield _folded(title, _world_text(world_to_data(world.world)))


def _parameters(policy: PlannedPolicy) -> list[tuple[str, str]]:
    return [(key, str(value)) for key, value in all_parameters(policy).items()] or [("none", "")]


def _world_text(data: dict[str, Any]) -> str:
    """A line for the horizon, each resource, each arm and each belief."""
    lines = [f"{key} = {json.dumps(value)}" for key, value in data.items() if not isinstance(value, list)]
    for kind in ("resource", "arm", "belief"):
        lines += [f"{kind} {json.dumps(each, ensure_ascii=False)}" for each in data.get(kind, [])]
    return "\n".join(lines)


def _folded(title: str, text: str, opened: bool = False) -> str:
    state = " open" if opened else ""
    return f'<details{state}><summary>{safe(title)}</summary><pre tabindex="0">{safe(text)}</pre></details>'
