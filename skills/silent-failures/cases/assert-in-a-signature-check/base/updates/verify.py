"""Checks an update before it is installed."""

import hashlib
import hmac


def verify_update(archive, signature, key):
    digest = hmac.new(key, archive, hashlib.sha256).hexdigest()
    if not hmac.compare_digest(digest, signature):
        raise ValueError("the signature does not belong to this archive")
    return archive
