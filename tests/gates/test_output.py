from __future__ import annotations

from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from reviewbot.gates import output
from reviewbot.gates.output import Stream

LINES = st.lists(st.binary(max_size=9).map(lambda line: line.replace(b"\x1b", b"") + b"\n"), max_size=60)


@given(LINES, st.lists(st.integers(0, 40), max_size=60), st.integers(1, 20).map(lambda half: 2 * half))
def test_what_is_kept_is_the_start_and_the_end(lines: list[bytes], cuts: list[int], kept: int) -> None:
    whole = b"".join(lines)
    with patch.object(output, "KEPT", kept):
        stream = Stream()
        at = 0
        for cut in cuts:
            stream.feed(whole[at : at + cut])
            at += cut
        stream.feed(whole[at:])
        text, left_out = stream.text()
    assert stream.size == len(whole)
    if len(whole) <= kept:
        assert (text, left_out) == (whole.decode("utf-8", "replace"), 0)
        return
    head, rest = whole[: kept // 2], whole[-kept // 2 :]
    head, tail = head[: head.rfind(b"\n") + 1] or head, rest[rest.find(b"\n") + 1 :]
    assert left_out == len(whole) - len(head) - len(tail)
    assert text == (
        f"{head.decode('utf-8', 'replace')}\n… {left_out} bytes left out …\n{tail.decode('utf-8', 'replace')}"
    )
