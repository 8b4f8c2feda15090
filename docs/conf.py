"""How Sphinx builds these pages: `make docs`, with warnings as errors."""

from __future__ import annotations

from reviewbot import __version__

project = "reviewbot"
author = "The reviewbot authors"
copyright = "The reviewbot authors, Apache-2.0"
release = version = __version__

extensions = ["myst_parser"]
myst_heading_anchors = 3
myst_links_external_new_tab = False
exclude_patterns = ["conf.py"]
# A terminal session and an ast-grep rule are shown as they are.
highlight_language = "text"

html_theme = "furo"
html_title = "reviewbot"
html_static_path = ["static"]
html_css_files = ["pages.css"]
html_show_sourcelink = False
html_copy_source = False
html_last_updated_fmt = None  # the same pages are the same bytes
# Both contrasts are at least 4.5 to 1.
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b5c8a", "color-brand-content": "#0b5c8a"},
    "dark_css_variables": {"color-brand-primary": "#7cc4f0", "color-brand-content": "#7cc4f0"},
}
