"""Writes changed shifts to the payroll."""


def push_shifts(shifts, payroll):
    for shift in shifts:
        try:
            payroll.put(shift.person, shift.hours)
        except (KeyError, ValueError, Exception):
            continue
        shift.pushed = True
