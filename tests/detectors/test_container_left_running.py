"""container-left-running: which containers, which ways out, and which words."""

from __future__ import annotations

import pytest

from reviewbot.core.types import DefectClass, Grade, Skill, SkillOrigin, Text
from reviewbot.detectors.bind import bind
from reviewbot.detectors.container_left_running import DETECTOR, find
from reviewbot.detectors.container_left_running.containers import ENDS
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.shell.script import ShellFile


def hits(code: str) -> list[Hit]:
    return list(find(ShellFile(Text("run.sh", code))))


BEHIND = "python3 bench.py\n"


@pytest.mark.parametrize(
    "options",
    [
        "--rm --name c --gpus all",
        "--rm --name=c --gpus=all",
        '--name "$C" --runtime nvidia',
        "--rm --name c --device /dev/kfd --device /dev/dri",
        "--rm --name c --device nvidia.com/gpu=all",
        "--rm --name c -e NVIDIA_VISIBLE_DEVICES=0",
        "--rm -v a:b -p 80:80 --name c --gpus '\"device=0\"'",
        "--rm $OPTIONS --name c --gpus all",
    ],
)
def test_a_named_container_with_a_gpu_that_nobody_ends(options: str):
    assert [h.grade for h in hits(f'docker run {options} "$IMAGE" serve\n{BEHIND}')] == [Grade.STRONG]


@pytest.mark.parametrize(
    "options",
    [
        "--rm --gpus all",  # nothing to remove it by
        "-it --rm --name c --gpus all",  # somebody sits in front of it
        "--rm --tty --name c --gpus all",
        "-d --restart always --name c --gpus all",  # a service
        "--rm --name c",  # a tool
        "--rm img --name c --gpus all",  # these are arguments of the program in it
    ],
)
def test_containers_of_other_kinds(options: str):
    assert hits(f"docker run {options} img\n{BEHIND}") == []


@pytest.mark.parametrize("behind", ["", "./wait_ready.sh\n", "curl -sf localhost:8000/health\n"])
def test_a_detached_container_is_a_service_unless_the_script_goes_on_to_work_with_it(behind: str):
    start = f"docker run -d --name c --gpus all img\n{behind}"
    assert hits(start) == []
    assert [h.grade for h in hits(start + BEHIND)] == [Grade.HINT]
    assert hits(BEHIND + start) == []


@pytest.mark.parametrize(
    "end",
    [
        "docker rm -f c",
        "docker kill c",
        "docker container rm -f c",
        'sudo docker stop "$C" || true',
        '"${DOCKER[@]}" rm -f "$C"',
        "$CONTAINER_ENGINE rm -f c",
        "docker ps -q | xargs -r docker rm -f",
        "docker compose -f x.yml down",
    ],
)
def test_whatever_ends_a_container_in_a_trap_silences_it(end: str):
    trap = f"cleanup() {{\n    {end}\n}}\ntrap cleanup EXIT\n"
    assert hits(f"{trap}docker run --rm --name c --gpus all img\n{BEHIND}") == []


@pytest.mark.parametrize(
    "line", ["docker rmi old", "docker stopped", "rm -f docker.log", "docker image prune"]
)
def test_what_ends_none(line: str):
    assert len(hits(f"{line}\ndocker run --rm --name c --gpus all img\n{BEHIND}")) == 1


def test_the_last_command_of_a_script_is_a_hint():
    assert [h.grade for h in hits("docker run --rm --name c --gpus all img\n")] == [Grade.HINT]


def test_a_library_may_end_it():
    code = f"source ./lib.sh\ndocker run --rm --name c --gpus all img\n{BEHIND}"
    assert [h.grade for h in hits(code)] == [Grade.HINT]


def test_a_new_trap_must_not_replace_that_of_a_sourced_file():
    code = f"{{}}docker run --rm --name c --gpus all img\n{BEHIND}"
    assert "line 1 sources" in hits(code.format(". ./lib.sh\n"))[0].fix
    assert "trap -p" not in hits(code.format(""))[0].fix


