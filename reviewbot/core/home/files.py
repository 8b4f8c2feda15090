"""The configuration and the workflow that `reviewbot init` writes."""

from __future__ import annotations

CONFIG_PATH = ".reviewbot/config.toml"
WORKFLOW_PATH = ".github/workflows/reviewbot.yml"

CONFIG = """\
# What a review of this repository may do. A review reads this file at the base commit, so a change
# cannot loosen the rules it is judged by. What is commented out is the default.

# [check]
# fail_on = "never"      # or "note", "warning", "blocker": findings from there on fail the check

# [skills]
# use = []               # skills of other agents that shall review too, by name
# disable = []           # built-in skills that shall not; `reviewbot skills list` names them

# [gates]
# execute = true         # false: commands of a skill that execute code are skipped
# timeout = 120          # seconds, for each run

# [model]                # asked only where ANTHROPIC_API_KEY or a `provider` is given
# max_usd = 1.00         # of one review
"""

_WORKFLOW = """\
# Reviews each pull request, and says what was found in its summary and on its lines. Without a key it
# works with detectors and gates; a repository secret ANTHROPIC_API_KEY turns the model on.
name: reviewbot

on:
  pull_request:

permissions: {}

concurrency:
  group: reviewbot-${{ github.event.pull_request.number }}
  cancel-in-progress: true

jobs:
  review:
    runs-on: ubuntu-latest
    timeout-minutes: 20
    permissions:
      contents: read # the change
      pull-requests: write # the review
      issues: write # the summary comment
      checks: write # the check run
    steps:
"""

# The change is fetched as data; only an action that lies in the repository itself needs a checkout.
_CHECKOUT = """\
      - uses: actions/checkout@8e8c483db84b4bee98b60c0593521ed34d9990e8 # v6.0.1
        with:
          persist-credentials: false
"""

_ACTION = """\
      - uses: @ACTION@
        with:
          anthropic-api-key: ${{ secrets.ANTHROPIC_API_KEY }}
"""

_PIP = """\
      - uses: actions/setup-python@e797f83bcb11b83ae66e0230d6156d7c80228e7c # v6.0.0
        with:
          python-version: "3.13"
      - run: pip install 'reviewbot[github,llm]==@VERSION@'
      - run: reviewbot action
        env:
          GITHUB_TOKEN: ${{ github.token }}
          ANTHROPIC_API_KEY: ${{ secrets.ANTHROPIC_API_KEY }}
"""


def workflow(action: str, version: str) -> str:
    """The workflow: by the action where its address is known (`./…`, or `OWNER/REPO/…@COMMIT`), else by
    this version of the package."""
    if not action:
        return _WORKFLOW + _PIP.replace("@VERSION@", version)
    if action.startswith("./"):  # the newer form, `$/…`, is an error to actionlint 1.7
        own = f"{action} # zizmor: ignore[self-repository]"
        return _WORKFLOW + _CHECKOUT + _ACTION.replace("@ACTION@", own)
    return _WORKFLOW + _ACTION.replace("@ACTION@", action)
