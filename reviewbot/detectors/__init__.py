"""The detectors, in the order in which their classes cost. Adding one is one file and one line."""

from __future__ import annotations

from reviewbot.detectors import argument_hole, assert_in_verifier, blind_loop, swallowed_failure
from reviewbot.detectors.contract import Detector

DETECTORS: dict[str, Detector] = {
    "swallowed-failure": swallowed_failure.DETECTOR,
    "blind-loop": blind_loop.DETECTOR,
    "argument-hole": argument_hole.DETECTOR,
    "assert-in-verifier": assert_in_verifier.DETECTOR,
}
