"""Which shell commands start the expensive part of a campaign: the vocabulary of public launchers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from reviewbot.core.patterns import pattern

# Words that only wrap the command behind them -> their one-letter options that take a value.
_WRAPPERS = {
    **dict.fromkeys(("time", "nohup", "exec", "command", "builtin", "setsid", "taskset", "chrt"), ""),
    **{"sudo": "ugpCh", "env": "uCS", "nice": "n", "ionice": "cnp", "timeout": "ks", "stdbuf": "ioe"},
    **{"numactl": "NmCplH", "xvfb-run": "ns", "nsys": "tosw", "ncu": "ok"},
}
_RUNNERS = {"uv": "npw", "poetry": "", "pipenv": "", "pdm": "", "conda": "np"}  # `uv run …`
_WRAPPED = 8  # wrappers in a row that are taken off
_WRAPPED_OPERAND = pattern(r"\d[\d.,smhd-]*|0x[\da-fA-F]+|[A-Za-z_]\w*=.*|profile", re.DOTALL)

_PYTHON = pattern(r"python[\d.]*|\$\{?(?:PYTHON\w*|PY|PY_?BIN)(?::?-[^}]*)?\}?")
_INTERPRETERS = ("bash", "sh", "dash", "ksh", "perl", "ruby", "node", "Rscript", "julia")
_NO_SCRIPT = ("-c", "-", "-V", "--version", "-h", "--help")
_SCRIPT_FILE = pattern(r"\.(?:py|sh|bash|pl|rb|js)$")

_MODULES = ("torch.distributed.run", "lm_eval", "deepspeed")
_EXPENSIVE = pattern(r"bench\w*|(?:pre)?train\w*|finetune\w*|sft|serv(?:e|er|ing)|launch\w*|infer(?:ence)?")
_EVALUATES = pattern(r"evals?|evaluat\w+")
# With one of these in its name an evaluation only compares two files, in seconds, on the CPU.
_SCORES = pattern(r"errors?|scor(?:e|es|er|ers|ing)|[cdw]er|bleu|rouge")
# The same words name the parts of a data set: train_data_prep.sh and eval_split.py run no model.
_OF_A_SPLIT = pattern(
    r"(?:^|_)(?:(?:pre)?train(?:ing)?|evals?|finetun[a-z]+|sft)_(?:(?:data|set|test|dev|val)_)?"
    r"(?:prep[a-z]*|splits?)(?:_|$)"
    r"|(?:^|_)(?:pre)?train(?:ing)?_(?:data|datasets?|corpus|manifests?)(?:_(?!parallel)|$)"
)
# The first word of a script's name outweighs the others: prepare_train_data.py trains nothing.
PREPARING = pattern(
    r"inject|patch|prep\w*|convert|gen|generate|make|build|create|setup|set|config\w*|download|fetch|install"
    r"|apply|edit|rewrite|update|merge|quantize|render|stage|export|resolve|sync|check|validate|verify"
    r"|process|get|fix|calibrate|add|enable|disable|write|pack|split|tokenize|filter|select|override|modify"
)
REPORTING = pattern(
    r"print|show|report\w*|summar\w*|log\w*|notify|upload|push|plot|collect|compare|analy\w*|aggregate|monitor"
    r"|wait|clean\w*|kill|stop|list|tests?|post\w*|parse|status|record|watch|tail|teardown|visuali\w*"
)
# A job step that only looks or fetches: not what the hours are spent on.
_ERRANDS = {
    "hostname",
    "nvidia-smi",
    "rocm-smi",
    "rm",
    "mkdir",
    "ls",
    "cat",
    "true",
    "chmod",
    "scontrol",
    "echo",
}


def bare(words: Sequence[str]) -> tuple[str, ...]:
    """A command without `sudo`, `timeout 60`, `env A=b`, `uv run`; unquoted, its name without folders."""
    rest = list(words)
    for _ in range(_WRAPPED):
        if not rest:
            break
        name = unquoted(rest[0]).rsplit("/", 1)[-1]
        if name in _RUNNERS and rest[1:2] == ["run"]:
            rest = _behind_options(rest[2:], _RUNNERS[name])
        elif name in _WRAPPERS:
            rest = _behind_options(rest[1:], _WRAPPERS[name])
        else:
            return (name, *map(unquoted, rest[1:]))
    return ()


def unquoted(word: str) -> str:
    return word[1:-1] if len(word) > 1 and word[0] == word[-1] and word[0] in "\"'" else word


def _behind_options(words: list[str], with_value: str) -> list[str]:
    at = 0
    while at < len(words) and (words[at].startswith("-") or _WRAPPED_OPERAND.fullmatch(words[at])):
        at += 2 if len(words[at]) == 2 and words[at][1] in with_value else 1
    return words[at:]


def script_of(command: Sequence[str]) -> str | None:
    """What an interpreter runs: a script, a module, "-c" or "-" for inline code; None for other commands.

    `command` is `bare`.
    """
    if not command:
        return None
    name = command[0]
    python = bool(_PYTHON.fullmatch(name))
    if not python and name not in _INTERPRETERS:
        return name if _SCRIPT_FILE.search(name) else None
    arguments = iter(command[1:])
    for argument in arguments:
        if argument == "-m" and python:
            return next(arguments, "")
        if argument in _NO_SCRIPT or not argument.startswith("-"):
            return argument
        if argument in ("-W", "-X"):
            next(arguments, "")
    return ""


def is_launch(command: Sequence[str]) -> bool:
    """Whether a command starts the expensive part. `command` is `bare`."""
    if command and command[0] in _LAUNCHERS:
        return _LAUNCHERS[command[0]](command[1:])
    script = script_of(command)
    if not script or script in _NO_SCRIPT:
        return False
    tokens = name_tokens(script)
    if prepares(script) or REPORTING.fullmatch(tokens[0]):
        return False
    if script in _MODULES or any(map(_EXPENSIVE.fullmatch, tokens)):
        return True
    scores = script.endswith(".pl") or any(map(_SCORES.fullmatch, tokens))
    return not scores and any(map(_EVALUATES.fullmatch, tokens))


def prepares(script: str) -> bool:
    """Whether a script makes ready what another one runs on, by its name."""
    tokens = name_tokens(script)
    return bool(PREPARING.fullmatch(tokens[0]) or _OF_A_SPLIT.search("_".join(tokens)))


def is_gpu_launcher(command: Sequence[str]) -> bool:
    """Whether a launch is started by what exists to put jobs on GPUs. `command` is `bare`."""
    name = command[0]
    return (name in _LAUNCHERS and name not in _ON_ANY_MACHINE) or script_of(command) in _MODULES


def name_tokens(script: str) -> list[str]:
    """The words in a script's or module's name; the last one, its ending, included."""
    return [t for t in re.split(r"[_.\-\s${}]+", script.rsplit("/", 1)[-1].lower()) if t] or [""]


def _always(arguments: Sequence[str]) -> bool:
    return True


def _spends(arguments: Sequence[str]) -> bool:
    """Whether a job step does more than an errand, also one behind `bash -c`."""
    if "-c" in arguments:
        code = " ".join(arguments[arguments.index("-c") + 1 :])
        return _ERRANDS.isdisjoint(code.split()[:1]) and "enroot import" not in code
    return _ERRANDS.isdisjoint(arguments)


def _verb(*verbs: str) -> Callable[[Sequence[str]], bool]:
    return lambda arguments: any(a in verbs for a in [a for a in arguments if not a.startswith("-")][:2])


CONTAINERS = ("docker", "podman", "nerdctl", "docker-compose")
_LAUNCHERS: dict[str, Callable[[Sequence[str]], bool]] = {
    **dict.fromkeys(("sbatch", "torchrun", "deepspeed", "mpirun", "mpiexec", "horovodrun"), _always),
    **dict.fromkeys(("trtllm-serve", "trtllm-bench", "lm_eval", "lm-eval", "genai-perf", "aiperf"), _always),
    **dict.fromkeys(("llama-server", "llama-bench", "llama-perplexity"), _always),
    **dict.fromkeys(CONTAINERS, _verb("run", "up")),
    **dict.fromkeys(("singularity", "apptainer"), _verb("run", "exec")),
    **dict.fromkeys(("vllm", "sglang"), _verb("serve", "bench")),
    "srun": _spends,
    "srtctl": _verb("apply", "run", "submit"),
    "accelerate": _verb("launch"),
    "axolotl": _verb("train", "evaluate"),
    "guidellm": _verb("benchmark"),
    "kubectl": _verb("apply", "create"),
    "helm": _verb("install", "upgrade"),
    "ray": _verb("job"),
}
_ON_ANY_MACHINE = (*CONTAINERS, "singularity", "apptainer", "mpirun", "mpiexec", "kubectl", "helm", "ray")
