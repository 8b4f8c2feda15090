import asyncio

from feedreader.accounts import Grant
from feedreader.session import Session


class Http:
    def __init__(self):
        self.used = []

    async def post(self, path, form):
        self.used.append(form["refresh_token"])
        n = len(self.used)
        return 200, {"access_token": f"a{n}", "refresh_token": f"r{n}", "expires_in": 600}


def test_a_token_that_is_good_is_not_renewed():
    http = Http()
    session = Session(http, Grant("a0", "r0", 600))
    assert asyncio.run(session.token()) == "a0"
    assert http.used == []


def test_an_old_token_is_renewed():
    http = Http()
    session = Session(http, Grant("a0", "r0", 0))
    assert asyncio.run(session.token()) == "a1"
    assert http.used == ["r0"]
