"""Something stands between a command and its exit status: a filter, `local`, an `echo`, `&`.

Reported is what somebody relies on: a condition, `&&`, `||`, `$?`, errexit, the caller of the
script. A pipe into `tee` whose status nobody wanted is no defect, and there are thousands.
"""

from __future__ import annotations

from collections.abc import Iterator

from reviewbot.core.language import interpreter
from reviewbot.core.types import Edit, Grade
from reviewbot.detectors.contract import Detector, Hit, Word
from reviewbot.detectors.masked_exit_code.between import Between, Late
from reviewbot.detectors.masked_exit_code.declarations import Declarations, Declared
from reviewbot.detectors.masked_exit_code.examples import BAD, GOOD
from reviewbot.detectors.masked_exit_code.pipes import Pipes
from reviewbot.detectors.masked_exit_code.proof import of_declaration, of_late, of_pipe
from reviewbot.detectors.masked_exit_code.readers import Readers, Reading, expanded
from reviewbot.detectors.masked_exit_code.reliance import Masked, Reliance
from reviewbot.detectors.masked_exit_code.work import Trade
from reviewbot.detectors.shell.errexit import Setting
from reviewbot.detectors.shell.facts import Facts, label
from reviewbot.detectors.shell.guard import whole_command
from reviewbot.detectors.shell.script import ShellFile, innermost
from reviewbot.detectors.shell.slicing.slice import Slicer
from reviewbot.detectors.shell.tree import Node

_COST = "A failed run is taken for a good one, and what follows works on what it left behind."


def find(file: ShellFile) -> Iterator[Hit]:
    readers, trade, slicer = Readers(file), Trade(file), Slicer(file)
    hits = _pipes(file, readers, trade, slicer)
    hits += [
        _declared(declared)._replace(proof=of_declaration(slicer, declared))
        for declared in Declarations(file, readers, trade).masked()
    ]
    hits += [
        _late(late)._replace(proof=of_late(slicer, late)) for late in Between(file, readers, trade).late()
    ]
    yield from sorted(hits, key=lambda hit: hit.start_line)


def _pipes(file: ShellFile, readers: Readers, trade: Trade, slicer: Slicer) -> list[Hit]:
    reliance, facts = Reliance(file, readers), Facts(file)
    hits: dict[Node, Hit] = {}
    for pipe in Pipes(file, trade):
        if masked := reliance.masked(pipe):
            hit = _piped(file, readers, facts, masked)._replace(proof=of_pipe(slicer, masked))
            cause = masked.reading.node if masked.reading else pipe.node
            first = hits.setdefault(cause, hit)
            if first is not hit:  # both branches of an `if` end in a pipe, and one `$?` reads both
                hits[cause] = first._replace(also=(*first.also, (hit.start_line, hit.line)))
    return list(hits.values())


def _piped(file: ShellFile, readers: Readers, facts: Facts, masked: Masked) -> Hit:
    pipe, reading = masked.pipe, masked.reading
    what = label(pipe.worker.words)
    if reading:
        effect = _effect(reading, pipe.filter)
    elif masked.stops:
        effect = f"errexit does not stop the script when `{pipe.worker.name or what}` fails"
    elif masked.ends:
        effect = "the script ends with that, whatever happened"
    else:
        line = masked.used.line if masked.used else 0
        effect = f"nothing could notice a failure before line {line} works on `{', '.join(pipe.written)}`"
    return Hit(
        pipe.whole.line,
        whole_command(pipe.node).last_line,
        failure=f"The status of `{what}` is lost in the pipe: without pipefail the status is that of "
        f"`{pipe.filter}`, and {effect}.",
        cost=_COST,
        fix=_unpiped(file, masked),
        grade=masked.grade,
        edit=_pipestatus(file, readers, masked),
        claims=tuple(facts.options(pipe.node, *(("errexit", "pipefail") if masked.stops else ("pipefail",)))),
    )


