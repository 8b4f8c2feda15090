"""An exit status of 0 is taken as proof that the artifact is there.

The plain rule (a size is asked for, no test before) was wrong 12 times in 12 on public scripts. What is
left: the output of an expensive phase, measured in arithmetic or because a status was 0, or called a
success without a look.
"""

from __future__ import annotations

from reviewbot.detectors.contract import Detector, Word
from reviewbot.detectors.unchecked_artifact.examples import BAD, GOOD
from reviewbot.detectors.unchecked_artifact.python_results import find_python
from reviewbot.detectors.unchecked_artifact.shell_results import find_shell

DETECTOR = Detector(
    id="unchecked-artifact",
    summary="success is taken for granted: nobody looks whether the artifact was written",
    finders={"shell": find_shell, "python": find_python},
    words=(
        Word(r"(?:no|without|missing|lacks?)\b[^.\n]{0,20}\b(?:artifacts?|results?|outputs?)\b", 1),
        Word(
            r"(?:zero[- ]exit|exit (?:status|code)|rc=0|success)\b[^.\n]{0,40}\b(?:no|without|nothing)\b",
            2,
        ),
        Word(
            r"(?:artifact|output file|result file|file)s? (?:that )?(?:exists?|is (?:there|new|written))", 1
        ),
        Word(r"no file was written|(?:writ|wrote|written)\w* nothing|nothing was written", 1),
    ),
    bad=BAD,
    good=GOOD,
    triggers={
        "shell": (
            "run",
            "sbatch",
            "launch",
            "serv",
            "bench",
            "train",
            "eval",
            "infer",
            "deepspeed",
            "convert",
            "quant",
            "download",
            "dump",
            "tar",
        ),
        "python": ("getsize", ".stat()"),
    },
)
