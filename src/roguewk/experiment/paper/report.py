"""The report: one HTML file with everything inside, pictures first."""

import html
import importlib.metadata
import importlib.resources
import platform
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from roguewk import __version__
from roguewk.experiment.paper.choices import BUDGETS
from roguewk.experiment.paper.experiment import POLICIES, PUBLISHED_GAIN, Paper
from roguewk.experiment.paper.figures import BOUNDS, PANELS
from roguewk.experiment.paper.measures import Gain, quartiles, told
from roguewk.part.parameter import COMMON
from roguewk.policy.registry import recipe
from roguewk.show.names import OURS, THEIRS
from roguewk.show.style import LOOKS
from roguewk.show.words import count, percent
from roguewk.study.stats.resample import RESAMPLES

TITLE = "Bandits that wear off and recover, under budgets: the paper's experiment, run again"
SHOWN_BUDGETS = (30, 50, 100, 200, 300)
CAPTIONS = dict(zip(PANELS, ("Cumulative reward", "Average reward per play", "Total plays"), strict=True))
PACKAGES = ("numpy", "numba", "pandas", "pyarrow", "matplotlib")


def report_html(paper: Paper, figures: Mapping[str, bytes]) -> bytes:
    """The page; `figures` holds the SVG pictures by file name."""
    style = importlib.resources.files("roguewk.experiment.paper").joinpath("report.css").read_text(encoding="utf-8")
    body = "\n".join(_body(paper, figures))
    page = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_safe(TITLE)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )
    return page.encode()


def _body(paper: Paper, figures: Mapping[str, bytes]) -> Iterator[str]:
    yield f"<h1>{_safe(TITLE)}</h1>"
    default, others = paper.verdict()
    yield f'<p class="lead">{_safe(default)}</p>'
    yield f'<p class="lead">{_safe(others)}</p>'
    yield '<div class="figures">'
    yield from (_figure(figures[f"{name}.svg"], caption) for name, caption in CAPTIONS.items())
    yield "</div>"
    yield (
        f'<p class="soft">Lines are medians and bands are quartiles over {count(paper.replicates, "replicate")}; all '
        f"policies meet the same luck. Budgets are {BUDGETS[0]}, {BUDGETS[1]}, …, {BUDGETS[-1]}, the same for each of "
        "three resources.</p>"
    )
    yield f'<p class="soft">{_safe(_about_bounds(paper))}</p>'
    yield "<h2>What the paper claims and what we find</h2>"
    if paper.many > paper.replicates:
        shown, all_ = count(paper.replicates, "replicate"), paper.many
        yield f'<p class="soft">Medians are of the {shown} of the pictures, the gain is of {all_}: these and more.</p>'
    yield _claims(paper)
    yield "<h2>What the paper leaves open</h2>"
    yield (
        "<p>No setting was picked to match. The default takes every formula as it is published (SW-UCB's as they are "
        "commonly quoted) and, where the paper is silent, what is named below; then one choice at a time is settled "
        f"differently. Dots are the gain of ROGUEwK-UCB over SW-UCB with {paper.many} replicates, bars its "
        f"95&nbsp;% interval ({RESAMPLES} bootstrap "
        f"samples of whole replicates), the dashed line the published {_safe(percent(PUBLISHED_GAIN, 0))}. "
        "Where no run differs, the choice never came into play.</p>"
    )
    yield '<div class="beside">'
    yield _figure(figures["choices.svg"], "Gain over SW-UCB under each alternative")
    yield f"<div>{_choices(paper)}</div>"
    yield "</div>"
    yield "<h2>In numbers</h2>"
    yield f'<p class="soft">Median (lower quartile to upper quartile) over {count(paper.replicates, "replicate")}.</p>'
    yield _numbers(paper)
    yield from _settings(paper)


def _about_bounds(paper: Paper) -> str:
    shares = ", ".join(f"{LOOKS[policy].name} {percent(share, 0)}" for policy, share in paper.fractions.items())
    plain, idle = (name for name, _, _ in BOUNDS.values())
    return (
        f"No policy can expect to earn more than the “{plain}”, not even one that knows the truth; “{idle}” is that "
        "where rounds may be left unplayed. "
        f"On average over budgets the policies expect this share of the bound: {shares}."
    )


def _safe(text: object) -> str:
    return html.escape(str(text)).replace(" %", "&nbsp;%")


