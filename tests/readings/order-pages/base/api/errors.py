"""Errors that are answers."""


class BadRequest(Exception):
    """Is answered with 400 and its words."""
