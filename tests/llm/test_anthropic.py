"""One attempt, over real HTTP: whatever comes back is an Answer with a payload, look-ups or a reason."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from reviewbot.core.ask.schema import REFUTE
from reviewbot.core.errors import ConfigError
from reviewbot.core.types import Answer, Lookup, Part, Question, Turn, Usage
from reviewbot.llm.anthropic import STREAMED_ABOVE, AnthropicModel
from reviewbot.llm.models import facts
from tests.fakes.anthropic_server import (
    AnthropicServer,
    Reply,
    Script,
    anthropic_server,
    fails,
    message,
    says,
    streamed,
    wants,
)
from tests.llm.questions import question

KEY = "sk-test-1"
CLEAN = {"findings": [], "summary": "nothing"}
HTML = b"<!doctype html><html><body>502 proxy</body></html>"


@contextmanager
def provider(script: Script, **settings: Any) -> Iterator[tuple[AnthropicModel, AnthropicServer]]:
    with anthropic_server(script) as server:
        yield AnthropicModel("anthropic", KEY, server.url, **settings), server


def answer_to(reply: Reply, asked: Question | None = None, **settings: Any) -> Answer:
    with provider([reply], **settings) as (model, server):
        [answer] = model.ask([asked or question()])
    assert len(server.asked) == 1  # one attempt, and never a second by the SDK
    return answer


def most(asked: Question) -> float:
    return facts(asked.model).estimate(asked)


# --- what is sent -------------------------------------------------------------------------


def test_a_question_is_sent_as_it_is_asked() -> None:
    with provider([says(CLEAN)]) as (model, server):
        [answer] = model.ask([question()])
    [asked] = server.asked
    assert (asked.method, asked.path) == ("POST", "/v1/messages")
    assert asked.body == {
        "model": "claude-sonnet-5-5",
        "max_tokens": 1000,
        "system": [
            {"type": "text", "text": "You review."},
            {"type": "text", "text": "The skill.", "cache_control": {"type": "ephemeral"}},
        ],
        "messages": [
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "The change.", "cache_control": {"type": "ephemeral"}},
                    {"type": "text", "text": "Find."},
                ],
            }
        ],
        "output_config": {
            "effort": "medium",
            "format": {"type": "json_schema", "schema": json.loads(question().schema)},
        },
    }
    assert answer.payload == CLEAN


def test_both_forms_of_the_key_are_sent() -> None:
    with provider([says(CLEAN)]) as (model, server):
        model.ask([question()])
    headers = server.asked[0].headers
    assert (headers["authorization"], headers["x-api-key"]) == (f"Bearer {KEY}", KEY)


def test_a_key_in_the_environment_is_not_used_in_place_of_the_given_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-other")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "sk-another")
    with provider([says(CLEAN)]) as (model, server):
        model.ask([question()])
    assert "other" not in str(server.asked[0].headers)


@pytest.mark.parametrize("key", ["", " \n", "sk-ä", "sk 1", "sk\n1"])
def test_what_is_no_key_is_said_before_anything_is_asked(key: str) -> None:
    with pytest.raises(ConfigError):
        AnthropicModel("anthropic", key)


def test_the_line_end_behind_a_key_is_no_part_of_it() -> None:
    with anthropic_server([says(CLEAN)]) as server:
        AnthropicModel("anthropic", f"{KEY}\n", server.url).ask([question()])
    assert server.asked[0].headers["x-api-key"] == KEY


@pytest.mark.parametrize("tail", ["/", "/v1", "/v1/"])
def test_the_place_may_be_given_with_its_version(tail: str) -> None:
    with anthropic_server([says(CLEAN)]) as server:
        AnthropicModel("anthropic", KEY, server.url + tail).ask([question()])
    assert server.asked[0].path == "/v1/messages"


def test_an_empty_part_which_the_api_refuses_is_left_out() -> None:
    with provider([says(CLEAN)]) as (model, server):
        model.ask([question(system=(Part(""), Part("Role.")))])
    assert server.asked[0].body["system"] == [{"type": "text", "text": "Role."}]


def test_a_lone_surrogate_is_spelt_out_and_other_letters_stay() -> None:
    with provider([says(CLEAN)]) as (model, server):
        [answer] = model.ask([question(data=(Part("naïve \udcff 漢字 😀"),))])
    assert server.asked[0].body["messages"][0]["content"][0]["text"] == "naïve \\udcff 漢字 😀"
    assert answer.payload == CLEAN


def test_what_the_model_said_comes_back_to_it_with_what_it_was_shown() -> None:
    thought = {"type": "thinking", "thinking": "Hm.", "signature": "s1"}
    use = {"type": "tool_use", "id": "t1", "name": "read", "input": {"path": "a.sh"}}
    other = {"type": "tool_use", "id": "t2", "name": "search", "input": {}}
    tools = json.dumps([{"name": "read", "description": "", "input_schema": {"type": "object"}}])
    with provider([message([thought, use, other], stop_reason="tool_use"), says(CLEAN)]) as (model, server):
        first = question(tools=tools)
        [answer] = model.ask([first])
        turn = Turn(answer.said, answer.lookups, ("line \udcff", ""))
        [last] = model.ask([first._replace(turns=(turn,))])
    assert answer == Answer(
        lookups=(Lookup("t1", "read", '{"path": "a.sh"}'), Lookup("t2", "search", "{}")),
        said=answer.said,
        usage=answer.usage,
    )
    sent = [asked.body for asked in server.asked]
    assert sent[0]["tools"] == sent[1]["tools"] == json.loads(tools)
    assert sent[1]["messages"][0] == sent[0]["messages"][0]
    assert sent[1]["messages"][1:] == [
        {"role": "assistant", "content": [thought, use, other]},
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "t1", "content": "line \\udcff"},
                {
                    "type": "tool_result",
                    "tool_use_id": "t2",
                    "content": "",
                    "cache_control": {"type": "ephemeral"},
                },
            ],
        },
    ]
    assert last.payload == CLEAN


@pytest.mark.parametrize("given", [{"path": "a.sh", "line": 3}, {}, [1], "a.sh", None])
def test_what_a_look_up_is_given_comes_through_as_it_was_said(given: object) -> None:
    answer = answer_to(wants(("t1", "read", given)))
    assert answer.lookups == (Lookup("t1", "read", json.dumps(given)),)


SETTINGS_THAT_ARE_REFUSED = {"thinking", "temperature", "top_p", "top_k", "tool_choice"}


@pytest.mark.parametrize(
    "asked", [question(), question(max_tokens=64_000), question(tools="[]", effort="max")]
)
def test_no_setting_is_sent_that_the_model_refuses(asked: Question) -> None:
    reply = streamed(says(CLEAN)) if asked.max_tokens > STREAMED_ABOVE else says(CLEAN)
    with provider([reply]) as (model, server):
        model.ask([asked])
    body = server.asked[0].body
    assert SETTINGS_THAT_ARE_REFUSED & body.keys() == set()
    assert body["messages"][-1]["role"] == "user"  # no beginning of the answer


# --- what it may say ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(CLEAN),
        json.dumps(json.dumps(CLEAN)),
        f"```json\n{json.dumps(CLEAN, indent=2)}\n```",
        f"```\r\n{json.dumps(CLEAN)}\r\n```\r\n",
        f"Here it is:\n```json\n{json.dumps(CLEAN)}\n```\nThat is all.",
        f"\n  {json.dumps(CLEAN)}\n",
        json.dumps({"findings": "[]", "summary": "nothing"}),
    ],
    ids=[
        "plain",
        "encoded twice",
        "fenced",
        "fence with CRLF",
        "words around",
        "space around",
        "a field by itself",
    ],
)
def test_json_is_read_in_the_forms_in_which_models_give_it(text: str) -> None:
    assert answer_to(says(text)).payload == CLEAN


def test_a_text_in_the_answer_that_looks_like_json_or_a_fence_stays_one() -> None:
    payload = {"findings": [{"fix": "```sh\nset -e\n```"}], "summary": "[]"}
    assert answer_to(says(payload)).payload == payload
    assert answer_to(says(f"```json\n{json.dumps(payload)}\n```")).payload == payload


def test_a_fence_in_a_text_is_not_taken_for_the_one_around_the_answer() -> None:
    """Of an answer on several lines only what stood between two texts with fences was read."""
    payload = {"findings": [{"fix": "x"}], "summary": "```"}
    spread = json.dumps(payload, indent=1).replace('"x"', '"```sh\\nset -e\\n```"')
    whole = {"findings": [{"fix": "```sh\nset -e\n```"}], "summary": "```"}
    for text in (spread, f"```json\n{spread}\n```", f"Here:\n```\n{spread}\n```\nSo it is."):
        assert answer_to(says(text)).payload == whole


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
def test_a_number_that_is_none_costs_its_field_alone(constant: str) -> None:
    """It lost the whole answer."""
    answer = answer_to(says(f'{{"findings": [{{"confidence": {constant}, "line": 3}}], "summary": "x"}}'))
    assert answer.payload == {"findings": [{"confidence": None, "line": 3}], "summary": "x"}


def test_letters_of_all_scripts_come_through() -> None:
    payload = {"findings": [{"quote": "é = 'ß漢字😀'"}], "summary": "ü"}
    assert answer_to(says(json.dumps(payload, ensure_ascii=False))).payload == payload


def test_five_hundred_findings_come_through() -> None:
    payload = {"findings": [{"title": f"finding {number}"} for number in range(500)], "summary": ""}
    assert answer_to(says(payload)).payload == payload


@pytest.mark.parametrize(
    "text",
    [
        "",
        "No defects.",
        '{"findings": [',
        "[]",
        "null",
        "17",
        '"clean"',
        "[" * 100_000,
        "1" * 5000,
        "```json\n```",
    ],
    ids=lambda text: text[:12] or "nothing",
)
def test_an_answer_that_is_no_json_object_is_not_taken_for_a_clean_one(text: str) -> None:
    answer = answer_to(says(text))
    assert (answer.payload, answer.reason) == (None, "not-json")
    assert answer.usage.usd > 0


@pytest.mark.parametrize(
    ("given", "lacks"),
    [
        ({"summary": "All is well."}, "findings"),
        ({"verdict": 1}, "findings"),
        ({}, "findings"),
        ({"findings": None}, "findings"),
        ({"findings": {}}, "findings"),
        ({"findings": "none"}, "findings"),
    ],
    ids=str,
)
def test_an_answer_without_what_was_asked_for_is_not_taken_for_a_clean_one(given: object, lacks: str) -> None:
    """Any object was an answer: it was recorded, and never asked for again."""
    answer = answer_to(says(given))
    assert (answer.payload, answer.reason) == (None, "not-json")
    assert answer.detail.startswith(f"the answer lacks {lacks}: ")
    assert answer.usage.usd > 0


@pytest.mark.parametrize("missing", ["verdict", "counter", "reason"])
def test_a_second_reader_says_all_that_it_is_asked(missing: str) -> None:
    whole = {"verdict": "unsure", "counter": None, "reason": "So it is."}
    asked = question(schema=REFUTE)
    with provider([says(whole), says({k: v for k, v in whole.items() if k != missing})]) as (model, _):
        [read], [refused] = model.ask([asked]), model.ask([asked])
    assert read.payload == whole
    assert refused.detail.startswith(f"the answer lacks {missing}: ")


@pytest.mark.parametrize(
    ("stopped", "reason"),
    [
        ("max_tokens", "cut-off"),
        ("model_context_window_exceeded", "cut-off"),
        ("pause_turn", "cut-off"),
        (None, "cut-off"),
        ("refusal", "refused"),
        ("tool_use", "odd"),  # and wants nothing
        ("a_new_reason", "odd"),
        (["end_turn"], "odd"),
    ],
    ids=str,
)
def test_an_answer_that_stopped_early_is_none_however_whole_it_looks(stopped: object, reason: str) -> None:
    answer = answer_to(says(CLEAN, stop_reason=stopped))
    assert (answer.payload, answer.reason) == (None, reason)
    assert answer.detail
    assert answer.usage.output_tokens == 200  # paid for all the same


def test_a_stop_sequence_ends_an_answer_as_well_as_anything() -> None:
    assert answer_to(says(CLEAN, stop_reason="stop_sequence")).payload == CLEAN


@pytest.mark.parametrize(
    ("details", "said"),
    [
        ({"type": "refusal", "category": "cyber", "explanation": "It could harm."}, "cyber: It could harm."),
        ({"type": "refusal", "category": "frontier_llm", "explanation": None}, "frontier_llm"),
        (None, "does not say why"),
        ("odd", "does not say why"),
    ],
)
def test_a_refusal_says_of_what_kind_it_is(details: object, said: str) -> None:
    answer = answer_to(message([], stop_reason="refusal", stop_details=details))
    assert answer.reason == "refused"
    assert said in answer.detail


def test_a_block_of_an_unknown_kind_is_passed_over() -> None:
    content = [{"type": "hologram", "data": 1}, {"type": "text", "text": json.dumps(CLEAN)}]
    assert answer_to(message(content)).payload == CLEAN


# --- what it cost -------------------------------------------------------------------------


def test_usage_is_booked_with_what_was_cached() -> None:
    usage = {
        "input_tokens": 1000,
        "cache_creation_input_tokens": 2000,
        "cache_read_input_tokens": 10_000,
        "output_tokens": 500,
    }
    answer = answer_to(says(CLEAN, usage=usage))
    price = (1000 * 2.0 + 2000 * 2.5 + 10_000 * 0.1 + 500 * 10.0) / 1e6
    assert answer.usage == Usage(1, 13_000, 10_000, 500, pytest.approx(price), answer.usage.seconds)
    assert answer.usage.seconds > 0


@pytest.mark.parametrize("usage", [None, {}, "many", {"input_tokens": None}])
def test_where_a_gateway_does_not_count_the_most_that_it_may_cost_is_booked(usage: object) -> None:
    answer = answer_to(says(CLEAN, usage=usage))
    assert answer.payload == CLEAN
    assert answer.usage.usd == most(question())


def test_absurd_counts_do_no_harm() -> None:
    usage = {"input_tokens": -5, "cache_read_input_tokens": "x", "output_tokens": 10**400}
    answer = answer_to(says(CLEAN, usage=usage))
    assert answer.payload == CLEAN
    assert answer.usage.output_tokens == 10**9


# --- what may go wrong --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (fails(400, "invalid_request_error", "prompt is too long"), "odd"),
        (fails(401, "authentication_error"), "denied"),
        (fails(402, "billing_error"), "denied"),
        (fails(403, "permission_error"), "denied"),
        (fails(404, "not_found_error", "model: claude-none"), "odd"),
        (fails(408, "timeout_error"), "unreachable"),
        (fails(409, "conflict_error"), "unreachable"),
        (fails(413, "request_too_large"), "too-large"),
        (fails(418, "teapot"), "odd"),
        (fails(429, "rate_limit_error"), "limited"),
        (fails(500, "api_error"), "overloaded"),
        (fails(500, "api_error", x_should_retry="false"), "odd"),
        (fails(504, "timeout_error"), "unreachable"),
        (fails(529, "overloaded_error"), "overloaded"),
        (Reply(401, HTML, {"content-type": "text/html"}), "denied"),
        (Reply(413, HTML, {"content-type": "text/html"}), "too-large"),
        (Reply(502, HTML, {"content-type": "text/html"}), "overloaded"),
        (Reply(302, b"", {"location": "http://127.0.0.1:9/"}), "odd"),
        (Reply(307, b"", {"location": "http://127.0.0.1:9/"}), "odd"),
    ],
    ids=lambda value: str(value.status) if isinstance(value, Reply) else value,
)
def test_an_error_of_the_provider_has_its_reason_and_costs_nothing(reply: Reply, reason: str) -> None:
    answer = answer_to(reply)
    assert (answer.payload, answer.reason) == (None, reason)
    assert str(reply.status) in answer.detail
    assert answer.usage == Usage(calls=1, seconds=answer.usage.seconds)


@pytest.mark.parametrize(
    "body", [HTML, b"", b"OK", b"\xff\xfe", b"[]", b"7", b"null", b'{"ok": true}', b'{"content": "x"}']
)
def test_what_a_proxy_says_with_status_200_is_no_answer(body: bytes) -> None:
    answer = answer_to(Reply(200, body, {"content-type": "text/html"}))
    assert (answer.payload, answer.reason) == (None, "odd")
    assert answer.usage.usd == 0


def test_an_answer_behind_a_byte_order_mark_is_one_and_is_booked() -> None:
    """It was paid for, and booked at nothing."""
    whole = says(CLEAN)
    answer = answer_to(whole._replace(body=b"\xef\xbb\xbf" + whole.body))
    assert answer.payload == CLEAN
    assert answer.usage.usd == answer_to(whole).usage.usd > 0
    cut = answer_to(whole._replace(body=b"\xef\xbb\xbf" + whole.body[:-40]))
    assert (cut.reason, cut.usage.usd) == ("cut-off", most(question()))


def test_html_is_quoted_so_that_people_recognise_it() -> None:
    assert "502 proxy" in answer_to(Reply(200, HTML, {"content-type": "text/html"})).detail


def test_a_body_cut_in_its_middle_is_no_answer_and_may_have_to_be_paid() -> None:
    whole = says(CLEAN)
    answer = answer_to(whole._replace(body=whole.body[:-40]))
    assert (answer.payload, answer.reason) == (None, "cut-off")
    assert answer.usage.usd == most(question())


def test_a_connection_closed_in_the_middle_of_the_body() -> None:
    answer = answer_to(says(CLEAN)._replace(end="cut"))
    assert (answer.payload, answer.reason) == (None, "unreachable")
    assert answer.usage.usd == most(question())


def test_a_connection_closed_before_any_answer() -> None:
    answer = answer_to(Reply(0))
    assert (answer.payload, answer.reason) == (None, "unreachable")


@pytest.mark.parametrize(
    "reply", [Reply(0, end="stall"), says(CLEAN)._replace(end="stall")], ids=["silent", "begun"]
)
def test_a_provider_that_falls_silent_is_given_up(reply: Reply) -> None:
    answer = answer_to(reply, timeout=0.2)
    assert (answer.payload, answer.reason) == (None, "unreachable")
    assert answer.usage.usd == most(question())


def test_an_answer_that_drips_is_given_up() -> None:
    """Each piece came in time, and all of them took hours."""
    answer = answer_to(says(CLEAN)._replace(end="drip"), timeout=0.3)
    assert (answer.payload, answer.reason) == (None, "unreachable")
    assert answer.detail == "no answer within the time that it was given"
    assert answer.usage.usd == most(question())


def test_a_refused_connection_costs_nothing() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and not listening
        port = taken.getsockname()[1]
        [answer] = AnthropicModel("anthropic", KEY, f"http://127.0.0.1:{port}").ask([question()])
    assert answer.reason == "unreachable"
    assert "no connection" in answer.detail
    assert answer.usage == Usage(seconds=answer.usage.seconds)


@pytest.mark.parametrize("place", ["nonsense", "http://", "ftp://127.0.0.1"])
def test_a_place_that_is_no_url_is_said_and_not_asked_again(place: str) -> None:
    [answer] = AnthropicModel("anthropic", KEY, place).ask([question()])
    assert answer == Answer(reason="odd", detail=answer.detail, usage=Usage(seconds=answer.usage.seconds))
    assert answer.detail


def test_a_question_that_cannot_be_sent_does_not_hide_the_others() -> None:
    with provider([says(CLEAN)]) as (model, _):
        broken, whole = model.ask([question(schema="no json"), question()])
    assert (broken.reason, whole.payload) == ("odd", CLEAN)


def test_a_key_that_is_echoed_does_not_stand_in_the_answer() -> None:
    answer = answer_to(fails(401, "authentication_error", f"Bearer {KEY} is not known"))
    assert KEY not in str(answer)
    assert "[key]" in answer.detail


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after-ms": "1500", "retry-after": "7"}, 1.5),
        ({"retry-after": "4233600"}, 4_233_600.0),
        ({"retry-after": "-1"}, 0.0),
        ({"retry-after": "nan"}, 0.0),
        ({"retry-after": "inf"}, 0.0),
        ({"retry-after": "soon"}, 0.0),
        ({"retry-after": "Fri, 01 Jan 1999 00:00:00 GMT"}, 0.0),
        ({}, 0.0),
    ],
    ids=str,
)
def test_when_to_ask_again_is_read_from_the_headers(headers: dict[str, str], seconds: float) -> None:
    assert answer_to(fails(429, "rate_limit_error", **headers)).retry_after == seconds


def test_when_to_ask_again_may_be_a_date() -> None:
    answer = answer_to(fails(429, "rate_limit_error", retry_after="Fri, 01 Jan 2999 00:00:00 GMT"))
    assert answer.retry_after > 365 * 86_400


# --- streams ------------------------------------------------------------------------------

LONG = question(max_tokens=STREAMED_ABOVE + 1)


def test_a_long_answer_is_streamed() -> None:
    with provider([streamed(says(CLEAN))]) as (model, server):
        [answer] = model.ask([LONG])
    assert server.asked[0].body["stream"] is True
    assert answer.payload == CLEAN
    assert (answer.usage.input_tokens, answer.usage.output_tokens) == (1000, 200)


def test_an_answer_that_is_not_long_is_not_streamed() -> None:
    with provider([says(CLEAN)]) as (model, server):
        model.ask([question(max_tokens=STREAMED_ABOVE)])
    assert "stream" not in server.asked[0].body


def test_look_ups_come_through_a_stream_and_can_be_given_back() -> None:
    use = {"type": "tool_use", "id": "t1", "name": "read", "input": {"path": "a.sh"}}
    content = [{"type": "text", "text": "Let me see."}, use]
    with provider([streamed(message(content, stop_reason="tool_use")), streamed(says(CLEAN))]) as (
        model,
        server,
    ):
        [answer] = model.ask([LONG])
        model.ask([LONG._replace(turns=(Turn(answer.said, answer.lookups, ("x",)),))])
    assert answer.lookups == (Lookup("t1", "read", '{"path": "a.sh"}'),)
    assert server.asked[1].body["messages"][1]["content"] == content


@pytest.mark.parametrize("events", range(1, 7))
def test_a_stream_cut_in_its_middle_is_no_answer_wherever_it_was_cut(events: int) -> None:
    answer = answer_to(streamed(says(CLEAN), events), LONG)
    assert (answer.payload, answer.reason) == (None, "unreachable")
    assert answer.usage.usd == most(LONG)


@pytest.mark.parametrize("events", range(1, 6))
def test_a_stream_that_ends_too_early_without_a_fault_is_no_answer(events: int) -> None:
    answer = answer_to(streamed(says(CLEAN), events)._replace(end="whole"), LONG)
    assert (answer.payload, answer.reason) == (None, "cut-off")


@pytest.mark.parametrize(
    ("error", "reason"),
    [("overloaded_error", "overloaded"), ("rate_limit_error", "limited"), ("new_error", "odd")],
)
def test_an_error_within_a_stream(error: str, reason: str) -> None:
    answer = answer_to(streamed(says(CLEAN), 3, error), LONG)
    assert (answer.payload, answer.reason) == (None, reason)
    assert answer.usage.usd == most(LONG)


def test_a_stream_that_was_refused_at_once() -> None:
    assert answer_to(fails(529, "overloaded_error"), LONG).reason == "overloaded"


@pytest.mark.parametrize(
    "body", [HTML, b"", b"data: {}\n\n", b"event: ping\ndata: [1]\n\n", b"event: message_start\ndata: {\n\n"]
)
def test_what_a_proxy_says_in_place_of_a_stream_is_no_answer(body: bytes) -> None:
    answer = answer_to(Reply(200, body, {"content-type": "text/event-stream"}), LONG)
    assert answer.payload is None
    assert answer.reason in ("odd", "cut-off")


def test_a_stream_that_only_says_that_it_lives_is_given_up() -> None:
    reply = streamed(says(CLEAN), 2)
    answer = answer_to(reply._replace(end="stall"), LONG, timeout=0.2)
    assert (answer.payload, answer.reason) == (None, "unreachable")
