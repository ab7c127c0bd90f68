"""How the documentation is built: `make docs`. Nothing comes from the network, neither now nor when a page is read."""

from docutils.nodes import SkipNode, TextElement
from docutils.utils.math.latex2mathml import tex2mathml

import roguewk

project = "roguewk"
version = release = roguewk.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
highlight_language = "text"
default_role = "code"  # what a docstring has in single backquotes

html_theme = "furo"
html_title = f"roguewk {release}"
html_static_path = ["static"]
html_css_files = ["page.css"]
html_copy_source = False
html_show_copyright = False
html_math_renderer = "mathml"

add_module_names = False
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "undoc-members": True}
autodoc_preserve_defaults = True
# Links to names of our own must be good; those of Python and NumPy would have to be looked up on the network.
INSIDE = r"roguewk\.policy\.(machine\.Parts|templates\.Template|open_pull\..*)"  # explained by docs/inside.md
PRIVATE = r"roguewk\.(learn\.rounds\.Origin|policy\.surroundings\.Surroundings)"  # nobody but roguewk makes one
nitpick_ignore_regex = [(r"py:.*", r"(?!roguewk\.).*"), (r"py:.*", INSIDE), (r"py:.*", PRIVATE)]


def _shorten_arrays(app, domain, kind, content):
    """Write `ndarray` for `ndarray[tuple[Any, ...], dtype[float64]]`, in all signatures of an object."""
    for group in [node for signature in content.parent[:-1] for node in signature.findall(TextElement)]:
        depth, before = 0, ""
        for part in list(group.children):
            text = part.astext()
            if depth or (before == "ndarray" and text == "["):
                depth += (text == "[") - (text == "]")
                group.remove(part)
            else:
                before = text


def _drop_empty_words(app, what, name, thing, options, lines):
    """Python makes up a docstring for each field of a NamedTuple."""
    if lines and lines[0].startswith("Alias for field number"):
        lines.clear()


def _find_public(app, env, node, content):
    """A signature names a type by the module that defines it, the page by its public name."""
    module, _, name = node.get("reftarget", "").rpartition(".")
    if not module.startswith("roguewk.") or name not in roguewk.__all__:
        return None
    return env.domains["py"].resolve_xref(env, node["refdoc"], app.builder, "obj", f"roguewk.{name}", node, content)


def _mathml(as_block):
    def visit(translator, node):
        drawn = tex2mathml(node.astext(), as_block=as_block)
        # Without a mathematical font, browsers draw what is marked as an accent right through the letter.
        translator.body.append(drawn.replace(' accent="true"', ""))
        raise SkipNode

    return visit, None


def setup(app):
    """Mathematics becomes MathML, which browsers draw themselves: MathJax would come from the network."""
    app.add_html_math_renderer("mathml", _mathml(False), _mathml(True))
    app.connect("object-description-transform", _shorten_arrays)
    app.connect("autodoc-process-docstring", _drop_empty_words)
    app.connect("missing-reference", _find_public)
