"""The vocabulary: frozen values in the order in which data flows.

Conventions that hold everywhere: lines are 1-based, ranges are inclusive at both ends, a
"line" ends at LF only (git's and GitHub's rule: a lone CR, a form feed or U+2028 is text
inside a line), paths are relative to the repository root, separated by "/", and carry
undecodable bytes as surrogate escapes (PEP 383) until a report renders them.
"""

from reviewbot.core.types.change import (
    ABSENT,
    BINARY,
    Change,
    FileChange,
    Hunk,
    Kind,
    Line,
    Side,
    Status,
    Text,
    Texts,
)
from reviewbot.core.types.finding import (
    Candidate,
    Claim,
    Edit,
    Finding,
    Grade,
    Origin,
    Receipt,
    Refutation,
    Rejection,
    Site,
    Suggestion,
)
from reviewbot.core.types.gate import (
    GatePlan,
    GateResult,
    GateRun,
    GateStatus,
)
from reviewbot.core.types.review import (
    ClassResult,
    Incomplete,
    Review,
    Usage,
)
from reviewbot.core.types.skill import (
    Assignment,
    DefectClass,
    Diagnostic,
    GateSpec,
    Scope,
    ScopeRow,
    Settings,
    Severity,
    Skill,
    SkillOrigin,
    Skills,
    Uncovered,
)

__all__ = [
    "ABSENT",
    "BINARY",
    "Assignment",
    "Candidate",
    "Change",
    "Claim",
    "ClassResult",
    "DefectClass",
    "Diagnostic",
    "Edit",
    "FileChange",
    "Finding",
    "GatePlan",
    "GateResult",
    "GateRun",
    "GateSpec",
    "GateStatus",
    "Grade",
    "Hunk",
    "Incomplete",
    "Kind",
    "Line",
    "Origin",
    "Receipt",
    "Refutation",
    "Rejection",
    "Review",
    "Scope",
    "ScopeRow",
    "Settings",
    "Severity",
    "Side",
    "Site",
    "Skill",
    "SkillOrigin",
    "Skills",
    "Status",
    "Suggestion",
    "Text",
    "Texts",
    "Uncovered",
    "Usage",
]