def _effect(reading: Reading, filter_name: str) -> str:
    line, via = reading.node.line, reading.via
    through = f" (the result of `{via.name}`, called at line {via.line})" if via else ""
    match reading.how:
        case "||":
            return f"what stands behind `||` at line {line} does not run when it should{through}"
        case "&&":
            return f"what stands behind `&&` at line {line} runs all the same{through}"
        case "$?":
            return f"that is what `$?` at line {line} holds{through}"
    return f"that is what `{reading.how}` at line {line} asks: `{filter_name}` ended well{through}"


def _unpiped(file: ShellFile, masked: Masked) -> str:
    pipe = masked.pipe
    if pipe.closes:
        return (
            f"Write the output to a file, test the status, and give the file to `{pipe.closes}`: it stops "
            "reading when it has enough, and a command that writes on then ends with 141 (SIGPIPE), under "
            "`pipefail` and in `PIPESTATUS`, though all is well."
        )
    if interpreter(file.text.first_line) in ("sh", "dash", "ash"):
        return (
            "This shell has no PIPESTATUS and maybe no pipefail: write to a file "
            "(`rc=0; cmd > log 2>&1 || rc=$?`), print it, and test `rc`."
        )
    asked = masked.reading is not None and masked.reading.how == "$?"
    if len(pipe.lost) > 1:
        tests = " and ".join(f"`${{rc[{stage}]}}`" for stage in pipe.lost)
        where = " in place of `$?`" if asked else " on the very next line,"
        tested = f'keep `rc=("${{PIPESTATUS[@]}}")`{where} and test {tests}'
    else:
        array = f"`${{PIPESTATUS[{pipe.stage}]}}`"
        tested = f"read {array} in place of `$?`" if asked else f"test {array} on the very next line"
    if asked and file.options.errexit_at(pipe.node) is not Setting.OFF:
        # pipefail would end the script in front of what reads the status.
        return f"{tested[0].upper()}{tested[1:]}."
    return f"`set -o pipefail` before the pipe, or {tested}."


def _pipestatus(file: ShellFile, readers: Readers, masked: Masked) -> Edit | None:
    """`${PIPESTATUS[0]}` for the `$?` of the next statement: only bash has it, and only right there."""
    pipe, reading = masked.pipe, masked.reading
    if reading is None or reading.how != "$?" or reading.via or reading.said or len(pipe.lost) > 1:
        return None
    if pipe.closes:
        return None  # 141 is how its worker ends when all is well
    statement = pipe.node.statement
    direct = innermost(statement) is innermost(pipe.node) and readers.following(statement) is reading.node
    if not direct or interpreter(file.text.first_line) != "bash" or file.text.content[pipe.node.start] == "!":
        return None
    start, end = readers.asking(reading.node)
    content = file.text.content
    begins = content.rfind("\n", 0, start) + 1
    ends = content.find("\n", end)
    places = [(start + first, start + last) for first, last in expanded(content[start:end])]
    rows = content[begins : ends if ends >= 0 else None]
    if len(expanded(rows)) != len(places):
        return None  # a `$?` behind a substitution, or later on the line: the status of something else
    pieces, at = [], begins
    for first, last in places:
        pieces += [content[at:first], f"${{PIPESTATUS[{pipe.stage}]}}"]
        at = last
    line = reading.node.line + content.count("\n", reading.node.start, begins)
    return Edit(line, line + rows.count("\n"), "".join(pieces) + rows[at - begins :])


def _declared(declared: Declared) -> Hit:
    node, word, name = declared.node, declared.word, declared.name
    effect = (
        _effect(declared.reading, word)
        if declared.reading
        else "errexit does not stop the script when the command in `$(…)` fails"
    )
    return Hit(
        node.line,
        node.last_line,
        failure=f"`{word} {name}=$(…)` has the status of `{word}`, which is 0, and {effect}.",
        cost=f"`{name}` is empty or cut short, and everything goes on with it.",
        fix=_apart(declared),
        grade=declared.grade,
        edit=declared.edit,
    )


