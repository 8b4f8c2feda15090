"""The detectors, in the order in which their classes cost. Adding one is one file and one line."""

from __future__ import annotations

from reviewbot.detectors import (
    argument_hole,
    assert_in_verifier,
    blind_loop,
    container_left_running,
    first_file_only,
    late_gate,
    length_only_identity,
    masked_exit_code,
    path_compared_as_string,
    repeated_tokenization,
    substring_for_key,
    swallowed_failure,
    unchecked_artifact,
    warn_and_continue,
)
from reviewbot.detectors.contract import Detector

DETECTORS: dict[str, Detector] = {
    "swallowed-failure": swallowed_failure.DETECTOR,
    "masked-exit-code": masked_exit_code.DETECTOR,
    "length-only-identity": length_only_identity.DETECTOR,
    "blind-loop": blind_loop.DETECTOR,
    "argument-hole": argument_hole.DETECTOR,
    "container-left-running": container_left_running.DETECTOR,
    "late-gate": late_gate.DETECTOR,
    "unchecked-artifact": unchecked_artifact.DETECTOR,
    "first-file-only": first_file_only.DETECTOR,
    "assert-in-verifier": assert_in_verifier.DETECTOR,
    "warn-and-continue": warn_and_continue.DETECTOR,
    "repeated-tokenization": repeated_tokenization.DETECTOR,
    "substring-for-key": substring_for_key.DETECTOR,
    "path-compared-as-string": path_compared_as_string.DETECTOR,
}
