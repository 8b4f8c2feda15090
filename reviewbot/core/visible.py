"""Strange characters made visible: what a stranger wrote can neither hide nor command.

Quotes, names and messages come from reviewed code and from skill files. A terminal would obey
their control codes, and a reader would be deceived by their bidirectional and invisible
characters (https://trojansource.codes), so no report passes one on.
"""

from __future__ import annotations

import unicodedata

# Invisible, though Unicode does not class them as control or format characters: the combining
# grapheme joiner, Hangul fillers, Khmer inherent vowels, variation selectors (U+FE0F, which
# only asks for an emoji, may stay).
_INVISIBLE = frozenset(
    {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0, *range(0x180B, 0x1810)}
    | {*range(0xFE00, 0xFE0F), *range(0xE0100, 0xE01F0)}
)
_UNSEEN = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})


def _escape(code: int) -> str:
    """The character as Python would write it; an undecodable byte (PEP 383) as that byte."""
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    if code == 0x0D:
        return "\\r"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


class _Shown(dict[int, str]):
    """Fills itself: each character is classified once."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        hidden = code in _INVISIBLE or unicodedata.category(character) in _UNSEEN
        self[code] = _escape(code) if hidden else character
        return self[code]


_SHOWN = _Shown({0x0A: "\n", 0x09: "\t"})
_SURROGATES = {code: _escape(code) for code in range(0xD800, 0xE000)}


def visible(text: str) -> str:
    """`text` with every control, format and invisible character written as an escape.

    Line feeds and tabs stay; a lone CR becomes `\\r`.
    """
    return text.translate(_SHOWN)


def name(path: str) -> str:
    """A file's name in one line: line feeds and tabs are shown too."""
    return visible(path).replace("\n", "\\n").replace("\t", "\\t")


def encodable(text: str) -> str:
    """`text` without lone surrogates, so that it is UTF-8: undecodable bytes read `\\xNN`."""
    return text if text.isascii() else text.translate(_SURROGATES)