def _apart(declared: Declared) -> str:
    word, name = declared.word, declared.name
    if declared.stops:
        return (
            f"Declare first, `{word} {name}`, and give the assignment its handler: `{name}=$(…) || …`. Under "
            "errexit an assignment that fails by itself ends the script in front of the `$?`."
        )
    return f"Declare first and assign then: `{word} {name}`, and `{name}=$(…)` on a line of its own."


def _late(late: Late) -> Hit:
    asks, last = late.asks, late.last
    between = label(_words(last)) or "an assignment"
    if late.background:
        failure = (
            f"`$?` is 0 here whatever becomes of `{between}` (line {last.line}): "
            "it has only been started, by `&`."
        )
        fix = (
            "Keep `pid=$!`. If it is to run on, give it time to start and ask whether it lives: "
            '`kill -0 "$pid" || exit 1`. If it ends by itself, read the status of `wait "$pid"`.'
        )
    elif late.array:
        failure = (
            f"`PIPESTATUS` here is that of `{between}` at line {last.line}, not of the pipe before it: "
            "it is 0 whatever happened."
        )
        fix = 'Keep `rc=("${PIPESTATUS[@]}")` right behind the pipe, and test `${rc[0]}`.'
    elif late.meant is None:
        failure = (
            f"`$?` here is the status of `{between}` at line {last.line}, not that with which the script "
            "ended: by then it is 0."
        )
        fix = "Make `rc=$?` the first command of the handler (`local rc=$?` is one command)."
    else:
        failure = (
            f"`$?` here is the status of `{between}` at line {last.line}, not of "
            f"`{label(_words(late.meant)) or 'the command'}` at line {late.meant.line}: it is 0 "
            "whatever happened."
        )
        fix = f"Keep `rc=$?` right behind line {late.meant.last_line}, and test `rc`."
    return Hit(asks.line, asks.line, failure, _COST, fix, Grade.STRONG)


def _words(statement: Node) -> tuple[str, ...]:
    node = innermost(statement)
    if node.kind == "compound_statement" and node.body:
        node = innermost(node.body[0])
    return node.words or tuple(node.text[:80].split())


DETECTOR = Detector(
    id="masked-exit-code",
    summary="a pipe, `local v=$(…)`, an `echo` or `&` between a command and the status that is tested",
    finders={"shell": find},
    words=(
        Word(r"mask(?:s|ed|ing)?\b[^.]{0,30}\b(?:exit|return|status|fail)", 2),
        Word(
            r"(?:exit|return) (?:codes?|status(?:es)?)\b[^.]{0,30}\b(?:mask|hidden|lost|swallow|eaten|pip)", 2
        ),
        Word(r"\bpipefail\b", 2),
        Word(r"\bpipestatus\b", 2),
        Word(
            r"\btee\b[^.]{0,40}\b(?:exit|status|hid|mask|swallow|eat|fail)|\b(?:into|through|to) `?tee\b", 2
        ),
        Word(r"\bpipe(?:s|d|line|lines)?\b[^.]{0,40}\b(?:hid|mask|los|swallow|eat|exit|status)\w*", 2),
        Word(r"\$\?[`'\"]?[^.]{0,40}\b(?:late|overwrit|clobber|replac|wrong|another|lost)", 2),
        Word(r"(?:status|exit code|return code)\w* of the wrong|wrong (?:exit|return) (?:code|status)", 2),
        Word(r"(?:local|export|declare|readonly)\W{1,3}\w+=\"?\$\(", 1),
    ),
    bad=BAD,
    good=GOOD,
    triggers={"shell": ("PIPESTATUS", "$?", "${?}", "| ", "|&", "|\t", "=$(", '="$(', "=`")},
)
