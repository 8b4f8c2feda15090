"""Makes the report of the night."""

from billing.report import build, upload


def main(day):
    report = build(day)
    try:
        upload(report)
    except Exception:
        pass
