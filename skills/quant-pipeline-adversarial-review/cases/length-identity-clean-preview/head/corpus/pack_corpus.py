import logging

import numpy as np

log = logging.getLogger("pack")


def pack(sequences, tokenizer, width, target):
    rows = []
    for ids in sequences:
        if len(ids) < width:
            log.info("short, left out: %s", tokenizer.decode(ids[:24]))
            continue
        rows.append(np.asarray(ids[:width], dtype=np.int32))
        if len(rows) % 1000 == 0:
            log.info("%d rows, the last one ends in %r", len(rows), tokenizer.decode(ids[width - 8 : width]))
    table = np.stack(rows)
    np.save(target, table)
    return table.shape
