"""Tokens that their issuer made recognisable."""

from __future__ import annotations

from reviewbot.core.patterns import pattern

_ENDS = r"(?![\w-])"
# Kind -> the words without which no such token is there, and the whole token. None has a repeat that can
# begin at more than one place of the same run.
TOKENS = {
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
    "discord": (
        ("/api/webhooks/",),
        pattern(r"discord(?:app)?\.com/api/webhooks/\d{15,22}/[\w-]{40,}"),
    ),
    "google-refresh": (("1//0",), pattern(r"(?<![\w/:])1//0[\w-]{30,}")),
    "linear": (("lin_api_",), pattern(r"lin_api_[A-Za-z0-9]{30,}")),
    "shopify": (("shp",), pattern(r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}")),
    "newrelic": (("NRAK-",), pattern(r"NRAK-[A-Z0-9]{20,}")),
    "figma": (("figd_",), pattern(r"figd_[\w-]{30,}")),
    "postman": (("PMAK-",), pattern(r"PMAK-[0-9a-f-]{40,}")),
    "atlassian": (("ATATT3", "ATCTT3"), pattern(r"AT[AC]TT3[\w=-]{30,}")),
    "grafana": (("glsa_", "glc_"), pattern(r"(?:glsa|glc)_[\w+/=]{30,}")),
    "doppler": (("dp.",), pattern(r"(?<![\w.])dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{30,}")),
    "terraform": (
        (".atlasv1.",),
        pattern(r"(?<![A-Za-z0-9])[A-Za-z0-9]{10,20}\.atlasv1\.[\w=-]{40,}"),
    ),
    "perplexity": (("pplx-",), pattern(r"pplx-[A-Za-z0-9]{40,}")),
    "sentry": (("sntry",), pattern(r"sntry[su]_[\w+/=-]{30,}")),
    "pulumi": (("pul-",), pattern(rf"(?<![\w-])pul-[0-9a-f]{{40}}{_ENDS}")),
    "rubygems": (("rubygems_",), pattern(r"rubygems_[0-9a-f]{40,}")),
    "fly": (("fo1_", "fm1", "fm2_"), pattern(r"(?<![A-Za-z0-9])(?:fo1|fm1[ar]|fm2)_[\w+/=-]{40,}")),
    "cloudflare": (("v1.0-",), pattern(r"(?<![\w.-])v1\.0-[0-9a-f]{20,}-[0-9a-f]{100,}")),
}
