"""Makes the report of the night and puts it where the accountants look."""

from billing.report import build, upload


def main(day):
    report = build(day)
    upload(report)
    print(f"report of {day}: {report.rows} rows")
