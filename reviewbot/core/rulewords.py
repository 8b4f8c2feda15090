"""The words without which a text holds no match of a rule: most texts need no parser to tell."""

from __future__ import annotations

import json

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Rule, Text

# A word of a pattern stands in each of its matches; a metavariable stands for anything.
WORD = pattern(r"(?<![\w$])[^\W\d]\w{2,}")
# Kinds that always hold their keyword. `while_statement` of bash is none: it is `until` as well.
KEYWORDS = {
    ("bash", "case_statement"): "case",
    ("bash", "heredoc_redirect"): "<<",
    ("python", "assert_statement"): "assert",
    ("python", "class_definition"): "class",
    ("python", "except_clause"): "except",
    ("python", "finally_clause"): "finally",
    ("python", "lambda"): "lambda",
    ("python", "raise_statement"): "raise",
    ("python", "try_statement"): "try",
    ("python", "while_statement"): "while",
    ("python", "with_statement"): "with",
}


def words_of(rule: Rule) -> tuple[str, ...]:
    """Words of every match, by the kind and the pattern at the top of the rule; there may be none."""
    top = json.loads(rule.config)["rule"]
    pattern, kind = top.get("pattern"), top.get("kind")
    # Of a pattern with a context or a strictness of its own not every word has to match.
    words = WORD.findall(pattern) if isinstance(pattern, str) else []
    keyword = KEYWORDS.get((rule.language, kind)) if isinstance(kind, str) else None
    return (*words, keyword) if keyword else tuple(words)


def may_match(words: tuple[str, ...], text: Text) -> bool:
    return all(word in text.content for word in words)