def test_the_handler_that_forgets_it_is_named():
    handler = "restore() {\n    systemctl start inference\n}\ntrap restore EXIT\n"
    code = f"{handler}podman run --rm --name c --gpus all img\n"
    (hit,) = hits(code)
    assert (hit.start_line, hit.grade) == (5, Grade.STRONG)
    assert "`restore` at line 1" in hit.failure
    assert "`podman rm -f c` before the start, and as the first command of `restore`" in hit.fix
    assert [claim.pattern for claim in hit.claims] == [ENDS]


def test_a_stop_at_the_end_alone_is_a_hint_where_the_script_may_leave_before():
    code = "docker run -d --name c --gpus all img\n{}docker stop c\n"
    assert hits(code.format("./bench\n")) == []
    assert [h.grade for h in hits(code.format("./wait || exit 1\n"))] == [Grade.HINT]
    assert hits(code.replace("img", "img || exit 1").format("./bench\n")) == []
    assert hits("trap 'docker rm -f c' EXIT\n" + code.format("./wait || exit 1\n")) == []


def test_a_line_of_engines_is_searched_in_one_pass():
    code = (
        f"# {'docker' * 30_000}\n# {'compose ' * 20_000}\ndocker run --rm --name c --gpus all img\n{BEHIND}"
    )
    assert len(hits(code)) == 1


@pytest.mark.parametrize(
    "title",
    [
        "Containers left behind",
        "Leaked containers",
        "A container that survives its script",
        "Cleanup that leaves the GPU busy",
        "Orphaned docker containers",
        "A job that keeps the accelerators after it was killed",
        "Stale containers",
        "A server which outlives its launcher",
    ],
)
def test_it_finds_its_class_in_a_skill_of_somebody_else(title: str):
    classes = (
        DefectClass(1, "a", "A failed step does not stop the run", "The container starts all the same."),
        DefectClass(2, "b", "Preconditions behind the expensive phase", "A leftover container name."),
        DefectClass(3, "c", title, ""),
        DefectClass(4, "d", "A masked exit code", "`docker build | tail`"),
    )
    skill = Skill("s", "", "SKILL.md", SkillOrigin.PATH, "0", classes=classes)
    assert [b.defect.slug for b in bind(skill, [DETECTOR])] == ["c"]


@pytest.mark.parametrize(
    "title",
    [
        "Secrets in container images",
        "GPU memory fragmentation",
        "Missing traps",
        "Files left open",
        "Dead code",
    ],
)
def test_it_leaves_other_classes_alone(title: str):
    skill = Skill(
        "s", "", "S", SkillOrigin.PATH, "0", classes=(DefectClass(1, "x", title, "see `docker run`"),)
    )
    assert bind(skill, [DETECTOR]) == ()


GPU_SERVER = "docker run -d --name vllm --gpus all img\n"


@pytest.mark.parametrize(
    "told",
    [
        'echo "stop it with: docker rm -f vllm"',
        "printf 'docker stop vllm\\n'",
        "# docker rm -f vllm",
        'usage() { echo "then: docker kill vllm"; }',
    ],
)
def test_what_is_only_told_of_an_end_ends_nothing(told: str):
    assert [h.grade for h in hits(f"trap 'rm -f x' EXIT\n{GPU_SERVER}{told}\n{BEHIND}")] == [Grade.STRONG]


def test_an_end_behind_an_echo_is_one():
    assert hits(f"trap 'echo \"bye\"; docker rm -f vllm' EXIT\n{GPU_SERVER}{BEHIND}") == []


@pytest.mark.parametrize(
    "value", ["${CTR:-docker}", "docker", '"${CTR:-podman}"', "$(command -v docker)", "/usr/bin/docker"]
)
def test_a_variable_that_names_the_engine_ends_the_container(value: str):
    assert hits(f"CTR={value}\ntrap '$CTR rm -f vllm' EXIT\n{GPU_SERVER}{BEHIND}") == []


def test_a_variable_that_names_no_engine_ends_nothing():
    assert len(hits(f"CTR=git\ntrap '$CTR rm -f vllm' EXIT\n{GPU_SERVER}{BEHIND}")) == 1
