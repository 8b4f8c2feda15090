"""masked-exit-code: the status really is another command's, and behind the edit it is the right one."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewbot.core.rehearse import splice
from reviewbot.core.types import DefectClass, Grade, Skill, SkillOrigin, Text
from reviewbot.detectors.bind import bind
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.masked_exit_code import DETECTOR, find
from reviewbot.detectors.shell.script import ShellFile


def hits(code: str, path: str = "run.sh") -> list[Hit]:
    return list(find(ShellFile(Text(path, code))))


def lines(code: str) -> list[int]:
    return [hit.start_line for hit in hits(code)]


def mended(code: str) -> str:
    text = Text("run.sh", code)
    for hit in reversed(hits(code)):
        if hit.edit:
            text = splice(text, hit.edit)
    return text.content


# --- executed: `work` and whatever else does the work fails, `went_on` says that the script went on ---


def run(code: str, folder: Path | None = None) -> tuple[str, int]:
    stubs = "work() { return 7; }\nwent_on() { echo WENT ON; }\n"
    done = subprocess.run(
        ["bash", "-c", stubs + code], capture_output=True, text=True, cwd=folder, env={"PATH": os.defpath}
    )
    return done.stdout, done.returncode


RELIED_ON = (
    "if work | tail -n 3; then went_on; fi",
    "work | tee log || exit 1\nwent_on",
    "work | cat && went_on",
    "if ! work 2>&1 | sed 's/^/> /'; then exit 1; fi\nwent_on",
    "work | tee log\n[ $? -eq 0 ] || exit 1\nwent_on",
    "work | head -1\nif [[ $? != 0 ]]; then exit 1; fi\nwent_on",
    "set -e\n./work.sh | tee log\nwent_on",
    "set -e\npython3 work.py | awk '{ print $1 }'\nwent_on",
    "logged() { ./work.sh | tee log; }\nlogged || exit 1\nwent_on",
    "out=$(work | tail -1) || exit 1\nwent_on",
    "{ work; } | cut -c1-80 || exit 1\nwent_on",
    "take() { local v=$(work) || return 1; went_on; }\ntake",
    "export V=$(work)\nif [ $? -ne 0 ]; then exit 1; fi\nwent_on",
    "work\necho done\nif [ $? -ne 0 ]; then exit 1; fi\nwent_on",
    "work\nset +x\nrc=$?\n[ $rc -eq 0 ] || exit 1\nwent_on",
    "work &\nif [ $? -ne 0 ]; then exit 1; fi\nwent_on",
    "finish() {\n  true\n  local rc=$?\n  [ $rc -ne 0 ] || went_on\n}\ntrap finish EXIT\nexit 3",
)


@pytest.mark.parametrize("code", RELIED_ON)
def test_what_is_reported_as_strong_goes_on_after_a_failure(code: str, tmp_path: Path):
    output, _ = run(code, tmp_path)
    assert "WENT ON" in output
    assert [hit.grade for hit in hits("work() { python3 work.py; }\n" + code)] == [Grade.STRONG]


PIPED = [c for c in RELIED_ON if " | " in c and "./" not in c and "python3" not in c]


@pytest.mark.parametrize("code", PIPED)
def test_under_pipefail_nothing_is_reported_of_a_pipe_and_the_script_stops(code: str, tmp_path: Path):
    code = f"set -o pipefail\n{code}"
    assert "WENT ON" not in run(code, tmp_path)[0]
    assert hits(code) == []


EDITED = (
    "#!/bin/bash\nwork 2>&1 | tee log\nif [ $? -ne 0 ]; then exit 1; fi\nwent_on",
    "#!/bin/bash\necho x | work | tail -2\nrc=$?\n[ $rc -eq 0 ] || exit $rc\nwent_on",
    "take() {\n    local v=$(work) || return 1\n    went_on\n}\ntake",
    "take() {\n    declare -g V=$(work)\n    [ $? -eq 0 ] || return 1\n    went_on\n}\ntake",
    'export V="$(work)" || exit 1\nwent_on',
)


@pytest.mark.parametrize("code", EDITED)
def test_behind_the_edit_the_status_is_that_of_the_command(code: str, tmp_path: Path):
    code = f"{code}\n"
    assert "WENT ON" in run(code, tmp_path)[0]
    output, status = run(mended(code), tmp_path)
    assert "WENT ON" not in output
    assert status != 0
    assert hits(mended(code)) == []


STAGES = st.lists(
    st.sampled_from(["cat", "tail -n 5", "tee log", "sed s/a/b/", "grep x"]), min_size=1, max_size=3
)
ENDINGS = ("if {}; then went_on; fi", "{} && went_on", "{} || exit 1\nwent_on", "{}\n[ $? -eq 0 ] && went_on")


@settings(max_examples=40, deadline=None)
@given(
    stages=STAGES,
    ending=st.sampled_from(ENDINGS),
    pipefail=st.booleans(),
    handled=st.sampled_from(["", "\n: ${PIPESTATUS[0]}"]),
)
def test_a_pipe_is_reported_only_if_a_failure_on_its_left_is_lost(
    stages: list[str], ending: str, pipefail: bool, handled: str
):
    pipe = " | ".join(["work", *stages])
    code = ("set -o pipefail\n" if pipefail else "") + ending.format(pipe) + handled
    found = hits(f"work() {{ python3 work.py; }}\n{code}")
    if found:
        assert "WENT ON" in run(code.replace("tee log", "tee /dev/null"))[0]
    elif not pipefail and not handled and not stages[-1].startswith("grep"):
        raise AssertionError(f"not reported: {code}")


# --- what decides ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "last", ["tee log", "tail -5", "head -1", "cat", "ts", "sed 's/a/b/'", "awk '{print}'"]
)
def test_these_filters_end_with_0_whatever_they_are_fed(last: str):
    assert lines(f"if make 2>&1 | {last}; then touch ok; fi") == [1]


@pytest.mark.parametrize(
    "last",
    [
        "grep -q ok",
        "awk '/x/ {exit 1}'",
        'awk "$PROGRAM"',
        "awk -f check.awk",
        "./check",
        "cat - more.txt",
        "jq -e .a",
    ],
)
def test_where_the_last_stage_decides_nothing_is_masked(last: str):
    assert lines(f"if make 2>&1 | {last}; then touch ok; fi") == []


@pytest.mark.parametrize(
    "command", ["echo x", "git log --oneline", "nvidia-smi", "log_info hello", "docker images", "pip freeze"]
)
def test_under_errexit_what_only_talks_or_looks_may_fail(command: str):
    assert lines(f"set -e\n{command} | tee out.txt\nmake\n") == []


@pytest.mark.parametrize("right", ["true", ":", "exit 0"])
def test_a_failure_that_is_meant_not_to_matter(right: str):
    assert lines(f"set -e\nmake | tee log || {right}\n./next\n") == []


def test_a_message_alone_is_a_hint():
    assert [h.grade for h in hits("make | tee log || echo 'make failed'\n")] == [Grade.HINT]
    assert [h.grade for h in hits('make | tee log\necho "exit code $?"\n')] == [Grade.HINT]


def test_a_sourced_file_may_set_pipefail():
    code = "{}if make | tee log; then touch ok; fi\n"
    assert [h.grade for h in hits(code.format(""))] == [Grade.STRONG]
    assert [h.grade for h in hits(code.format(". ./lib.sh\n"))] == [Grade.HINT]


def test_the_last_command_decides_in_a_script_of_ci_and_is_a_hint_elsewhere():
    code = "cd tests || exit 1\npytest . | tee report.txt\n"
    paths = (".buildkite/test.sh", "ci/run.sh", "tools/test.sh")
    assert [hits(code, path)[0].grade for path in paths] == [Grade.STRONG, Grade.STRONG, Grade.HINT]


def test_a_later_step_on_what_tee_wrote_is_a_hint_in_a_script_that_reads_statuses():
    code = "cd bench || exit 1\npython3 bench.py | tee bench.log\n./publish bench.log\ndate\n"
    assert [(h.start_line, h.grade) for h in hits(code)] == [(2, Grade.HINT)]
    assert "line 3" in hits(code)[0].failure
    assert hits(code.replace(" || exit 1", "")) == []


def test_two_pipes_and_one_reader_are_one_finding():
    code = 'if [ -n "$A" ]; then\n  make a | tee l\nelse\n  make b | tee l\nfi\nrc=$?\nexit $rc\n'
    (hit,) = hits(code)
    assert (hit.start_line, hit.also) == (2, ((4, 4),))


def test_without_bash_no_array_is_spoken_of():
    code = "#!{}\nmake | tee log\n[ $? -eq 0 ] || exit 1\n"
    (dash,) = hits(code.format("/bin/sh"))
    assert dash.edit is None
    assert "PIPESTATUS[" not in dash.fix
    (bash,) = hits(code.format("/bin/bash"))
    assert bash.edit is not None
    assert bash.edit.replacement == "[ ${PIPESTATUS[0]} -eq 0 ] || exit 1"


@pytest.mark.parametrize(
    "read",
    [
        '[ "$rc" = 0 ]',
        "exit ${rc}",
        "((rc)) && exit 1",
        "[[ rc -ne 0 ]]",
        "let rc*=2",
        "rm x || exit $((rc))",
    ],
)
def test_a_status_that_is_kept_counts_when_its_variable_is_read_later(read: str):
    assert lines(f"make | tee log\nrc=$?\n{read}\n") == [1]
    assert lines(f"{read}\nmake | tee log\nrc=$?\n") == []


def test_a_kept_status_is_read_in_the_next_round_or_by_a_function():
    assert lines("while next; do\n  [ $rc = 0 ]\n  make | tee log\n  rc=$?\ndone\n") == [3]
    assert lines("bye() { exit $rc; }\ntrap bye EXIT\nmake | tee log\nrc=$?\n") == [3]


def test_a_kept_status_that_is_only_told_is_a_hint():
    assert [h.grade for h in hits('make | tee log\nrc=$?\necho "make: $rc"\n')] == [Grade.HINT]
    assert [h.grade for h in hits("make | tee log\nrc=$?\necho bye; exit $rc\n")] == [Grade.STRONG]


def test_under_errexit_pipefail_is_no_way_to_read_the_status():
    code = "{}make | tee log\nrc=$?\nexit $rc\n"
    assert "pipefail" in hits(code.format(""))[0].fix
    (hit,) = hits(code.format("set -e\n"))
    assert "pipefail" not in hit.fix
    assert "PIPESTATUS[0]" in hit.fix


def test_every_stage_that_works_is_to_be_tested():
    (hit,) = hits("sed s/a/b/ f | ./count | ./prune | gzip > m.gz || exit 1\n")
    assert "`${rc[1]}` and `${rc[2]}`" in hit.fix
    assert "rc[" not in hits("sed s/a/b/ f | ./count | gzip > m.gz || exit 1\n")[0].fix


def test_a_pipe_that_the_grammar_reads_on_behind_its_guard_ends_where_it_ends():
    code = "if a; then\n  ./x f | ./y | \\\n    ./z | gzip > m || exit 1\nelse\n  echo >&2 no\nfi\n"
    (hit,) = hits(code)
    assert (hit.start_line, hit.line) == (2, 3)


def test_a_filter_of_perl_is_not_named_for_the_command_in_front_of_it():
    (hit,) = hits("./make-list | perl -ne 'print if /a/' | gzip > list.gz || exit 1\n")
    assert "`./make-list`" in hit.failure
    (hit,) = hits("./list | perl -ne 'system q(make)' | gzip > list.gz || exit 1\n")
    assert "`perl" in hit.failure


def test_of_a_job_that_runs_on_the_fix_asks_whether_it_lives():
    (hit,) = hits("./record &\nif [ $? -ne 0 ]; then exit 1; fi\nsleep 9\nwhile :; do ./cut; done\n")
    assert 'kill -0 "$pid" || exit 1' in hit.fix


def test_many_statuses_that_are_kept_are_read_in_one_pass():
    rows = "".join(f"make a | tee log\nrc{n}=$?\n[ $rc{n} = 0 ]\n" for n in range(2000))
    assert len(hits(rows)) == 2000


def test_of_head_the_fix_does_not_speak_for_pipefail():
    assert "141" in hits("if make | head -3; then touch ok; fi")[0].fix


@pytest.mark.parametrize(
    "code",
    [
        "diff=$(git diff --quiet)$?\nset +e\n",
        "make\nset +e\ndiff=$(git diff --quiet)$?\n",
        "trap 'rc=$?; rm -f x' EXIT\n",
        "echo x > /proc/y\n[ $? -eq 0 ] || exit 1\n",
        "make; cd build; [ $? -eq 0 ] || exit 1\n",
        "x=$(make)\n[ $? -eq 0 ] || exit 1\n",
    ],
)
def test_the_status_that_is_read_is_the_one_that_is_meant(code: str):
    assert lines(code) == []


def test_the_pipe_behind_a_heredoc_is_read_where_the_grammar_hides_it():
    code = "set -e\npython3 - <<'EOF' 2>&1 | tee log\nprint(1)\nEOF\nmake\n"
    assert lines(code) == [2]
    assert lines(f"set -o pipefail\n{code}") == []


def test_functions_that_call_each_other_end():
    code = "a() { b | tee x; b; }\nb() { a; }\na || exit 1\n"
    assert isinstance(hits(code), list)


def test_a_script_of_nothing_but_pipes_is_read_in_one_pass():
    row = "make a | tee log; if [ $? -ne 0 ]; then exit 1; fi\n"
    assert len(hits(row * 3000)) == 3000


# --- faults that were found: edits that break a script -----------------------------------------


def edits(code: str) -> list[str | None]:
    return [hit.edit.replacement if hit.edit else None for hit in hits(code)]


@pytest.mark.parametrize(
    ("asks", "edited"),
    [
        ("notify 'exit $? =' \"$?\"", "notify 'exit $? =' \"${PIPESTATUS[0]}\""),
        (
            '[ "$?" -ne 0 -a ${?} != 3 ] && exit 1',
            '[ "${PIPESTATUS[0]}" -ne 0 -a ${PIPESTATUS[0]} != 3 ] && exit 1',
        ),
        ("notify \"it's $?, isn't it\"", "notify \"it's ${PIPESTATUS[0]}, isn't it\""),
        ("notify \\$? $'\\'$?' $$? $?", "notify \\$? $'\\'$?' $$? ${PIPESTATUS[0]}"),
        ("if [ $? -ne 0 ]; then exit $?; fi", None),  # the second is the status of `[`
        ("notify $? $(date) $?", None),
    ],
)
def test_the_edit_replaces_every_status_that_is_expanded_and_no_other(asks: str, edited: str | None):
    assert edits(f"#!/bin/bash\nmake | tee log\n{asks}\n") == [edited]


def test_a_status_in_single_quotes_alone_asks_nothing():
    assert hits("#!/bin/bash\nmake | tee log\nnotify 'exit $?'\n") == []


TAGGED = "export TAG=$(make tag)\nif [ $? -ne 0 ]; then TAG=dev; fi\n"


@pytest.mark.parametrize("start", ["set -euo pipefail\n", "#!/bin/bash -e\n", ". ./lib.sh\n"])
def test_under_errexit_no_edit_lets_an_assignment_end_the_script_before_its_handler(start: str):
    (hit,) = hits(start + TAGGED)
    assert hit.edit is None
    assert "`TAG=$(…) || …`" in hit.fix
    body = TAGGED.replace("export", "local").replace("\n", "\n  ")
    assert edits(f"{start}f() {{\n  {body}\n}}\nf\n") == [None]
    assert edits(TAGGED) == ["export TAG\nTAG=$(make tag)"]


@pytest.mark.parametrize(
    "closer", ["head -3", "head -3 | tee log", "grep -m1 x | cat", "grep -q x | tee log", "sed 3q"]
)
def test_in_front_of_what_stops_reading_no_edit_takes_sigpipe_for_a_failure(closer: str):
    (hit,) = hits(f"#!/bin/bash\ndpkg -l | {closer}\nif [ $? -ne 0 ]; then exit 1; fi\n")
    assert hit.edit is None
    assert "141" in hit.fix


# --- faults that were found: what is judged or shown, and what is not ---------------------------


@pytest.mark.parametrize(
    "judge", ["grep -q PASSED log", "date\ngrep -q PASSED log", "test -f x.whl", "[ -s x.whl ]"]
)
def test_under_errexit_a_bare_test_behind_the_pipe_is_its_judge(judge: str):
    assert lines(f"set -e\nmake test | tee log\n{judge}\n") == []


@pytest.mark.parametrize(
    "other", ["! grep -q FAILED log", "date\ngrep -q PASSED other", "test -f x || true", "date\ntest -f x"]
)
def test_what_cannot_stop_the_script_or_looks_elsewhere_is_no_judge(other: str):
    assert lines(f"set -e\nmake test | tee log\n{other}\n") == [2]


@pytest.mark.parametrize(
    "shows",
    [
        "cargo tree | head",
        "npm ls | head -20",
        "make -n | head",
        "helm template . | head",
        "dump | tee env.txt",
    ],
)
def test_under_errexit_what_is_only_shown_may_be_cut(shows: str):
    assert lines(f"set -e\ndump() {{ env; uname -a; }}\n{shows}\nmake\n") == []


def test_a_function_that_works_is_not_taken_for_one_that_prints():
    assert lines("set -e\nwork() { echo start; python3 work.py; }\nwork | tee log\nmake\n") == [3]
    assert lines("set -e\na() { b; }\nb() { a; }\na | tee log\nmake\n") == [4]


@pytest.mark.parametrize(
    "behind",
    [
        "# PIPESTATUS[0] would tell",
        "[ ${PIPESTATUS[1]} -eq 0 ]",  # that of `tee`
        "date\nmake other | head\nrc=${PIPESTATUS[0]}",
        "true\nrc=${PIPESTATUS[0]}",
    ],
)
def test_pipestatus_that_is_not_of_this_stage_or_pipe_silences_nothing(behind: str):
    assert 2 in lines(f"set -e\nmake | tee log\n{behind}\n")


@pytest.mark.parametrize(
    "behind",
    [
        "\n# kept\nrc=${PIPESTATUS[0]}",
        " || rc=${PIPESTATUS[0]}",
        ' || true; rc=("${PIPESTATUS[@]}")',
        "\n(( PIPESTATUS[0] == 0 )) || exit 1",
        "\nfor rc in ${PIPESTATUS[*]}; do exit $rc; done",
    ],
)
def test_pipestatus_of_the_next_command_is_that_of_the_pipe(behind: str):
    assert lines(f"set -e\nmake | tee log{behind}\n") == []


def test_pipestatus_behind_another_branch_is_that_of_both_pipes():
    branches = "if a; then\n  make a | tee log\nelse\n  make b | tee log\nfi\n"
    assert lines(f"set -e\n{branches}rc=${{PIPESTATUS[0]}}\n") == []
    assert lines(f"set -e\n{branches}date\n") == [3, 5]


def test_pipestatus_read_behind_an_echo_is_that_of_the_echo(tmp_path: Path):
    code = "work | tee log\necho done; exit ${PIPESTATUS[0]}\n"
    assert run(code, tmp_path) == ("done\n", 0)
    (hit,) = hits(code)
    assert (hit.start_line, hit.grade) == (2, Grade.STRONG)
    assert "`echo done`" in hit.failure
    assert hits('work | tee log\necho "rc ${PIPESTATUS[0]}"; exit ${PIPESTATUS[0]}\n') == []


@pytest.mark.parametrize("between", ["log made", "cat out.txt", "tail -n 5 out.txt"])
def test_a_function_that_prints_or_the_log_itself_stands_between(between: str):
    code = 'log() { echo "$(date) $*"; }\nmake > out.txt 2>&1\n{}\nif [ $? -ne 0 ]; then exit 1; fi\n'
    assert lines(code.replace("{}", between)) == [4]
    assert lines(code.replace("{}", "cat other.txt")) == []


def test_the_last_of_several_declared_names_is_the_one_that_is_meant():
    (hit,) = hits("f() {\n  local a=1 b=$(make x) c=\n  if [ $? -ne 0 ]; then return 1; fi\n}\nf\n")
    assert "`local b=$(…)`" in hit.failure
    assert hit.edit is None


# --- which class it speaks for ----------------------------------------------------------------


@pytest.mark.parametrize(
    "title",
    [
        "`tee` hides the exit status",
        "Pipelines without pipefail",
        "Masked return values",
        "Exit codes swallowed by a pipe",
        "The exit status is lost in a pipe",
        "`$?` read too late",
        "A pipe that eats the failure",
        "The return code of the wrong command",
        "Piping into `tee` without `PIPESTATUS`",
    ],
)
def test_it_finds_its_class_in_a_skill_of_somebody_else(title: str):
    classes = (
        DefectClass(1, "a", "A failed step does not stop the run", "No `set -euo pipefail`, no `|| exit 1`."),
        DefectClass(2, "b", "Unquoted variables", "Word splitting of `$FILES`."),
        DefectClass(3, "c", title, ""),
        DefectClass(4, "d", "Waits without a limit", ""),
    )
    skill = Skill("s", "", "SKILL.md", SkillOrigin.PATH, "0", classes=classes)
    assert [b.defect.slug for b in bind(skill, [DETECTOR])] == ["c"]


@pytest.mark.parametrize(
    "title",
    ["Unquoted variables", "Race conditions in the pipeline", "Hard-coded paths", "Missing error handling"],
)
def test_it_leaves_other_classes_alone(title: str):
    skill = Skill(
        "s", "", "S", SkillOrigin.PATH, "0", classes=(DefectClass(1, "x", title, "set -o pipefail"),)
    )
    assert bind(skill, [DETECTOR]) == ()
