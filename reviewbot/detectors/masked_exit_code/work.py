"""Which commands do the work of a script, which only look or talk, and which pass text on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntEnum
from itertools import islice, pairwise

from reviewbot.core.patterns import pattern
from reviewbot.detectors.shell.dataflow import Dataflow
from reviewbot.detectors.shell.launches import REPORTING, is_launch, name_tokens, script_of
from reviewbot.detectors.shell.script import ShellFile, innermost
from reviewbot.detectors.shell.tree import Node, Role


class Work(IntEnum):
    """How much the failure of a command matters."""

    TALKS = 0
    LOOKS = 1  # its status is an answer at most
    MAYBE = 2  # nothing is known of it
    SURE = 3


# They end with 0 whatever they are fed, and what they print is what they read, for people.
FILTERS = ("tee", "tail", "head", "cat", "ts", "pv", "less", "more", "fold", "nl", "cut", "tr", "column")
# What they write has the size of what came, and nothing in it says that it was to be more.
COMPRESSORS = ("gzip", "pigz", "bzip2", "pbzip2", "xz", "zstd", "lz4")
PROGRAMMED = ("sed", "awk", "gawk", "mawk")  # filters too, unless their program says how they end
_OWN_STATUS = pattern(r"\bexit\b|\bq\d+\b")
_STOPS = pattern(r"\bexit\b|[\d;{$/'\"\s][qQ](?:\b|\d)")  # in a program of awk or sed
_FIRST = pattern(r"-[A-Za-z]*[qlmL]\d*|--(?:quiet|silent|max-count.*|files-with-matches)")  # of grep
_ONE_LINER = pattern(r"-[a-zA-Z]*[eE]")  # `perl -ne '…'` is a filter with more words
_ACTS = pattern(r"\b(?:system|exec|exit|die|open)\b|`")
_TALKS = pattern(r"echo|printf|true|:|set|date|sleep|clear|unset|pwd|export|local|declare|typeset")
_LOOKS = pattern(
    r"amd-smi|base64|basename|ccache|cmp|column|comm|command|df|diff|dirname|dmesg|du|egrep|env|fgrep|file"
    r"|find|free|getconf|grep|history|hl-smi|hostname|ibstat|id|ip|join|journalctl|jq|kill|ldd|locale|ls"
    r"|lscpu|lsmod|lspci|man|md5sum|mktemp|netstat|nm|npu-smi|numactl|nvidia-smi|objdump|od|paste|printenv"
    r"|ps|readelf|readlink|realpath|rg|rocm-smi|sacct|sccache|scontrol|seq|sha256sum|shasum|sinfo|sort"
    r"|squeue|ss|stat|strings|stty|top|tput|tree|type|uname|uniq|uptime|wc|which|whoami|xpu-smi|xxd|yes|yq"
    r"|zgrep"
)
# Of these programs the verbs that only look.
_LOOKING = tuple(
    (re.compile(program), re.compile(verb))
    for program, verb in (
        ("git", "log|diff|status|show|branch|rev-parse|rev-list|describe|ls-files|remote|tag|config"),
        ("docker|podman|nerdctl", "ps|images|logs|inspect|info|version|stats|top|port|history"),
        ("kubectl|oc", "get|describe|logs|top|version|config"),
        ("pip3?|uv|conda|mamba", "list|freeze|show|info|check|cache"),
        ("apt|dpkg|rpm|yum|dnf|brew", "list|show|search|policy|info"),
        ("systemctl", "status|is-active|list-units"),
        ("cargo", "tree|metadata|search"),
        ("npm|pnpm|yarn", "ls|list|ll|view|outdated|why|explain"),
        ("helm", "template|list|ls|status|get|show|history|search"),
        ("terraform", "show|output|providers|state"),
        ("go", "list|env|version"),
    )
)
_BUILDS = pattern(
    r"ansible-playbook|apt|apt-get|bats|bazel|bazelisk|black|brew|buildah|cargo|clang|cmake|conda|coverage"
    r"|ctest|(?:pg|mysql|mongo|mariadb-)_?dump(?:all)?|dnf|docker|docker-compose|eval|ffmpeg|flake8|g\+\+|gcc|git|gmake|go|gradle|helm|hf"
    r"|huggingface-cli|isort|kubectl|make|mamba|meson|mvn|mypy|nerdctl|ninja|nox|npm|npx|nvcc|packer|pip"
    r"|pip3|pnpm|podman|poetry|pre-commit|py\.test|pylint|pytest|rsync|ruff|scp|shellcheck|skopeo|srun|ssh"
    r"|tar|terraform|tox|unzip|uv|xcodebuild|xcrun|yarn|yum"
)
_DRY = pattern(r"-[A-Za-mo-z]*n[A-Za-z]*|--(?:dry-run|just-print|recon)")  # make only says what it would do
_ASKS = pattern(r"--?(?:version|help|V|h)$")
_LOGS = pattern(
    r"(?:.*_)?(?:log|info|warn(?:ing)?|debug|msg|message|say|banner|usage|status|progress|section|header|echo"
    r"|print)(?:_.*)?$",
    re.IGNORECASE,
)
_COMPOUND = ("subshell", "compound_statement")
_NAME = 80  # characters of a name that are read
_DEEP = 8  # brackets around a command that are looked into
_SOME = 2000  # characters of a command that are read
_LONG = 200  # nodes of a function that is taken for one that only prints


class Trade:
    """What the commands of one script are for."""

    def __init__(self, file: ShellFile) -> None:
        self._file = file
        self._dataflow = Dataflow(file)
        self._prints: dict[Node, bool] = {}
        self._inside = False  # a function is being looked into

    def of(self, command: Node) -> Work:
        """The work of a simple command, or of a declaration."""
        if command.kind != "command":
            return Work.TALKS
        if command.words == ("env",):
            return Work.LOOKS
        return self._of_words(self._dataflow.bare(command))

    def worker(self, stage: Node) -> Node | None:
        """The command whose status a stage of a pipeline has: the last one inside its brackets."""
        node = stage
        for _ in range(_DEEP):
            inner = [c for c in node.children if c.role in (Role.INNER, Role.NEGATED)]
            if node.kind in _COMPOUND:
                inner = node.body[-1:]
            elif node.kind == "list":
                inner = node.children[-1:] if node.operator == "&&" else []
            elif node.kind == "command":
                return node
            if not inner:
                return None
            node = inner[0]
        return None

    def is_filter(self, stage: Node) -> bool:
        """Whether a stage only passes on, or cuts down, what it is fed."""
        command = innermost(stage)
        if command.kind != "command":
            return False
        words = self._dataflow.bare(command)
        if not words or words[0] not in (*FILTERS, *PROGRAMMED):
            return bool(words) and _compresses(words)
        if words[0] == "cat" and any(not w.startswith("-") or w == "-" for w in words[1:]):
            return False  # it joins files
        return words[0] not in PROGRAMMED or not self._decides(command)

    def _decides(self, command: Node) -> bool:
        """Whether an awk or sed program says how it ends, or may: it stands in a variable or in a file."""
        text = command.text[:_SOME]
        unseen = any(w[:1] in '"$' and "$" in w for w in command.words[1:]) or " -f" in text
        return bool(_OWN_STATUS.search(text)) or (unseen and command.name != "sed")

    def always_succeeds(self, statement: Node) -> bool:
        """Whether a statement ends with 0 whatever happened before: `echo`, `set +x`, `local rc`, `x=1`."""
        inner = innermost(statement)
        if statement is not inner and not self._goes_nowhere(statement):
            return False  # a file that cannot be written is a failure
        if inner.kind == "compound_statement" and len(inner.body) == 1:
            inner = innermost(inner.body[0])
        if inner.kind in ("variable_assignment", "variable_assignments", "declaration_command"):
            return not _substitutes(inner)  # with one, whoever reads the status means that of the command
        if inner.kind != "command":
            return False
        if _TALKS.fullmatch(inner.name) or self._is_message(inner.name):
            return True
        return inner.name == "popd" or (inner.name == "cd" and inner.words[1:] in (("..",), ("-",)))

    def _is_message(self, name: str) -> bool:
        """Whether a function of the script prints and ends with that: `log() { echo "$(date) $*"; }`."""
        function = self._file.functions.get(name)
        if function is None or not self._only_prints(function):
            return False
        body = innermost(function.children[-1]) if function.children else function
        last = innermost(body.last_statement) if body.last_statement else body
        if last.kind == "pipeline" and self.is_filter(last.children[-1]):
            last = innermost(last.children[0])
        return last.kind == "command" and bool(_TALKS.fullmatch(last.name))

    def _only_prints(self, function: Node) -> bool:
        """Whether nothing in a function works, decides or returns a status of its own choice."""
        if self._inside:
            return False  # what calls other functions is no plain list of prints
        if function not in self._prints:
            inside = list(islice(function.inside(), _LONG + 1))
            commands = [node for node in inside if node.kind == "command"]
            short = len(commands) > 0 and len(inside) <= _LONG
            self._inside = True
            self._prints[function] = short and all(self.of(c) <= Work.LOOKS for c in commands)
            self._inside = False
        return self._prints[function]

    def _goes_nowhere(self, statement: Node) -> bool:
        text = self._file.text.content[statement.start : min(statement.end, statement.start + _SOME)]
        targets = re.findall(r">{1,2}[ \t]*(&\d|[^\s;&|]+)", text.rsplit('"', 1)[-1])
        return all(t.startswith(("&", "/dev/")) for t in targets) and "<<" not in text

    def _of_words(self, words: Sequence[str]) -> Work:
        if not words or not words[0]:
            return Work.MAYBE
        name, arguments = words[0], words[1:]
        if _TALKS.fullmatch(name) or _LOGS.match(name[:_NAME]):
            return Work.TALKS
        if _LOOKS.fullmatch(name) or name in FILTERS or name in PROGRAMMED:
            return Work.LOOKS
        verbs = [a for a in arguments if not a.startswith("-")][:2]
        looks = (verb for program, verb in _LOOKING if program.fullmatch(name))
        if any(map(_ASKS.match, arguments[-1:])) or any(v.fullmatch(a) for v in looks for a in verbs):
            return Work.LOOKS
        if name in ("make", "gmake") and any(map(_DRY.fullmatch, arguments)):
            return Work.LOOKS
        if name in self._file.functions:
            return Work.LOOKS if self._only_prints(self._file.functions[name]) else Work.SURE
        if is_launch(words):
            return Work.SURE
        if name in ("perl", "ruby") and any(map(_ONE_LINER.fullmatch, arguments)):
            return Work.MAYBE if _ACTS.search(" ".join(arguments)[:_SOME]) else Work.TALKS
        script = script_of(words)
        if script == "":
            return Work.SURE  # the program comes from a heredoc or from a pipe
        if script:
            return Work.LOOKS if REPORTING.fullmatch(name_tokens(script)[0]) else _inline(script)
        return Work.SURE if _BUILDS.fullmatch(name) or name.startswith("$") else Work.MAYBE


def stops_reading(stage: Node) -> bool:
    """Whether a stage may end before its input does: what writes into it then gets SIGPIPE."""
    command = innermost(stage)
    match command.name:
        case "head" | "less" | "more":
            return True
        case "grep" | "egrep" | "fgrep" | "rg":
            return any(map(_FIRST.fullmatch, command.words[1:]))
        case "sed" | "awk" | "gawk" | "mawk":
            return bool(_STOPS.search(command.text[:_SOME]))
    return False


def _compresses(words: Sequence[str]) -> bool:
    """Whether a compressor takes what it is fed: not `gzip -d`, which tests it, and not `gzip file`."""
    options = [w for w in words[1:] if w.startswith("-") and w != "-"]
    operands = [w for before, w in pairwise(words) if w not in options and w != "-" and before != "-o"]
    tests = any(re.match(r"-\w*[dt]|--(?:de|un|test)", option) for option in options)
    return words[0] in COMPRESSORS and not operands and not tests


def _inline(script: str) -> Work:
    """A `python -c` mostly asks something; a script file works."""
    return Work.MAYBE if script in ("-c", "-V", "--version", "-h", "--help") else Work.SURE


def _substitutes(node: Node) -> bool:
    return any(child.kind == "command_substitution" for child in node.inside())
