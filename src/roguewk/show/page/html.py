"""Pieces of HTML; whatever comes from a study is escaped."""

import html
from collections.abc import Iterable, Sequence


def safe(text: object) -> str:
    """Text that cannot become markup."""
    return html.escape(str(text)).replace(" %", "&nbsp;%")


def section(name: str, title: str, *inner: str) -> str:
    """A part of the page under a heading."""
    return f'<section id="{name}"><h2>{safe(title)}</h2>{"".join(inner)}</section>'


def table(
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    numbers: Sequence[int] = (),
    name: str = "",
    *,
    cards: bool = False,
    fixed: int = 1,
) -> str:
    """A table in a box that scrolls; `numbers` are the columns set as numbers, a name makes it sortable.

    With `cards`, each row is a card on a narrow page, on which headings stand before their cells. On others, so many
    columns as are `fixed`, one or two, stay where they are when the rest scrolls.
    """
    kinds = [' class="n"' if i in numbers else "" for i in range(len(head))]
    top = "".join(f'<th scope="col"{kind}>{safe(each)}</th>' for kind, each in zip(kinds, head, strict=True))
    heads = [f' data-head="{safe(each)}"' if cards else "" for each in head]
    marks = [kind + own for kind, own in zip(kinds, heads, strict=True)]
    body = "".join(
        f"<tr>{''.join(f'<td{mark}>{safe(cell)}</td>' for mark, cell in zip(marks, row, strict=True))}</tr>"
        for row in rows
    )
    look = ' class="cards"' if cards else ' class="two"' if fixed == 2 else ""
    own = look + (f' id="{name}" data-sortable' if name else "")
    return (
        f'<div class="scroll" tabindex="0" role="group" aria-label="table: {safe(name or head[0])}">'
        f"<table{own}><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def note(*sentences: str) -> str:
    """A paragraph in soft letters: what there is to know about what follows."""
    return f'<p class="soft">{safe(" ".join(sentences))}</p>'
