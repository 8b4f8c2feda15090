"""Skills in the forms that people give them, and all that is understood of each.

None is a copy of a public file; each has the shape of some: where the defects stand, what stands
around them, and what must not be taken for a defect.
"""

from __future__ import annotations

from typing import NamedTuple

from reviewbot.core.types import SkillOrigin


class Form(NamedTuple):
    """A skill file, and what it says: classes as (kind, slug) in the order of their ranks."""

    text: str
    classes: list[str]  # slugs; a leading "!" marks what is not to be reported
    severities: str = ""  # B, W, N or - for each class; empty: none has one
    scope: tuple[str, ...] = ()
    gates: tuple[str, ...] = ()  # kind and line
    steps: tuple[str, ...] = ()  # the first word of each
    report: str = ""  # its first word
    warnings: tuple[str, ...] = ()
    path: str = "skills/x-review/SKILL.md"
    origin: SkillOrigin = SkillOrigin.BASE
    name: str = "x-review"


FRONT = "---\nname: x-review\ndescription: Reviews changes.\n---\n"
FORMS = {
    "numbered headings under a checklist": Form(
        FRONT
        + """
# Review a recipe

Given a number, fetch the change and go through the list.

## Checklist

### 1. Stray files
- No lock files, no editor settings
- Only the recipe and its page changed

### 2. Launch command
- Must use the new entry point, never the old module

### 3. Build
Run after reading:
```bash
cd docs && make html
```
Mend import errors first.

## Output format

For each file one line:
- PASS
- ISSUE: <what is wrong>
""",
        ["stray-files", "launch-command", "build"],
        report="For",
    ),
    "categories with plain bullets": Form(
        FRONT
        + """
# Code review

## Review Categories

### 1. Memory safety

- Leaks on every path
- **Arena**: lifetime follows the object

### 2. Error handling

- System calls are checked

## Review Output Format

For each issue:

1. **Severity**: Critical / High / Low
2. **Location**: file and line

## Review Process

1. **Read the structure** - what it is for
2. **Trace the memory** - follow each arena
""",
        ["memory-safety", "error-handling"],
        steps=("**Read", "**Trace"),
        report="For",
    ),
    "lettered headings": Form(
        FRONT
        + """
## What to look for

### A1. Lost updates
Two writers, one file.

### A2: Stale reads
A cache without an owner.

### Example

```sh
cat x
```
""",
        ["lost-updates", "stale-reads"],
    ),
    "phases without a procedure heading": Form(
        FRONT
        + """
# Hostile reading

## Phase 1: Gather

Fetch the diff.

## Phase 2: What to check

- **Races** — two jobs, one folder
- **Leaks** — a job nobody kills

## Phase 3 — Report

A table.
""",
        ["races", "leaks"],
        steps=("**Gather**",),
        report="A",
    ),
    "headings without numbers": Form(
        FRONT
        + """
# Audit

## Failure modes

### Silent truncation
`head -c` on a stream. Fix: compare sizes.

### Wrong unit
MiB against MB.

#### How it shows
A table that is 4.8 % off.

### Why these
They cost a week each.
""",
        ["silent-truncation", "wrong-unit"],
    ),
    "headings with a numbered list in one of them": Form(
        FRONT
        + """
## Review checklist

### Correctness
Trace one input:
1. take the smallest
2. follow it

### Security
Who may call it?
""",
        ["correctness", "security"],
    ),
    "bold bullets under a prose title": Form(
        FRONT
        + """
# Adversarial review

## 1. Resolve the target

| `$ARGUMENTS` | What to do |
|---|---|
| a number | review that one |

## 2. Risks to hunt

Work through all of them.

- **Edge cases** — empty, zero, one, and what
  the tests leave out.
- **Error handling & failure modes** — unchecked
  returns, partial writes.

  ```python
  open(path).write(data)
  ```
- **Shallow tests** — asserts that cannot fail.

Keep it in proportion.

## 3. Rank findings by honest severity

- **blocker** — must not be merged
- **nit** — say that it is optional
""",
        ["edge-cases", "error-handling-failure-modes", "shallow-tests"],
    ),
    "bold and plain siblings": Form(
        FRONT
        + """
## Issues to flag

- Buffer overflows
- **Sockets**: options nobody checks
- Format strings
  - also in macros
""",
        ["buffer-overflows", "sockets", "format-strings"],
    ),
    "check boxes in groups": Form(
        FRONT
        + """
# Review

## Process

### 1. Gather

Read the diff.

### 2. Review checklist

- [ ] Shapes and dtypes agree
- [x] Errors carry the path

### 3. Feedback

**Blocking issues** must be fixed first:
- crashes
""",
        ["shapes-and-dtypes-agree", "errors-carry-the-path"],
        steps=("**Gather**", "**Feedback**"),
    ),
    "bold check boxes": Form(
        FRONT + "\n## Checklist\n\n- [ ] **Locks** - taken in one order\n- [ ] **Timeouts**: on every wait\n",
        ["locks", "timeouts"],
    ),
    "a table of areas": Form(
        FRONT
        + """
## Review Areas

| Area | Focus | Reference |
|------|-------|-----------|
| Code quality | patterns, complexity | [list](list.md) |
| **Kernels** | guards, `a|b` layout | [list](list.md) |

## Files to Reference

- `CLAUDE.md` - style
""",
        ["code-quality", "kernels"],
    ),
    "a table with severities": Form(
        FRONT
        + """
## Bug patterns

| # | Pattern | Severity | Fix |
|---|---|---|---|
| 1 | Lost exit code | 🔴 Critical | set pipefail |
| 2 | Unquoted path | **Medium** | quote it |
| 3 | Odd name | nit | |
""",
        ["lost-exit-code", "unquoted-path", "odd-name"],
        severities="BWN",
    ),
    "groups by severity": Form(
        FRONT
        + """
## What to check

### Critical (must fix)
- Injection
- Data loss

### Minor
- Spelling of flags
""",
        ["injection", "data-loss", "spelling-of-flags"],
        severities="BBN",
    ),
    "plain numbers and no front matter": Form(
        """# Hostile Review

Read the change as if it were wrong.

Rules:
1. Do NOT guess — bring evidence.
2. Flag a fix that edits the test.
3. Flag tests that pass for no reason (a wrapper that never fires).

Output: a numbered list with severities.
""",
        [
            "do-not-guess",
            "flag-a-fix-that-edits-the-test",
            "flag-tests-that-pass-for-no-reason-a-wrapper-that-never-fires",
        ],
        warnings=("1:1 S002",),
        path="/somewhere/x-review/SKILL.md",
        origin=SkillOrigin.PATH,
    ),
    "one paragraph": Form(FRONT + "\nLook for removed fields in the public structs and name each.\n", []),
    "what to leave alone": Form(
        FRONT
        + """
## Anti-patterns

1. **Broad except.** It hides the cause.
2. **Sleep as a lock.** It is none.

## What to deprioritize

- Formatting
- Import order

## Usually safe

| Pattern | Why it is safe |
|---|---|
| `rm -f "$tmp" || true` | nothing depends on it |
""",
        ["broad-except", "sleep-as-a-lock", "!formatting", "!import-order", "!rm-f-tmp-true"],
    ),
    "a line that heads a list of exclusions": Form(
        FRONT
        + """
## Checklist

- **Races** — x
- **Leaks** — y

**Do not comment on:**

- style
- naming

That is all.
""",
        ["races", "leaks", "!style", "!naming"],
    ),
    "scope by what the diff touches": Form(
        FRONT
        + """
## If the diff touches…

| If the diff touches… | Read |
|---|---|
| `src/models/**`, `src/cache_*.py` | rules for models |
| `setup.py` | packaging |

## Rules

1. Cache keys hold the dtype.
""",
        ["cache-keys-hold-the-dtype"],
        scope=("src/models/**", "src/cache_*.py", "setup.py"),
    ),
    "files of the bundle are no scope": Form(
        FRONT
        + """
## What is in here

| File | Purpose |
|---|---|
| `references/a.md` | the long list |

## Defects

- **One** x
""",
        ["one"],
        warnings=("8:1 S105",),
    ),
    "scope in a table with a category": Form(
        FRONT
        + """
## Files to check by category

| Category | Files to Check |
|---|---|
| auth | `auth/*.py`, `**/session.py` |

## Security issues

- **Tokens in logs** x
""",
        ["tokens-in-logs"],
        scope=("auth/*.py", "**/session.py"),
    ),
    "gates in front matter and in a step": Form(
        """---
name: x-review
description: Reviews changes.
paths: "*.{sh,bash}, tools/"
gates:
  - bash -n <each>
  - curl -s http://host/x
allowed-tools: Bash(git diff *), Read
---

## Procedure

### 1. Gather

```bash
gh pr diff 1
```

### 2. Mechanical checks

```bash
ruff check tools/<each>.py   # lint only
```

### 3. Report

One table.

## Bugs

1. **A.** x
""",
        ["a"],
        scope=("*.{sh,bash}", "tools/**"),
        gates=(
            "parse-only bash -n <each>",
            "refused curl -s http://host/x",
            "parse-only ruff check tools/<each>.py",
        ),
        steps=("**Gather**", "**Mechanical", "**Report**"),
        report="One",
        warnings=("7:5 S009",),
    ),
    "the form of a report under a heading of issues": Form(
        FRONT
        + """
## Checklist

1. **A.** x

## Security issues

1. **[File:Line]** what it is
2. **[File:Line]** what it is
""",
        ["a"],
        warnings=("12:1 S012", "10:1 S012"),
    ),
    "restarted and stitched numbers": Form(
        FRONT
        + """
## Defects, dearest first

1) First. x
```sh
a
```
2) Second. y

Then:

1) Third. z
""",
        ["first", "second", "third"],
        warnings=("9:1 S012", "16:1 S012"),
    ),
}
