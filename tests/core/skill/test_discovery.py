"""The search for skills, in folders that are made up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.skill.discovery import (
    MAX_ASTRAY,
    MAX_DEPTH,
    MAX_FOLDERS,
    Entry,
    Fault,
    Search,
    search,
)
from reviewbot.core.skill.loaded import Loaded, load
from reviewbot.core.types import SkillOrigin

TEXT = "---\nname: {name}\ndescription: A review.\n---\n## Defect classes\n1. **{title}.** Bad. Fix: no.\n"
AWAY = Fault("S010", "a link out of the repository")


class Folders:
    """A Place that holds texts by path, and faults. It counts what is listed and read."""

    def __init__(self, files: Mapping[str, str | Fault]) -> None:
        self.files = dict(files)
        self.listed: list[str] = []
        self.read_paths: list[str] = []

    def entries(self, folders: Sequence[str]) -> list[Mapping[str, Entry] | Fault]:
        self.listed += folders
        return [self._entries(folder) for folder in folders]

    def _entries(self, folder: str) -> Mapping[str, Entry] | Fault:
        start = f"{folder}/" if folder else ""
        entries: dict[str, Entry] = {}
        for path, content in self.files.items():
            if path.startswith(start):
                name, _, below = path[len(start) :].partition("/")
                entries[name] = "folder" if below else content if isinstance(content, Fault) else "file"
        return entries

    def read(self, paths: Sequence[str]) -> list[bytes | Fault]:
        self.read_paths += paths
        contents = [self.files[path] for path in paths]
        return [content if isinstance(content, Fault) else content.encode() for content in contents]


def skill(name: str, title: str = "A class") -> str:
    return TEXT.format(name=name, title=title)


def found(files: Mapping[str, str | Fault], *roots: str) -> Search:
    return search(Folders(files), roots or ("skills",))


def loaded(files: Mapping[str, str | Fault], *roots: str) -> tuple[Loaded, ...]:
    place = Folders(files)
    return load(place, search(place, roots or ("skills",)), SkillOrigin.BASE)


def said(rows: Sequence[Loaded]) -> list[str]:
    return [f"{d.path} {d.code} {d.level}" for row in rows for d in row.diagnostics if d.level != "info"]


def test_skills_come_in_the_order_of_their_roots():
    files = {f"{root}/{name}/SKILL.md": skill(name) for root in ("b", "a") for name in ("y", "x")}
    paths = [s.path for s in found(files, "b", "a", "nothing").skills]
    assert paths == ["b/x/SKILL.md", "b/y/SKILL.md", "a/x/SKILL.md", "a/y/SKILL.md"]


def test_of_a_skill_only_its_file_and_its_rules_are_read():
    others = ("references/a.md", "scripts/b/c.sh", "rules/note.md", "run.sh", "SKILL.md.orig")
    files = {f"skills/x/{name}": "x" for name in others}
    place = Folders(files | {"skills/x/SKILL.md": skill("x"), "skills/x/rules/r.yml": "id: r"})
    (own,) = search(place, ("skills",)).skills
    load(place, search(place, ("skills",)), SkillOrigin.BASE)
    assert set(own.names or ()) == {*others, "SKILL.md", "rules/r.yml"}
    assert place.read_paths == ["skills/x/SKILL.md", "skills/x/rules/r.yml"]


def test_what_may_be_a_rule_in_the_wrong_place_is_read_up_to_a_limit():
    rule = "id: a\nlanguage: bash\nrule: {kind: word}\n"
    files: dict[str, str | Fault] = {f"skills/x/{n:02}.yml": rule for n in range(30)}
    place = Folders(files | {"skills/x/SKILL.md": skill("x")})
    (row,) = load(place, search(place, ("skills",)), SkillOrigin.BASE)
    assert len(place.read_paths) == 1 + MAX_ASTRAY
    assert [d.code for d in row.diagnostics].count("R001") == MAX_ASTRAY


def test_a_dead_link_that_may_be_no_rule_does_no_harm():
    (row,) = loaded({"skills/x/SKILL.md": skill("x"), "skills/x/a.yml": AWAY})
    assert row.skill is not None
    assert said([row]) == []


def test_cases_of_a_skill_are_not_even_listed():
    place = Folders(
        {"skills/x/SKILL.md": skill("x")}
        | {f"skills/x/cases/{n}/head/skills/y/SKILL.md": skill("y") for n in range(500)}
    )
    assert [s.path for s in search(place, ("skills",)).skills] == ["skills/x/SKILL.md"]
    assert place.listed == ["skills", "skills/x"]


def test_a_folder_called_cases_outside_of_a_skill_is_searched():
    assert [s.path for s in found({"skills/cases/x/SKILL.md": skill("x")}).skills] == [
        "skills/cases/x/SKILL.md"
    ]


def test_folders_of_others_are_skipped():
    files = {
        f"skills/{folder}/x/SKILL.md": skill("x")
        for folder in (".git", "node_modules", "vendor", "tests/fixtures")
    }
    assert found(files) == Search((), ())


def test_what_lies_too_deep_is_said():
    deep = "/".join(["skills", *"abcdefg"[:MAX_DEPTH]])
    assert found({f"{deep}/SKILL.md": ""}).missed == ()
    search = found({f"{deep}/h/SKILL.md": ""})
    assert search.skills == ()
    assert [(d.path, d.code, d.level) for d in search.missed] == [("skills/", "S001", "error")]


def test_folders_past_the_limit_are_said_and_the_nearest_are_searched():
    files = {f"skills/{n:05}/deep/SKILL.md": "" for n in range(MAX_FOLDERS)} | {"skills/zz/SKILL.md": ""}
    search = found(files)
    assert [d.message for d in search.missed] == ["more than 2,000 folders: not all were searched"]
    assert len(search.skills) == 0
    assert "skills/zz/SKILL.md" in [s.path for s in found(dict(list(files.items())[1:])).skills]


def test_a_limit_of_one_root_is_none_of_another():
    files = {f"big/{n:05}/x": "" for n in range(MAX_FOLDERS + 5)} | {"own/a/SKILL.md": ""}
    assert [s.path for s in found(files, "big", "own").skills] == ["own/a/SKILL.md"]


def test_very_many_faults_are_counted():
    search = found({f"skills/{n:03}": AWAY for n in range(200)})
    assert len(search.missed) == 51
    assert search.missed[-1].message == "150 more files or folders like this one were not read"


def test_a_link_out_is_an_error_where_a_skill_may_be_behind_it():
    files: dict[str, str | Fault] = {
        "skills/away": AWAY,
        "skills/x/SKILL.md": AWAY,
        "skills/y/SKILL.md": skill("y"),
        "skills/y/references": AWAY,
        "skills/z/SKILL.md": skill("z"),
        "skills/z/rules": AWAY,
        "skills/w/SKILL.md": skill("w"),
        "skills/w/rules/a.yml": AWAY,
        "skills/pipe": Fault("S001", "not a regular file"),
    }
    rows = loaded(files)
    assert [row.skill.name for row in rows if row.skill] == ["y"]
    assert said(rows) == [
        "skills/w/rules/a.yml S010 error",
        "skills/z/rules S010 error",
        "skills/away/SKILL.md S010 error",
        "skills/x/SKILL.md S010 error",
    ]


def test_a_folder_called_as_a_skill_file_is_an_error():
    assert said(loaded({"skills/x/SKILL.md/a": ""})) == ["skills/x/SKILL.md S001 error"]


def test_other_spellings_of_the_name_are_read_and_said():
    rows = loaded({"skills/x/skill.md": skill("x"), "skills/y/SKILL.md": skill("y"), "skills/y/skill.MD": ""})
    assert [row.skill.name for row in rows if row.skill] == ["x", "y"]
    assert said(rows) == ["skills/x/skill.md S101 warning", "skills/y/SKILL.md S101 warning"]


def test_two_skills_of_one_name_in_one_root_are_both_errors():
    rows = loaded({"skills/x/SKILL.md": skill("x"), "skills/y/SKILL.md": skill("x", "Another")})
    assert [row.skill for row in rows] == [None, None]
    assert said(rows)[0] == "skills/x/SKILL.md S011 error"
    assert "skills/y/SKILL.md is called `x` too" in rows[0].diagnostics[0].message
    assert "skills/x/SKILL.md is called `x` too" in rows[1].diagnostics[0].message


def test_of_two_roots_the_first_comes_first_and_the_other_says_so():
    rows = loaded({"a/x/SKILL.md": skill("x"), "b/x/SKILL.md": skill("x", "Another")}, "a", "b")
    assert [row.path for row in rows if row.skill] == ["a/x/SKILL.md", "b/x/SKILL.md"]
    assert said(rows) == ["b/x/SKILL.md S011 warning"]
    assert rows[1].skill is not None
    assert rows[1].skill.diagnostics == rows[1].diagnostics


def test_the_same_content_twice_is_one_skill():
    files = {path: skill("x") for path in ("a/x/SKILL.md", "a/y/SKILL.md", "b/x/SKILL.md")}
    rows = loaded(files, "a", "b")
    assert [row.path for row in rows] == ["a/x/SKILL.md"]


def test_a_broken_rule_does_not_take_its_skill_along():
    rows = loaded({"skills/x/SKILL.md": skill("x"), "skills/x/rules/r.yml": "id: [\n"})
    assert rows[0].skill is not None
    assert [d.level for d in rows[0].diagnostics if d.path == "skills/x/rules/r.yml"] == ["error"]


PARTS = st.sampled_from(["a", "b", "SKILL.md", "skill.md", "rules", "cases", "x.yml", "vendor"])


@given(st.lists(st.lists(PARTS, min_size=1, max_size=8).map("/".join), max_size=12))
def test_every_skill_file_is_found_or_said_or_lies_in_a_skipped_folder(paths: list[str]):
    files = {f"skills/{path}": skill("x") for path in paths}
    folders = {f"skills/{path.rpartition('/')[0]}" for path in paths}
    files = {path: text for path, text in files.items() if not any(f.startswith(f"{path}/") for f in folders)}
    files = {path: text for path, text in files.items() if path not in folders}
    result = found(files)
    spoken_of = {s.path for s in result.skills} | {d.path for d in result.missed}
    for path in files:
        *parents, name = path.split("/")
        inner = {"vendor", "cases", "SKILL.md", "skill.md"} & set(parents)
        if name == "SKILL.md" and not inner:
            assert path in spoken_of or "skills/" in spoken_of


def test_the_rules_of_a_skill_at_the_deepest_level_are_not_dropped_silently():
    deep = "/".join(["skills", *"abcdefg"[:MAX_DEPTH]])
    (row,) = loaded({f"{deep}/SKILL.md": skill("deep"), f"{deep}/rules/r.yml": "x"})
    assert row.skill is None
    assert said([row]) == [f"{deep}/rules S001 error"]
    (row,) = loaded({f"{deep}/SKILL.md": skill("deep"), f"{deep}/references/r.md": "x"})
    assert row.skill is not None


def test_a_skill_file_below_the_folder_of_a_skill_is_none():
    files = {"skills/a/SKILL.md": skill("a"), "skills/a/references/x/SKILL.md": skill("b")}
    (own,) = found(files).skills
    assert own.names == ("SKILL.md", "references/x/SKILL.md")
    assert [d.message for d in own.notes] == ["`references/x/SKILL.md` below it is not read"]


def test_a_fault_of_a_folder_below_the_rules_is_one_of_the_skill():
    (row,) = loaded({"skills/a/SKILL.md": skill("a"), "skills/a/rules/shell": AWAY})
    assert row.skill is None
    assert said([row]) == ["skills/a/rules/shell S010 error"]


def test_a_skill_file_at_the_top_of_a_root_hides_no_skill_below():
    search = found({"skills/SKILL.md": skill("top"), "skills/a/SKILL.md": skill("a")})
    assert [s.path for s in search.skills] == ["skills/SKILL.md", "skills/a/SKILL.md"]
