"""Secrets are taken out of a text before it leaves the machine.

Three kinds: tokens that their issuer made recognisable, values that a name, a header or a URL declares to
be secret, and the bodies of private keys. A placeholder stands for each, on its own line, so that line
numbers hold. Words stay: a value that could be one is a secret only where a password is assigned. Only
what cannot be code is hidden, or hiding would be a way past the review.

detect-secrets is not used: one regular expression of it takes 17 s for `key` and 1,000 spaces, it brings an
HTTP client along, and the tokens that it knows by their form are all in the table below.
"""

from __future__ import annotations

import re
from functools import partial

from reviewbot.core.patterns import pattern

_ENDS = r"(?![\w-])"
# Kind -> the words without which no such token is there, and the whole token. None has a repeat that can
# begin at more than one place of the same run.
_TOKENS = {
    "github": (("gh", "github_pat_"), pattern(r"gh[opsur]_[A-Za-z0-9_.-]{20,}|github_pat_\w{20,}")),
    "gitlab": (("gl",), pattern(r"gl(?:pat|ptt|dt|rtr?|cbt|ft|imt|agent|oas|soat)-[\w.-]{20,}")),
    "aws": (
        ("AKIA", "ASIA", "ABIA", "ACCA"),
        pattern(r"(?<![A-Z0-9])A(?:KI|SI|BI|CC)A[A-Z0-9]{16}(?![A-Z0-9])"),
    ),
    # Anthropic, OpenAI, OpenRouter; Stripe; Groq
    "sk": (
        ("sk-", "k_live", "k_test", "gsk_"),
        pattern(r"(?<![A-Za-z0-9])(?:sk-[\w-]{20,}|[sr]k_(?:live|test)_\w{10,}|gsk_\w{20,})"),
    ),
    "slack": (("xox", "xapp-"), pattern(r"xox[a-z](?:\.xox[a-z])?-[\w-]{10,}|xapp-[\w-]{20,}")),
    "slack-hook": (("hooks.slack",), pattern(r"hooks\.slack\.com/[a-z]{5,10}/[\w/+-]{20,}")),
    "google": (
        ("AIza", "GOCSPX-", "ya29."),
        pattern(r"AIza[\w-]{35,}|GOCSPX-[\w-]{20,}|ya29\.[\w.-]{20,}"),
    ),
    "npm": (("npm_",), pattern(r"npm_[A-Za-z0-9]{36,}")),
    "pypi": (("pypi-",), pattern(r"pypi-[\w-]{50,}")),
    "jwt": (("eyJ",), pattern(r"(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]+)*")),
    "huggingface": (("hf_", "api_org_"), pattern(r"(?:hf|api_org)_[A-Za-z0-9]{30,}")),
    "nvidia": (("nvapi-",), pattern(r"nvapi-[\w-]{20,}")),
    "xai": (("xai-",), pattern(r"xai-[A-Za-z0-9]{40,}")),
    "replicate": (("r8_",), pattern(r"(?<![A-Za-z0-9])r8_[A-Za-z0-9]{30,}")),
    "digitalocean": (("_v1_",), pattern(r"do[opr]_v1_[0-9a-f]{60,}")),
    "docker": (("dckr_",), pattern(r"dckr_(?:pat|oat)_[\w-]{20,}")),
    "databricks": (("dapi",), pattern(rf"(?<![\w-])dapi[0-9a-f]{{32}}(?:-\d)?{_ENDS}")),
    "vault": (("hvs.", "hvb."), pattern(r"(?<![\w-])hv[bs]\.[\w-]{20,}")),
    "sendgrid": (("SG.",), pattern(r"SG\.[\w-]{16,}\.[\w-]{16,}")),
    "square": (("sq0",), pattern(r"sq0[a-z]{3}-[\w-]{22,}")),
    "telegram": ((":AA",), pattern(rf"(?<![\w-])\d{{8,10}}:AA[\w-]{{33}}{_ENDS}")),
    "twilio": (("AC", "SK"), pattern(rf"(?<![\w-])(?:AC|SK)[0-9a-f]{{32}}{_ENDS}")),
    "mailchimp": (("-us",), pattern(rf"(?<![\w-])[0-9a-f]{{32}}-us\d{{1,2}}{_ENDS}")),
    "artifactory": (("AKCp", "cmVmdGtu"), pattern(r"AKCp[A-Za-z0-9]{10,}|cmVmdGtu[A-Za-z0-9]{40,}")),
    "age": (("AGE-SECRET-KEY-1",), pattern(r"AGE-SECRET-KEY-1[A-Z0-9]{50,}")),
}

_PASSWORD = r"passw(?:or)?d|passphrase|pwd"
_KEYS = r"(?:api|access|secret|private|auth|account|session)[_-]?key"
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
# In lower case: no line without one of them has anything for the three above.
_DECLARES = ("passw", "passphrase", "pwd", "secret", "token", "credential", "key", "authorization", "bearer")
_URL = pattern(r"(?<=://)(?P<user>[^\s/:@\"'`<>]{0,256}):(?P<value>[^\s/@\"'`<>]{2,})(?=@)")
_URL_TOKEN = pattern(r"(?<=://)(?P<value>[\w.~-]{20,})(?=@)")
_NAMES_IN = pattern(rf"pass|key|auth|user|example|{_NAME}", re.IGNORECASE)
PLACEHOLDER = pattern(r"\[redacted:[a-z-]+\]")
_CONSTANT = pattern(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_WORDS = pattern(r"[A-Za-z]?[a-z]*(?:[-_./:@][a-z]+)*[-_./:]?")

_KEY_EDGE = pattern(r"-----(?:BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
# A line of base64 in which nothing else stands but what quotes it and joins it to the next one.
_BODY = pattern(r"[\s\"'`+#/*>|.,(-]{0,80}([A-Za-z0-9+/]+={0,2})(?:\\[nr])*[\s\"'`+,;)\\]{0,40}")
_LONG, _WIDE = 32, 60  # characters of a body's line next to its edge, and without one


def redacted(text: str) -> str:
    """`text` with `[redacted:<kind>]` for each secret in it; as many lines as before. Idempotent."""
    text = _without_keys(text)
    for kind, (words, token) in _TOKENS.items():
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
    return line


def _hide(match: re.Match[str], group: str, secret: bool) -> str:
    if not secret:
        return match[0]
    start, end = (at - match.start() for at in match.span(group))
    return f"{match[0][:start]}[redacted:secret]{match[0][end:]}"


def _assigned(match: re.Match[str]) -> bool:
    """Whether what is assigned to the name of a secret is one, and no name, template or word."""
    value = next(filter(None, (match[group] for group in match.re.groupindex if group != "name")), "")
    if any(c.isspace() for c in value) or _named(value):
        return False
    if re.fullmatch(_PASSWORD, match["name"], re.IGNORECASE):
        return len(value) >= 8 or not _wordy(value)
    return len(value) >= 12 and _strong(value)


def _named(value: str) -> bool:
    """Whether a value only speaks of a secret: a variable, a template, a placeholder, "your-password"."""
    spoken = not any(c.isdigit() for c in value) or _CONSTANT.fullmatch(value)
    return bool(
        value[0] in "$%{<("
        or not any(c.isalnum() for c in value)
        or "${" in value
        or PLACEHOLDER.fullmatch(value)
        or (spoken and _NAMES_IN.search(value))
    )


def _strong(value: str) -> bool:
    """Whether a value has what words and names have not: digits among letters, in no dotted name."""
    letters = any(c.isalpha() for c in value)
    return letters and any(c.isdigit() for c in value) and not _named(value) and not _wordy(value)


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
