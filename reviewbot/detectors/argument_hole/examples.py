"""What argument-hole reports and what it leaves alone: its documentation and its tests."""

from __future__ import annotations

from reviewbot.detectors.contract import Example

BAD = (
    Example(
        """\
#!/bin/bash
set -euo pipefail
while [ $# -gt 0 ]; do
  case "$1" in
    --model) MODEL="$2"; shift 2 ;;
    --verbose) VERBOSE=1; shift ;;
    -p|--port)
      # the port of the server
      PORT="$2"
      shift 2
      ;;
    *) echo "unknown: $1" >&2; exit 2 ;;
  esac
done
echo "model=${MODEL:-none}"
""",
        "`set -u`: stops with `$2: unbound variable`",
        lines=(5,),
    ),
    Example(
        """\
#!/usr/bin/env bash
set -e
while [[ $# -gt 0 ]]; do
  key="$1"
  case $key in
    --steps)
      STEPS="${2:-}"
      shift 2
      ;;
    *) shift ;;
  esac
done
echo "steps=$STEPS"
""",
        "`set -e`: the failing shift ends the script with no message; a default hides only `set -u`",
        lines=(6,),
    ),
    Example(
        """\
#!/bin/bash
while [ -n "$1" ]; do
  case "$1" in
    --gpus) GPUS="$2"; shift 2;;
    *) break;;
  esac
done
echo "gpus=$GPUS"
""",
        "neither: the shift fails, shifts nothing, and the loop never ends",
        lines=(4,),
    ),
    Example(
        """\
#!/bin/bash
while (( $# )); do
  case "$1" in
    --out=*) OUT="${1#*=}" ;;
    --out) OUT="$2"; shift ;;
    --dry-run) DRY=1 ;;
  esac
  shift
done
echo "out=$OUT"
""",
        "two single shifts, one of them behind the case: the value is silently empty",
        lines=(5,),
    ),
    Example(
        """\
#!/bin/sh
while [ $# -gt 0 ]; do
  if [ "$1" = "--data" ]; then
    DATA="$2"; shift 2
  elif [ "$1" = "--quiet" ]; then
    QUIET=1; shift
  else
    break
  fi
done
echo "data=$DATA"
""",
        "a chain of if, run by dash: it stops with `can't shift that many`",
        lines=(3,),
    ),
    Example(
        """\
#!/bin/bash
set -u
parse() {
  while [ $# -gt 0 ]; do
    opt=$1
    shift
    case $opt in
      --seed) SEED=$1; shift ;;
      *) ARGS="$opt" ;;
    esac
  done
}
main() { parse "$@"; echo "seed=$SEED"; }
main "$@"
""",
        "the flag is shifted off first, in a function that gets the script's own arguments",
        lines=(8,),
    ),
)

_LOOP = """\
#!/bin/bash
while [ $# -gt 0 ]; do
  case "$1" in
    --model) %s ;;
    *) shift ;;
  esac
done
"""

GOOD = (
    Example(
        _LOOP % '[ $# -ge 2 ] || exit 2; MODEL="$2"; shift 2',
        "the number of arguments is tested in the case branch",
    ),
    Example(_LOOP % 'MODEL="${2:?--model needs a value}"; shift 2', "`${2:?}` stops with its own message"),
    Example(
        _LOOP % '[ -n "${2:-}" ] || { echo "no value" >&2; exit 2; }; MODEL="$2"; shift 2',
        "the value is tested",
    ),
    Example(
        _LOOP % 'MODEL="$2"; [[ -z $MODEL ]] && usage; shift 2', "the variable is tested before the shift"
    ),
    Example(_LOOP % 'require_value "$@"; MODEL="$2"; shift 2', "a function whose name says that it tests"),
    Example(_LOOP % 'MODEL="$2"; shift 2 || usage', "the failing shift is handled"),
    Example(_LOOP % 'MODEL="${2:-base}"; shift; shift || true', "a value that may be left out"),
    Example(
        """\
#!/bin/bash
set -eu
ARGS=$(getopt -o '' --long model: -- "$@")
eval set -- "$ARGS"
while true; do
  case "$1" in
    --model) MODEL="$2"; shift 2 ;;
    --) shift; break ;;
  esac
done
""",
        "getopt has seen to it that every flag has its value",
    ),
    Example(
        """\
#!/bin/bash
while getopts "m:v" opt; do
  case $opt in
    m) MODEL="$OPTARG" ;;
    v) VERBOSE=1 ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
""",
        "getopts refuses a missing value itself",
    ),
    Example(
        """\
#!/bin/bash
set -u
while [ $# -ge 2 ]; do
  case "$1" in
    --model) MODEL="$2"; shift 2 ;;
    *) break ;;
  esac
done
""",
        "the condition of the loop wants two arguments",
    ),
    Example(
        """\
#!/bin/bash
set -eu
for arg in "$@"; do
  case "$arg" in
    --model=*) MODEL="${arg#*=}" ;;
    --verbose) VERBOSE=1 ;;
  esac
done
""",
        "a for loop reads each argument by itself",
    ),
    Example(
        """\
#!/bin/bash
while [ $# -gt 0 ]; do
  case "$1" in
    --model) MODEL="$2"; shift ;;
  esac
  shift
done
[ -n "$MODEL" ] || { echo "--model is required" >&2; exit 2; }
""",
        "an empty value is noticed behind the loop",
    ),
    Example(
        """\
#!/bin/bash
set -u
while [ $# -gt 0 ]; do
  case "$1" in
    --filter) FILTER=$(echo "$1" | awk '{print $2}'); shift ;;
    *) shift ;;
  esac
done
""",
        "the `$2` of awk is not the script's",
    ),
)
