"""Secrets are taken out of a text before it leaves the machine.

Three kinds: tokens that their issuer made recognisable, values that a name, a header or a URL declares to
be secret, and the bodies of private keys. A placeholder stands for each, on its own line, so that line
numbers hold. Words stay: a value that could be one is a secret only where a password is assigned. Only
what cannot be code is hidden, or hiding would be a way past the review.

detect-secrets is not used: one regular expression of it takes 17 s for `key` and 1,000 spaces, it brings an
HTTP client along, and the tokens that it knows by their form are all in core/ask/tokens.py.
"""

from __future__ import annotations

import re
from functools import partial

from reviewbot.core.ask.tokens import TOKENS
from reviewbot.core.patterns import pattern

# `pass` alone is a word of too many meanings.
_PASS = (
    r"(?:admin|db|ftp|imap|ldap|mail|mysql|pg|proxy|redis|root|smtp|sql|sudo|user)[_-]?pass|(?-i:[A-Z]_PASS)"
)
_PASSWORD = rf"passw(?:or)?d|passphrase|pwd|{_PASS}"
_KEYS = (
    r"(?:access|account|aes|api|auth|cipher|encryption|hmac|master|private|secret|session|signing)[_-]?key"
)
_NAME = rf"(?P<name>(?<!/)(?:{_PASSWORD})|secret|token|credentials?|{_KEYS})"
_ASSIGNED = r"[\"'\]]{0,2}\s{0,4}(?::\s{0,4}[\w.]{1,20}\s{0,4})?(?:={1,3}>?|:=?)\s{0,4}"
_QUOTED = pattern(
    rf"{_NAME}{_ASSIGNED}[a-z]{{0,2}}"
    r"(?:\"{1,3}(?P<double>(?:[^\"\\\n]|\\.){4,})|'{1,3}(?P<single>(?:[^'\\\n]|\\.){4,})|`(?P<tick>[^`\n]{4,}))",
    re.IGNORECASE,
)
_BARE = pattern(
    rf"{_NAME}(?:=|:[ \t]{{1,4}}|[ \t]{{1,4}}=[ \t]{{1,4}})(?P<bare>[\w+/=!@%^*~-]{{6,}})(?![\w.(\[{{])",
    re.IGNORECASE,
)
_HEADER = pattern(
    r"(?:authorization[^\n]{0,40}?(?:basic|token|apikey|bearer)|bearer)[ \t]{1,4}(?P<value>[\w.~+/=-]{8,})",
    re.IGNORECASE,
)
# Where no sign assigns: --password X, <password>X</password>, setPassword("X"), PASSWORD 'X', .netrc.
# With the words, in lower case, of which one is in the line.
_GIVEN = tuple(
    (words, pattern(form, re.IGNORECASE))
    for words, form in (
        (
            ("--",),
            rf"(?<!\w)--(?:[a-z]{{1,20}}-)?{_NAME}[ \t]{{1,4}}"
            r"[\"']?(?P<value>[^\s\"'`<>=,;|&()]{6,})(?![^\s\"'`])",
        ),
        (("</",), rf"{_NAME}>(?P<value>[^\s<>]{{4,}})</"),
        (
            ("set", "with", "use"),
            rf"(?:set|with|use)_?{_NAME}\([ \t]{{0,4}}[\"'](?P<value>[^\s\"']{{4,}})[\"']",
        ),
        ((" '",), rf"{_NAME}[ \t]{{1,4}}'(?P<value>[^\s']{{4,}})'"),
        (
            ("password ",),
            r"(?:^[ \t]{0,20}|\blogin[ \t]{1,4}\S{1,100}[ \t]{1,4})password[ \t]{1,4}(?P<value>\S{4,})(?!\S)",
        ),
        (
            ("curl",),
            r"\bcurl\b[^\n|;&]{0,200}?[ \t](?:-u|--user)[ \t=]{0,4}"
            r"[\"']?[\w.@-]{1,60}:(?P<value>[^\s\"']{3,})",
        ),
        (
            ("mysql", "mariadb"),
            r"\b(?:mysql(?:dump|admin)?|mariadb)\b[^\n|;&]{0,200}?[ \t]-p(?P<value>[^\s\"'`;|&]{3,})",
        ),
    )
)
# In lower case: no line without one of them has anything for those above.
_DECLARES = (
    *("pass", "pwd", "secret", "token", "credential", "key"),
    *("authorization", "bearer", "curl", "mysql", "mariadb"),
)
_URL = pattern(r"(?<=://)(?P<user>[^\s/:@\"'`<>]{0,256}):(?P<value>[^\s/@\"'`<>]{2,})(?=@)")
_URL_TOKEN = pattern(r"(?<=://)(?P<value>[\w.~-]{20,})(?=@)")
_NAMES_IN = pattern(rf"pass|key|auth|user|example|{_NAME}", re.IGNORECASE)
PLACEHOLDER = pattern(r"\[redacted:[a-z-]+\]")
_NO_VARIABLE = pattern(r"\$\d\w")
_CONSTANT = pattern(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_WORDS = pattern(r"[A-Za-z]?[a-z]*(?:[-_./:@][a-z]+)*[-_./:]?")

_KEY_EDGE = pattern(r"-----(?:BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
# A line of base64 in which nothing else stands but what quotes it and joins it to the next one.
# Nothing in it is tried twice: of a run of `+`, each of its parts may take any share.
_BODY = pattern(r"[\s\"'`+#/*>|.,(-]{0,80}+([A-Za-z0-9+/]++={0,2}+)(?>(?:\\[nr])*)[\s\"'`+,;)\\]{0,40}+")
_LONG, _WIDE = 32, 60  # characters of a body's line next to its edge, and without one


def redacted(text: str) -> str:
    """`text` with `[redacted:<kind>]` for each secret in it; as many lines as before. Idempotent."""
    text = _without_keys(text)
    for kind, (words, token) in TOKENS.items():
        if any(word in text for word in words):
            text = token.sub(partial(_replaced, kind), text)
    if "://" in text:
        text = _URL.sub(lambda m: _hide(m, "value", not _named(m["value"])), text)
        text = _URL_TOKEN.sub(lambda m: _hide(m, "value", _strong(m["value"])), text)
    lowered = text.lower()
    if any(word in lowered for word in _DECLARES):
        text = "\n".join(map(_undeclared, text.split("\n")))
    return text


def _replaced(kind: str, match: re.Match[str]) -> str:
    return match[0] if _wordy(match[0]) else f"[redacted:{kind}]"


def _undeclared(line: str) -> str:
    """A line without what is called a secret in it."""
    lowered = line.lower()
    if any(word in lowered for word in _DECLARES):
        line = _QUOTED.sub(lambda m: _hide(m, m.lastgroup or "", _assigned(m)), line)
        line = _BARE.sub(lambda m: _hide(m, "bare", _assigned(m) and _strong(m["bare"])), line)
        line = _HEADER.sub(lambda m: _hide(m, "value", _strong(m["value"])), line)
        for words, given in _GIVEN:
            if any(word in lowered for word in words):
                line = given.sub(lambda m: _hide(m, "value", _unwordy(m["value"])), line)
    return line


def _hide(match: re.Match[str], group: str, secret: bool) -> str:
    if not secret:
        return match[0]
    start, end = (at - match.start() for at in match.span(group))
    return f"{match[0][:start]}[redacted:secret]{match[0][end:]}"


def _assigned(match: re.Match[str]) -> bool:
    """Whether what is assigned to the name of a secret is one, and no name, template or word."""
    value = next(filter(None, (match[group] for group in match.re.groupindex if group != "name")), "")
    if _named(value):
        return False
    password = re.fullmatch(_PASSWORD, match["name"], re.IGNORECASE)
    if any(c.isspace() for c in value):  # prose, unless one of its words is none
        return bool(password) and any(map(_strong, value.split()))
    if password:
        return len(value) >= 8 or not _wordy(value)
    return len(value) >= 12 and _strong(value)


def _named(value: str) -> bool:
    """Whether a value only speaks of a secret: a variable, a template, a placeholder, "your-password"."""
    spoken = not any(c.isdigit() for c in value) or _CONSTANT.fullmatch(value)
    return bool(
        (value[0] in "$%{<(" and not _NO_VARIABLE.match(value))
        or not any(c.isalnum() for c in value)
        or "${" in value
        or PLACEHOLDER.fullmatch(value)
        or (spoken and _NAMES_IN.search(value))
    )


def _strong(value: str) -> bool:
    """Whether a value has what words and names have not: digits among letters, in no dotted name."""
    letters = any(c.isalpha() for c in value)
    return letters and any(c.isdigit() for c in value) and not _named(value) and not _wordy(value)


def _unwordy(value: str) -> bool:
    """Whether a value that stands where a secret is given is one. Here a word is mostly a placeholder."""
    return not _named(value) and not _wordy(value) and any(c.isalpha() for c in value)


def _wordy(value: str) -> bool:
    return bool(_WORDS.fullmatch(value))


def _without_keys(text: str) -> str:
    """Private keys lose every line of their bodies. So does what only looks like a body, since a hunk may
    show a piece of a key without its edges: two or more lines of 60 characters of base64."""
    if "\\n" in text:
        text = re.sub(
            rf"({_KEY_EDGE.pattern})((?:\\[nr]|[A-Za-z0-9+/=]{{1,4096}})+)", r"\1[redacted:private-key]", text
        )
    lines = text.split("\n")
    bodies = [(m[1] if (m := _BODY.fullmatch(line)) else "") for line in lines]
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and len(bodies[end]) >= _LONG:
            end += 1
        if end > at and _is_key(lines, bodies, at, end):
            end += end < len(lines) and bool(bodies[end])  # its short last line
            for n in range(at, end):
                lines[n] = lines[n].replace(bodies[n], "[redacted:private-key]")
        at = max(end, at + 1)
    return "\n".join(lines)


def _is_key(lines: list[str], bodies: list[str], start: int, end: int) -> bool:
    edges = (*lines[max(start - 1, 0) : start], *lines[end : end + 2])
    wide = [body for body in bodies[start:end] if len(body) >= _WIDE and not _plain(body)]
    return len(wide) >= 2 or any(_KEY_EDGE.search(edge) for edge in edges)


def _plain(body: str) -> bool:
    """Whether it is no base64 of random bytes: a word, a number, a hash in hexadecimal."""
    return not (
        any(c.isdigit() for c in body) and any(c.islower() for c in body) and any(c.isupper() for c in body)
    )
