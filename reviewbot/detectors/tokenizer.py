"""Which calls of a Python module turn text into tokens, and which turn tokens back into text."""

from __future__ import annotations

import ast

from reviewbot.core.patterns import pattern
from reviewbot.detectors.python import dotted

# `get_tokenizer(…)` and `Tokenizer(…)` make one; `token.encode("utf-8")` is a string's.
_TOKENIZER = pattern(
    r"(?!(?:get|build|load|init|create|make|train|save|set_?up|set|new|is|has|with|patch|download|test|use|run)_)"
    r"_?(?:[a-z0-9]+_)*(?:tok|tokeni[sz]er)(?:_?\d)?$|enc$|encoding$"
)
_ENCODES = (
    "encode",
    "encode_plus",
    "encode_batch",
    "encode_ordinary",
    "batch_encode_plus",
    "tokenize",
    "text_to_ids",
    "apply_chat_template",
)
_DECODES = ("decode", "batch_decode", "decode_batch")


def encoder(call: ast.Call) -> ast.expr | None:
    """The tokenizer that a call encodes text with: `tok` of `tok.encode(text)` and of `tok(text)`."""
    match call.func:
        case ast.Attribute(value=value, attr=attr) if attr in _ENCODES and _is_tokenizer(value):
            return value
        case ast.Name() | ast.Attribute() if _is_tokenizer(call.func) and call.args:
            return None if _last(call.func).startswith("enc") else call.func
    return None


def decodes(call: ast.Call) -> bool:
    """Whether a call makes text of token ids: `tok.decode(ids)`."""
    match call.func:
        case ast.Attribute(value=value, attr=attr):
            return attr in _DECODES and bool(call.args) and _is_tokenizer(value)
    return False


def _is_tokenizer(node: ast.expr) -> bool:
    return bool(_TOKENIZER.match(_last(node)))


def _last(node: ast.expr) -> str:
    return dotted(node).rsplit(".", 1)[-1]
