"""A provider of models on loopback: the Messages API over real HTTP, with answers from a script."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from typing import Any, NamedTuple


class Asked(NamedTuple):
    method: str
    path: str
    headers: dict[str, str]  # lower-case names
    raw: bytes

    @property
    def body(self) -> dict[str, Any]:
        body: dict[str, Any] = json.loads(self.raw)
        return body


class Reply(NamedTuple):
    """`end`: "whole", "cut" (the connection is closed before all that was promised), "stall" (nothing
    comes any more, nor is it closed, until the server ends) or "drip" (byte by byte, until somebody has
    enough). With status 0 nothing is sent at all."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = {}
    end: str = "whole"


Script = Callable[[Asked], Reply] | Iterable[Reply]

USAGE = {
    "input_tokens": 1000,
    "cache_creation_input_tokens": 0,
    "cache_read_input_tokens": 0,
    "output_tokens": 200,
}


def says(payload: object, **fields: Any) -> Reply:
    """A message whose text is the payload, as JSON unless it is a text already."""
    text = payload if isinstance(payload, str) else json.dumps(payload)
    return message([{"type": "text", "text": text}], **fields)


def wants(*tools: tuple[str, str, object], **fields: Any) -> Reply:
    """A message that wants to use tools: (id, name, input)."""
    content = [{"type": "tool_use", "id": id, "name": name, "input": given} for id, name, given in tools]
    return message(content, **{"stop_reason": "tool_use", **fields})


def message(content: list[dict[str, Any]], **fields: Any) -> Reply:
    """A message; `fields` take the place of its own."""
    whole = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-5-5",
        "content": content,
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": USAGE,
    }
    return Reply(body=json.dumps({**whole, **fields}).encode(), headers={"content-type": "application/json"})


def fails(status: int, kind: str, words: str = "no", **headers: str) -> Reply:
    """An error as the API forms it. `headers` with underscores for hyphens."""
    body = {"type": "error", "error": {"type": kind, "message": words}}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, json.dumps(body).encode(), {"content-type": "application/json", **named})


def streamed(reply: Reply, events: int | None = None, error: str = "") -> Reply:
    """The message as a stream of server-sent events. After `events` of them it breaks off: with an event
    of that `error`, else by a closed connection."""
    sent = list(_events(json.loads(reply.body)))[:events]
    if error:
        sent.append({"type": "error", "error": {"type": error, "message": "in the middle"}})
    body = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in sent)
    end = "whole" if events is None or error else "cut"
    return Reply(200, body.encode(), {"content-type": "text/event-stream"}, end)


def _events(whole: dict[str, Any]) -> Iterator[dict[str, Any]]:
    begun = {**whole, "content": [], "stop_reason": None, "usage": {**whole["usage"], "output_tokens": 1}}
    yield {"type": "message_start", "message": begun}
    for index, block in enumerate(whole["content"]):
        if block["type"] == "text":
            empty, parts = {**block, "text": ""}, (block["text"][:5], block["text"][5:])
            deltas = [{"type": "text_delta", "text": part} for part in parts]
        else:
            empty = {**block, "input": {}}
            deltas = [{"type": "input_json_delta", "partial_json": json.dumps(block["input"])}]
        yield {"type": "content_block_start", "index": index, "content_block": empty}
        yield from ({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas)
        yield {"type": "content_block_stop", "index": index}
    ended = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": ended, "usage": whole["usage"]}
    yield {"type": "message_stop"}


class AnthropicServer:
    """`url` is the server's; `asked` holds the requests, in the order in which they came."""

    def __init__(self, script: Script) -> None:
        self.url = ""
        self.asked: list[Asked] = []
        self.over = Event()
        self._script = script if callable(script) else iter(script)
        self._lock = Lock()

    def reply(self, asked: Asked) -> Reply:
        with self._lock:
            self.asked.append(asked)
            if isinstance(self._script, Iterator):
                return next(self._script, fails(500, "script_ended", x_should_retry="false"))
        return self._script(asked)  # side by side, so that one may wait for another


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_of: AnthropicServer

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def _serve(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        reply = self.server_of.reply(Asked(self.command, self.path, headers, raw))
        if reply.status:
            missing = 0 if reply.end in ("whole", "drip") else 1
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply.body) + missing))
            self.end_headers()
            if reply.end == "drip":
                self._drip(reply.body)
                return
            self.wfile.write(reply.body)
            self.wfile.flush()
        if reply.end == "stall":
            self.server_of.over.wait()
        self.close_connection = reply.end != "whole" or not reply.status

    def _drip(self, body: bytes) -> None:
        self.close_connection = True
        for at in range(len(body)):
            self.wfile.write(body[at : at + 1])
            self.wfile.flush()
            if self.server_of.over.wait(0.02):
                return

    def log_message(self, *args: Any) -> None:
        pass


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no fault of the test's."""


@contextmanager
def anthropic_server(script: Script) -> Iterator[AnthropicServer]:
    """A server that answers with the replies one after the other, or with what a function makes of the
    request. Where the replies end, it answers with an error that is not asked for again."""
    fake = AnthropicServer(script)
    handler = type("Handler", (_Handler,), {"server_of": fake})
    with _Server(("127.0.0.1", 0), handler) as server:
        fake.url = f"http://127.0.0.1:{server.server_port}"
        thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield fake
        finally:
            fake.over.set()
            server.shutdown()
            thread.join()
