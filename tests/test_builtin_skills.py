"""The skills that come with reviewbot: they load clean, share the files out, and find their detectors."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.matcher import Matcher
from reviewbot.core.skill import load_skill
from reviewbot.core.skill.choice import GENERAL
from reviewbot.core.types import Skill, SkillOrigin
from reviewbot.detectors import DETECTORS
from reviewbot.detectors.bind import bind

SKILLS = Path(__file__).parent.parent / "skills"
NAMES = ("launcher-adversarial-review", "quant-pipeline-adversarial-review", "silent-failures")


def builtin(name: str) -> Skill:
    path = SKILLS / name / "SKILL.md"
    skill, diagnostics = load_skill(f"skills/{name}/SKILL.md", path.read_bytes(), SkillOrigin.BUILTIN)
    assert skill is not None, diagnostics
    return skill


LAUNCHER, QUANT, SILENT = map(builtin, NAMES)
GENERAL_SKILL = builtin(GENERAL)


def test_every_folder_is_a_skill_of_its_name():
    assert tuple(sorted(entry.name for entry in SKILLS.iterdir())) == (GENERAL, *NAMES)
    assert tuple(skill.name for skill in (GENERAL_SKILL, LAUNCHER, QUANT, SILENT)) == (GENERAL, *NAMES)


@pytest.mark.parametrize("skill", [LAUNCHER, QUANT, SILENT], ids=NAMES)
def test_it_is_a_model_of_a_skill_file(skill: Skill):
    assert [str(d) for d in skill.diagnostics if d.level != "info"] == []
    defects = [c for c in skill.classes if c.kind == "defect"]
    assert all(c.fix and "Cost: " in c.body for c in defects)
    assert [c.kind for c in skill.classes][-1] == "suppress"
    assert [gate.kind for gate in skill.gates] == ["parse-only"] * 4
    assert [gate.argv[0] for gate in skill.gates] == ["python3", "bash", "shellcheck", "ruff"]
    assert len(skill.steps) == 5
    assert skill.report
    assert skill.guidance


def test_the_general_skill_is_for_a_model_alone():
    assert [str(d) for d in GENERAL_SKILL.diagnostics if d.level != "info"] == []
    assert [c.kind for c in GENERAL_SKILL.classes] == ["defect"] * 10 + ["suppress"]
    assert all(c.fix and "Cost: " in c.body for c in GENERAL_SKILL.classes if c.kind == "defect")
    assert [c.weight.value for c in GENERAL_SKILL.classes[:10]] == ["warning"] * 9 + ["note"]
    assert (GENERAL_SKILL.gates, GENERAL_SKILL.rules, bind(GENERAL_SKILL, DETECTORS.values())) == ((), (), ())
    assert len(GENERAL_SKILL.steps) == 5
    assert GENERAL_SKILL.report
    assert GENERAL_SKILL.guidance


@pytest.mark.parametrize(
    ("path", "claimed"),
    [
        *((path, True) for path in ("src/a.rs", "a.py", "web/App.vue", "db/002_users.sql", "include/x.hpp")),
        *((path, True) for path in ("CMakeLists.txt", "docker/Dockerfile.gpu", ".github/workflows/ci.yml")),
        *((path, False) for path in ("README.md", "package.json", "config.toml", "a/b.yml", "notes.txt")),
    ],
)
def test_the_general_skill_claims_source_files(path: str, claimed: bool):
    assert (Matcher(GENERAL_SKILL.scope).match(path) is not None) is claimed


def test_the_number_of_classes():
    assert [len(skill.classes) for skill in (LAUNCHER, QUANT, SILENT)] == [11, 12, 11]


def test_silent_failures_leaves_out_what_the_launcher_skill_claims():
    launcher = {row.pattern for row in LAUNCHER.scope}
    left_out = {row.pattern[1:] for row in SILENT.scope if row.pattern.startswith("!")}
    assert left_out == launcher


LAUNCHERS = (
    "launch_h200.sh",
    "scripts/run-bench.py",
    "runners/nodes/h100.sh",
    "jobs/train.sbatch",
    "jobs/a.slurm",
    "benchmarks/x/y.py",
    "tools/my_bench.sh",
    "eval_mmlu.py",
    "tools/run_eval.sh",
    "train.py",
    "sweep.sh",
)
REST = (
    "setup.py",
    "retrieval.py",
    "src/restrain.py",
    "ci/build.sh",
    "tests/x.bats",
    ".github/workflows/ci.yml",
    ".github/actions/x/action.yaml",
    ".gitlab-ci.yml",
    "Jenkinsfile",
)
NOBODYS = ("runtime/x.c", "README.md", "launch.json", "run.js", "a/b.yml", "bench.c")


@pytest.mark.parametrize(
    ("paths", "owners"), [(LAUNCHERS, (True, False)), (REST, (False, True)), (NOBODYS, (False, False))]
)
def test_who_claims_what(paths: tuple[str, ...], owners: tuple[bool, bool]):
    tables = Matcher(LAUNCHER.scope), Matcher(SILENT.scope)
    assert {path: tuple(t.match(path) is not None for t in tables) for path in paths} == dict.fromkeys(
        paths, owners
    )


@given(
    st.lists(
        st.sampled_from(["run", "launch", "bench", "eval", "train", "_", "-", "x", "/", "runners/"]),
        max_size=5,
    ),
    st.sampled_from([".sh", ".bash", ".py", ".sbatch", ".slurm"]),
)
def test_a_shell_or_python_file_is_claimed_by_exactly_one_of_the_two(parts: list[str], extension: str):
    path = f"a/{''.join(parts)}x{extension}".replace("//", "/")
    assert (Matcher(LAUNCHER.scope).match(path) is None) != (Matcher(SILENT.scope).match(path) is None)


@pytest.mark.parametrize(
    "path",
    [
        "scripts/convert-q3.sh",
        "make_calib_set.py",
        "tools/gptq_quantize.py",
        "stack_experts.py",
        "x/score-kld.py",
    ],
)
def test_the_quantization_skill_claims_a_campaign(path: str):
    assert Matcher(QUANT.scope).match(path) is not None


@pytest.mark.parametrize("path", ["package.py", "merge_sort.py", "stack.py", "src/quantiles.py", "README.md"])
def test_the_quantization_skill_claims_no_bystanders(path: str):
    assert Matcher(QUANT.scope).match(path) is None


@pytest.mark.parametrize(
    ("skill", "ranks"),
    [
        (
            LAUNCHER,
            {
                "swallowed-failure": 1,
                "masked-exit-code": 5,
                "container-left-running": 7,
                "blind-loop": 4,
                "argument-hole": 6,
                "assert-in-verifier": 10,
                "late-gate": 8,
                "unchecked-artifact": 9,
            },
        ),
        (
            QUANT,
            {
                "masked-exit-code": 6,
                "container-left-running": 4,
                "blind-loop": 2,
                "argument-hole": 3,
                "swallowed-failure": 6,
                "assert-in-verifier": 7,
                "late-gate": 5,
                "unchecked-artifact": 6,
                "warn-and-continue": 8,
                "path-compared-as-string": 11,
                "length-only-identity": 1,
                "repeated-tokenization": 9,
                "substring-for-key": 10,
            },
        ),
        (
            SILENT,
            {
                "swallowed-failure": 1,
                "masked-exit-code": 2,
                "first-file-only": 8,
                "blind-loop": 3,
                "argument-hole": 4,
                "assert-in-verifier": 10,
                "unchecked-artifact": 7,
                "warn-and-continue": 6,
            },
        ),
    ],
    ids=NAMES,
)
def test_its_classes_find_their_detectors(skill: Skill, ranks: dict[str, int]):
    assert {b.detector.id: b.defect.rank for b in bind(skill, DETECTORS.values())} == ranks