def _figure(svg: bytes, caption: str) -> str:
    """The picture in the page itself, without the parts of an SVG that only a file of its own needs."""
    text = svg.decode()
    text = re.sub(r"<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=re.DOTALL)
    head, rest = text.split(">", 1)
    box = re.search(r'viewBox="[^"]*"', head)
    head = f'<svg xmlns:xlink="http://www.w3.org/1999/xlink" {box[0] if box else ""} role="img"'
    label = _safe(caption)
    return f'<figure><figcaption>{label}</figcaption>{head} aria-label="{label}">{rest.strip()}</figure>'


def _cells(tag: str, cells: Sequence[object], numbers: int) -> str:
    """A row whose last `numbers` cells are set as numbers."""
    kinds = [""] * (len(cells) - numbers) + [" class=number"] * numbers
    return f"<tr>{''.join(f'<{tag}{kind}>{cell}</{tag}>' for kind, cell in zip(kinds, cells, strict=True))}</tr>"


def _row(*cells: object, numbers: int = 0) -> str:
    return _cells("td", cells, numbers)


def _table(head: Sequence[str], rows: Iterable[str], numbers: int = 0) -> str:
    inner = f"<thead>{_cells('th', head, numbers)}</thead><tbody>{''.join(rows)}</tbody>"
    return f'<div class="scroll"><table>{inner}</table></div>'


def _gain_cells(gain: Gain) -> str:
    ends = f"{_safe(percent(gain.low))} to {_safe(percent(gain.high))}"
    return f"<td class=number>{_safe(percent(gain.value))}</td><td class=number>{ends}</td>"


def _choices(paper: Paper) -> str:
    rows = [f"<tr><td><strong>default</strong></td>{_gain_cells(paper.gain)}</tr>"]
    title = ""
    for choice, alternative, gain, same in paper.answers:
        if choice.title != title:
            title = choice.title
            reason = f"{_safe(choice.why)} <em>Default: {_safe(choice.default)}.</em>"
            rows.append(f'<tr class="choice"><th colspan="3"><strong>{_safe(title)}</strong><br>{reason}</th></tr>')
        note = ' <span class="soft">(no run differs)</span>' if same else ""
        rows.append(f"<tr><td class=indent>{_safe(alternative.label)}{note}</td>{_gain_cells(gain)}</tr>")
    return _table(("setting", "gain", "95 % interval"), rows, numbers=2)


def _claims(paper: Paper) -> str:
    words = {True: '<span class="yes">✓ yes</span>', False: '<span class="no">✗ no</span>'}
    rows = (_row(_safe(each.claim), words[each.holds], _safe(each.finding)) for each in paper.claims)
    return _table(("the paper", "here?", "numbers"), rows)


def _numbers(paper: Paper) -> str:
    rows = []
    bounds = paper.bounds.set_index("budget")
    for column, what in (("reward", "cumulative reward"), ("plays", "total plays")):
        table = quartiles(paper.runs, column)
        rows.append(f'<tr class="choice"><th colspan="6"><strong>{what}</strong></th></tr>')
        for budget in SHOWN_BUDGETS:
            cells = (told(table, policy, budget) for policy in POLICIES)
            shown = [f"{median} <span class=quartiles>{spread}</span>" for median, spread in cells]
            limits = [f"{bounds[each][budget]:.0f}" if column == "reward" else "" for each in BOUNDS]
            rows.append(_row(budget, *shown, *limits, numbers=len(shown) + len(limits)))
    head = ("budget", *(LOOKS[policy].name for policy in POLICIES), *(name for name, _, _ in BOUNDS.values()))
    return _table(head, rows, numbers=len(head) - 1)


def _settings(paper: Paper) -> Iterator[str]:
    yield "<h2>To repeat this</h2>"
    yield f"<p><code>roguewk paper --replicates {paper.replicates} --seed {paper.seed}</code></p>"
    versions = [("roguewk", __version__), ("Python", platform.python_version())]
    versions += [(name, importlib.metadata.version(name)) for name in PACKAGES]
    rows = [_row("seed", paper.seed), _row("replicates", f"{paper.replicates}; {paper.many} for gains")]
    rows += [_row("gain", "mean over budgets of the ratio of mean rewards, minus one")]
    rows += [_row("versions", _safe(", ".join(f"{name} {version}" for name, version in versions)))]
    rows += [_row("data", "runs.csv, runs.parquet: a row per budget, policy and replicate; bounds.csv, choices.csv")]
    yield _table(("what", "value"), rows)
    yield "<p>Parameters of the policies, all at their defaults:</p>"
    lines = []
    for policy in POLICIES:
        for name, parameter in {**recipe(policy).parameters, **COMMON}.items():
            meaning = _safe(parameter.meaning.replace("`", ""))
            lines.append(_row(policy, f"<code>{name}</code>", _safe(parameter.default), meaning))
    yield _table(("policy", "parameter", "default", "meaning"), lines)
    yield (
        f'<p class="soft">The paper: Non-stationary Bandits with Habituation and Recovery Dynamics and Knapsack '
        f"Constraints. {LOOKS[OURS].name} is its Algorithm 1; {LOOKS[THEIRS].name} is due to Liu, Jiang and Li (2022)."
        "</p>"
    )
