"""The pages of people.

`runs.py`, `repositories.py` and `overview.py` are a page each, `live.py` is what follows a run, `doors.py`
logs in and out. `stages.py` and core/report/arranged.py arrange what they show, the two `filters.py` say it
in words, and `render.py` makes an answer of a template. The parts of a report, and the style sheet, are in
core/report/look, for the HTML report too.
"""

from __future__ import annotations

from starlette.routing import BaseRoute

from reviewbot.web.login.guard import Guard
from reviewbot.web.pages.desk import Desk
from reviewbot.web.pages.doors import Doors
from reviewbot.web.pages.live import Live
from reviewbot.web.pages.overview import Overview
from reviewbot.web.pages.render import Render
from reviewbot.web.pages.repositories import Repositories
from reviewbot.web.pages.runs import Runs
from reviewbot.web.site import Site


def routes(site: Site) -> list[BaseRoute]:
    guard, render = Guard(site), Render(site)
    desk = Desk(guard, render)
    return [
        *Doors(guard, render).routes(),
        *Overview(desk).routes(),
        *Repositories(desk).routes(),
        *Runs(desk).routes(),
        *Live(desk).routes(),
        *render.routes(),
    ]
