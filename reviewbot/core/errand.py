"""What a delivery asks for, as the JSON that is kept until it is done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from reviewbot.core.types.trigger import (
    Cancel,
    Ignore,
    Obey,
    Rerun,
    ReviewPull,
    ShowRefuted,
    Trigger,
)


class Installed(NamedTuple):
    """The App may see these repositories from now on; those that it saw before, it still sees."""

    installation: int
    account: str  # a user or an organisation
    repos: tuple[str, ...] = ()  # owner/name
    resumed: bool = False  # it was suspended, and is not any more


class Suspended(NamedTuple):
    """Nothing may be done for it until it is resumed; what is kept stays."""

    installation: int


class Uninstalled(NamedTuple):
    """Everything that is kept about these is to be deleted."""

    installation: int
    repos: tuple[str, ...] = ()  # empty: all of the installation


class Vanished(NamedTuple):
    """No repository has these names any more, whoever has had them: they were deleted, renamed or moved."""

    repos: tuple[str, ...]


Errand = Trigger | Installed | Suspended | Uninstalled | Vanished

_TRIGGERS = (ReviewPull, Obey, Rerun, ShowRefuted, Cancel, Ignore)
_KINDS: Mapping[str, type[Errand]] = {
    kind.__name__: kind for kind in (*_TRIGGERS, Installed, Suspended, Uninstalled, Vanished)
}


def written(errand: Errand) -> dict[str, Any]:
    """JSON: the name of the type as `kind`, its values by name as `fields`."""
    return {"kind": type(errand).__name__, "fields": _plain(errand)}


def read(kept: Mapping[str, Any]) -> Errand:
    """The opposite of written(). Raises ValueError where another version has written it."""
    from pydantic import TypeAdapter

    kind = _KINDS.get(str(kept.get("kind")))
    if kind is None:
        raise ValueError(f"no errand is of the kind {kept.get('kind')!r}")
    made: Errand = TypeAdapter(kind).validate_python(kept.get("fields"))
    return made


def _plain(value: Any) -> Any:
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: _plain(field) for name, field in value._asdict().items()}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value
