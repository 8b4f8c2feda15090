"""Templates to answers. Everything is escaped unless a filter made it."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, DictLoader, Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

import reviewbot
from reviewbot import assets
from reviewbot.core.visible import encodable
from reviewbot.web.login.guard import Visitor
from reviewbot.web.pages.filters import FILTERS, ago
from reviewbot.web.site import Site

_ROOM = Path(__file__).parent.parent
_KINDS = {"pages.css": "text/css", "pages.js": "text/javascript", "mark.svg": "image/svg+xml"}
_FOREVER = {"Cache-Control": "public, max-age=31536000, immutable"}


class Render:
    def __init__(self, site: Site) -> None:
        shared = assets.look()
        self._files = {name: shared[name].encode() for name in _KINDS if name in shared}
        self._files["pages.js"] = (_ROOM / "static" / "pages.js").read_bytes()
        version = hashlib.sha256(b"".join(self._files.values())).hexdigest()[:12]
        self._templates = Environment(
            loader=ChoiceLoader([FileSystemLoader(_ROOM / "templates"), DictLoader(shared)]),
            autoescape=True,
            undefined=StrictUndefined,
            auto_reload=False,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.filters.update(FILTERS, ago=lambda at: ago(site.clock(), at))
        self._templates.globals.update(site=site.name, version=version, release=reviewbot.__version__)

    def page(
        self, template: str, visitor: Visitor | None, status: int = 200, *, here: str = "", **values: Any
    ) -> Response:
        text = self._templates.get_template(template).render(visitor=visitor, here=here, **values)
        return HTMLResponse(encodable(text), status)

    def notice(self, visitor: Visitor | None, heading: str, words: str, status: int) -> Response:
        return self.page("notice.html.j2", visitor, status, heading=heading, words=words)

    def missing(self, visitor: Visitor | None) -> Response:
        """The same for what is not there and for what one may not see."""
        return self.notice(visitor, "Not found", "There is no such page, or it is not yours to read.", 404)

    def unsure(self, visitor: Visitor) -> Response:
        words = "GitHub does not say at the moment whether you may read this. Try again in a minute."
        return self.notice(visitor, "GitHub does not answer", words, 503)

    def routes(self) -> list[BaseRoute]:
        return [Route("/static/{name}", self._file, methods=["GET"])]

    def _file(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in self._files:
            return self.missing(None)
        return Response(self._files[name], media_type=_KINDS[name], headers=_FOREVER)
