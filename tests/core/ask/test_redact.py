"""No secret leaves; everything else stays as it was."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.ask.redact import redacted

ROOT = Path(__file__).resolve().parents[3]
ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
URLSAFE = f"{ALNUM}-_"
BASE64 = f"{ALNUM}+/"


@st.composite
def tails(draw: st.DrawFn, alphabet: str, least: int, most: int | None = None) -> str:
    """What is random in a token; one digit at least, as all but very few have."""
    tail = draw(st.text(alphabet, min_size=least - 1, max_size=(most or least + 20) - 1))
    at = draw(st.integers(0, len(tail)))
    return tail[:at] + draw(st.sampled_from("0123456789")) + tail[at:]


def token(prefix: str, alphabet: str, least: int, most: int | None = None) -> st.SearchStrategy[str]:
    return tails(alphabet, least, most).map(lambda tail: prefix + tail)


# Written in two pieces, so that no scanner takes this file for a leak.
TOKENS = {
    "github": token("gh" + "p_", ALNUM, 36),
    "github installation": token("gh" + "s_", f"{ALNUM}_.-", 36, 500).map(lambda t: t.rstrip(".-")),
    "github fine-grained": token("github" + "_pat_", f"{ALNUM}_", 60, 90),
    "gitlab": token("glp" + "at-", URLSAFE, 20),
    "aws": token("AK" + "IA", string.ascii_uppercase + string.digits, 16, 16),
    "anthropic": token("sk-" + "ant-api03-", URLSAFE, 80, 100),
    "openai": token("sk-" + "proj-", URLSAFE, 40, 150),
    "stripe": token("sk" + "_live_", ALNUM, 24),
    "slack": token("xo" + "xb-", f"{ALNUM}-", 24),
    "google": token("AI" + "za", URLSAFE, 35, 35),
    "npm": token("np" + "m_", ALNUM, 36, 36),
    "pypi": token("py" + "pi-AgEI", URLSAFE, 60, 160),
    "jwt": st.tuples(tails(URLSAFE, 20), tails(URLSAFE, 30), tails(URLSAFE, 40)).map(
        lambda parts: "ey" + "J" + ".".join(parts)
    ),
    "huggingface": token("h" + "f_", ALNUM, 34, 34),
    "replicate": token("r" + "8_", ALNUM, 37, 37),
    "nvidia": token("nv" + "api-", URLSAFE, 60, 70),
    "digitalocean": token("do" + "p_v1_", HEX, 64, 64),
    "databricks": token("da" + "pi", HEX, 32, 32),
    "vault": token("hv" + "s.", URLSAFE, 24, 90),
    "square": token("sq" + "0csp-", URLSAFE, 43, 43),
    "twilio": token("S" + "K", HEX, 32, 32),
    "artifactory": token("AK" + "Cp", ALNUM, 60, 70),
    "google refresh": token("1/" + "/0g", URLSAFE, 40, 90),
    "discord": st.tuples(tails("0123456789", 18, 19), tails(URLSAFE, 68, 68)).map(
        lambda parts: "disc" + "ord.com/api/webhooks/" + "/".join(parts)
    ),
    "linear": token("lin" + "_api_", ALNUM, 40, 40),
    "shopify": token("shp" + "at_", HEX, 32, 32),
    "new relic": token("NR" + "AK-", string.ascii_uppercase + string.digits, 27, 27),
    "figma": token("fi" + "gd_", URLSAFE, 40, 60),
    "postman": st.tuples(tails(HEX, 24, 24), tails(HEX, 34, 34)).map(
        lambda parts: "PM" + "AK-" + "-".join(parts)
    ),
    "atlassian": token("ATA" + "TT3", f"{URLSAFE}=", 180, 190),
    "grafana": st.tuples(tails(ALNUM, 32, 32), tails(HEX, 8, 8)).map(
        lambda parts: "gl" + "sa_" + "_".join(parts)
    ),
    "doppler": token("dp" + ".pt.", ALNUM, 43, 43),
    "terraform": st.tuples(tails(ALNUM, 14, 14), tails(URLSAFE, 67, 67)).map(
        lambda parts: ".atlasv1.".join(parts)
    ),
    "perplexity": token("pp" + "lx-", ALNUM, 48, 48),
    "sentry": token("snt" + "rys_", BASE64, 120, 180),
    "pulumi": token("pu" + "l-", HEX, 40, 40),
    "rubygems": token("ruby" + "gems_", HEX, 48, 48),
    "fly": token("fo" + "1_", URLSAFE, 43, 60),
    "cloudflare": st.tuples(tails(HEX, 24, 24), tails(HEX, 146, 146)).map(
        lambda parts: "v1" + ".0-" + "-".join(parts)
    ),
    "age": token("AGE-SECRET" + "-KEY-1", string.ascii_uppercase + string.digits, 58, 58),
}
PLACES = (
    'key = "{}"',
    "export VALUE={}",
    "{}",
    "https://host/?k={}",
    '["a", "{}"]',
    "# see {} there",
    "f('{}')",
)


def pieces(secret: str, size: int = 8) -> set[str]:
    return {secret[i : i + size] for i in range(len(secret) - size + 1)}


def leaked(secret: str, shown: str) -> list[str]:
    words = re.sub(r"\[redacted:[a-z-]+\]", "", shown)
    return [piece for piece in pieces(secret) if piece in words]


@given(st.data(), st.sampled_from(sorted(TOKENS)), st.sampled_from(PLACES))
def test_no_part_of_a_token_survives(data: st.DataObject, kind: str, place: str) -> None:
    secret = data.draw(TOKENS[kind])
    shown = redacted(f"first\n{place.format(secret)}\nlast\n")
    assert leaked(secret, shown) == []
    assert shown.startswith("first\n")
    assert shown.endswith("\nlast\n")
    assert shown.count("\n") == 3


NAMES = (
    "password",
    "DB_PASSWORD",
    "passwd",
    "clientSecret",
    "api_key",
    "API-KEY",
    "authToken",
    "aws_secret_access_key",
)
ASSIGNED = (
    '{} = "{}"',
    "{}: '{}'",
    '"{}": "{}",',
    "{}={}",
    "{}: {}",
    '{}: str = "{}"',
    'f({}="{}")',
    "{} := `{}`",
)


@given(st.sampled_from(NAMES), st.sampled_from(ASSIGNED), tails(ALNUM, 20).map(lambda t: f"aB{t}"))
def test_what_is_assigned_to_the_name_of_a_secret_goes(name: str, form: str, value: str) -> None:
    shown = redacted(form.format(name, value))
    assert leaked(value, shown) == []
    assert name in shown


@given(tails(ALNUM, 8, 30))
def test_a_short_password_goes_too(value: str) -> None:
    assert value not in redacted(f'password = "{value}"')


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("DB_PASS={}", "hunter2hunter2"),
        ('SMTP_PASS: "{}"', "Sommer2026!"),
        ("mysql_pass = '{}'", "tr0ub4dor"),
        ('password = "{}"', "$3cr3tHunt3rzz"),
        ('password = "{}"', "my d0g Rex barks"),
        ("login --password {} --now", "s3cr3t-word"),
        ("login --db-password '{}'", "s3cr3t-word"),
        ("curl -s -u admin:{} https://host/", "s3cr3t-word"),
        ('curl --user "admin:{}" https://host/', "s3cr3t-word"),
        ("mysql -uroot -p{} shop", "s3cr3t!"),
        ("<password>{}</password>", "s3cr3t-word"),
        ("<db:password>{}</db:password>", "s3cr3t-word"),
        ("machine host login me password {}", "s3cr3t-word"),
        ("  password {}", "s3cr3t-word"),
        ("CREATE ROLE me LOGIN PASSWORD '{}';", "s3cr3t-word"),
        ('encryption_key = "{}"', "0123456789abcdef" * 2),
        ('source.setPassword("{}");', "s3cr3t-word"),
    ],
)
def test_a_secret_goes_in_whatever_form_it_is_given(line: str, value: str) -> None:
    """Each of these was sent."""
    assert redacted(line.format(value)) == line.format("[redacted:secret]")


@pytest.mark.parametrize(
    "line",
    [
        "Authorization: Bearer {}",
        'headers = {{"Authorization": "Bearer {}"}}',
        "curl -H 'authorization: token {}' https://host",
        "postgres://admin:{}@db.internal/app",
        "git clone https://{}@host/o/r",
        'password = """{}"""',
        'password = "an\\"{}"',
    ],
)
@given(tails(ALNUM, 24).map(lambda t: f"aB{t}"))
def test_headers_and_urls_lose_their_secret(line: str, value: str) -> None:
    assert leaked(value, redacted(line.format(value))) == []


@st.composite
def bodies(draw: st.DrawFn) -> list[str]:
    full = draw(st.lists(tails(BASE64, 64, 64).map(lambda t: f"aB{t[2:]}"), min_size=1, max_size=6))
    full = [line[:-1] + "7" for line in full]
    return [*full, draw(tails(BASE64, 8, 63)) + "=="]


FRAMES = ("{}", "    {}", '    "{}\\n"', "  # {}", "'{}' +", '"{}",')


@given(bodies(), st.sampled_from(FRAMES), st.sampled_from(("", "RSA ", "OPENSSH ", "EC ", "PGP ")))
def test_every_line_of_a_private_key_is_replaced(body: list[str], frame: str, kind: str) -> None:
    edges = (f"-----BEGIN {kind}PRIVATE KEY-----", f"-----END {kind}PRIVATE KEY-----")
    text = "\n".join(["x = 1", *(frame.format(line) for line in (edges[0], *body, edges[1])), "y = 2"])
    shown = redacted(text).split("\n")
    assert len(shown) == len(body) + 4
    assert [line for line in shown[2:-2] if "[redacted:private-key]" not in line] == []
    assert [piece for line in body for piece in leaked(line, "\n".join(shown))] == []
    assert (shown[0], shown[-1]) == ("x = 1", "y = 2")


@given(bodies())
def test_a_key_on_one_line_is_replaced(body: list[str]) -> None:
    inner = "".join(f"{line}\\n" for line in body)
    shown = redacted(f'{{"k": "-----BEGIN PRIVATE KEY-----\\n{inner}-----END PRIVATE KEY-----\\n"}}')
    assert [piece for line in body for piece in leaked(line, shown)] == []


@given(bodies().filter(lambda lines: len(lines) > 2))
def test_a_piece_of_a_key_in_a_hunk_is_replaced(body: list[str]) -> None:
    shown = redacted("\n".join(body))
    assert [piece for line in body for piece in leaked(line, shown)] == []


def test_edges_of_a_key_do_not_hide_code() -> None:
    code = '-----BEGIN PRIVATE KEY-----\nrm -rf "$HOME"\nreboot\n-----END PRIVATE KEY-----'
    assert redacted(code) == code


@pytest.mark.parametrize(
    "line",
    [
        'eos_token = "<|im_end|>"',
        'pad_token="[PAD]"',
        'tokenizer = "bert-base-uncased"',
        'password = os.environ["DB_PASSWORD"]',
        'token = "HF_TOKEN"',
        "password: ${{ secrets.PASSWORD }}",
        'PASSWORD="$DB_PASSWORD_2"',
        '"/etc/passwd": f"nobody:x:{NOBODY}:/bin/sh"',
        '"password": "Enter your password"',
        '"password": "password"',
        'password = "****"',
        "password = base64.b16encode(random_bytes[8:])",
        "api_key = settings.api_key_v2",
        "Authorization: v4auth_header",
        "a bearer of bad news comes second",
        "sk-fading-circle-container",
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "id = 123e4567-e89b-12d3-a456-426614174000",
        "https://user@host/path",
        "npm_config_registry=https://host/",
        "secret: my-app/name.of-it",
        'first_pass = "results/pass_1.json"',
        "bypass=pass_rate_0.95",
        "docker run -u 1000:1000 image",
        'curl -u "$USER:$PASS" https://host/',
        "curl -u user:password https://host/",
        "login --password PASSWORD --token <token>",
        "serve --tokenizer bert-base-2 --max-tokens 4096",
        "mysql -u root -p shop",
        "<password>${db.password}</password>",
        "a password field1 stands here",
        "hash the password sha-256 times",
        'password: "Must have 8 characters or more"',
        'set_token("eos")',
        'model.setPassword(settings["db_2"])',
        "git log v1.0-3 -- pul-request",
    ],
)
def test_ordinary_lines_stay(line: str) -> None:
    assert redacted(line) == line


def test_this_repository_stays() -> None:
    folders = ("reviewbot", "skills", "prompts", "bench", "scripts", ".github")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file()]
    texts = {path: path.read_text() for path in [*files, *ROOT.glob("*.md")] if path.suffix != ".pyc"}
    assert len(texts) > 300
    assert [path for path, text in texts.items() if redacted(text) != text] == []


FRAGMENTS = st.sampled_from(
    [
        *(
            "password",
            "token",
            "api_key",
            "=",
            " = ",
            ": ",
            '"',
            "'",
            "`",
            "\\",
            "\n",
            "\\n",
            "Bearer ",
            "://",
            "@",
        ),
        *(
            ":",
            "a1B2c3D4e5F6g7H8",
            "ghp_" + "a1" * 20,
            "sk-",
            "eyJ",
            ".",
            "-----BEGIN PRIVATE KEY-----",
            "Zz9+" * 16,
        ),
        *("[redacted:secret]", "[redacted:", "]", "\r", "\u2028", "\udce9", " ", "authorization"),
    ]
)


@given(st.lists(FRAGMENTS | st.text(max_size=3), max_size=30).map("".join))
def test_redaction_is_idempotent_and_keeps_lines(text: str) -> None:
    once = redacted(text)
    assert redacted(once) == once
    assert once.count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "unit",
    [
        "key ",
        "sk-",
        "eyJ",
        "password=",
        "://a:",
        "gh",
        "Bearer ",
        'token="',
        "SG.",
        "eyJaaaaaaaa.",
        "a",
        "+",
        " ",
        "--password ",
        "<password>",
        "curl -u a:b ",
        "mysql ",
        "login a password ",
        "A.atlasv1.",
        "a" * 10 + ".atlasv1.",
    ],
)
def test_one_long_hostile_line_comes_to_an_end(unit: str) -> None:
    """A repeat that may begin anywhere in a run takes minutes for these."""
    line = f" key{unit * (200_000 // len(unit))}!"
    assert "\n" not in redacted(line)


@pytest.mark.parametrize("unit", ["+", "/", "+/", "+a", "+=", "+\\n", '"+'])
def test_lines_that_may_be_bodies_of_keys_in_many_ways_come_to_an_end(unit: str) -> None:
    """200 KB of `+` took 8 s: each line was tried in all shares of its two parts."""
    line = unit * (120 // len(unit))
    assert redacted(f"{line}!\n" * 8_000).count("\n") == 8_000
