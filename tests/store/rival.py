"""One of several processes at work on one database; run as a program. What it did is told on stdout,
line by line, after it was done.

take URL COUNT    stores deliveries 0 … COUNT-1, tells the ids that were new to it
claim URL         claims and settles until nothing is left, tells the ids
open URL          opens it, tells the newest version
register URL      wants to be worker w, tells whether it is
fill URL BYTES    writes answers until the disk that it is given ends; then has room again
"""

from __future__ import annotations

import resource
import sys
import time

from reviewbot.core.errors import Occupied, StoreDown
from reviewbot.core.types.run import Delivery
from reviewbot.store import Store


def tell(word: object) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


def take(store: Store, count: str) -> None:
    for n in range(int(count)):
        if store.deliveries.take([Delivery(str(n), "push", received=time.time())]) == [True]:
            tell(n)


def claim(store: Store) -> None:
    while rows := store.deliveries.next(3):
        for row in rows:
            store.deliveries.settle(row.id, "done")
            tell(row.id)


def register(store: Store) -> None:
    try:
        store.workers.register("w", "host", "1")
    except Occupied:
        tell("occupied")
    else:
        tell("mine")


def fill(store: Store, size: str) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(size), resource.RLIM_INFINITY))
    kept = 0
    try:
        while kept < 10_000:
            store.deliveries.take([Delivery(str(kept), "push", why="x" * 900)])
            kept += 1
    except StoreDown as error:
        tell(error)
    store.answers.write("a", b"x" * 1_000_000)
    tell(store.answers.read("a"))
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    tell(store.deliveries.take([Delivery("last", "push")]))
    tell(store.deliveries.counts()["received"] == kept + 1)


def main(what: str, url: str, *rest: str) -> None:
    with Store.open(url) as store:
        {"take": take, "claim": claim, "register": register, "fill": fill, "open": lambda _: tell("ok")}[
            what
        ](store, *rest)


if __name__ == "__main__":
    main(*sys.argv[1:])
