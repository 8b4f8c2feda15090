"""The object store, over HTTP."""

from __future__ import annotations

from http.client import HTTPSConnection
from typing import BinaryIO

CHUNK = 1 << 20


class StoreError(Exception):
    """The store said no."""


class StoreBusy(StoreError):
    """The store says that it may be asked again."""


class ObjectStore:
    def __init__(self, host: str, bucket: str) -> None:
        self._host = host
        self._bucket = bucket

    def put(self, key: str, body: BinaryIO) -> str:
        """Store what `body` still holds under `key`, in chunks; returns the tag of the new object.

        Raises StoreBusy and StoreError; the store then keeps what was there before.
        """
        connection = HTTPSConnection(self._host, timeout=60)
        try:
            chunks = iter(lambda: body.read(CHUNK), b"")
            connection.request("PUT", f"/{self._bucket}/{key}", body=chunks, encode_chunked=True)
            response = connection.getresponse()
            if response.status == 503:
                raise StoreBusy(key)
            if response.status >= 300:
                raise StoreError(f"{key}: {response.status}")
            return response.headers["ETag"]
        finally:
            connection.close()

    def keys(self, prefix: str) -> list[str]:
        """The keys that begin with `prefix`. Raises StoreBusy and StoreError."""
        connection = HTTPSConnection(self._host, timeout=60)
        try:
            connection.request("GET", f"/{self._bucket}?prefix={prefix}")
            response = connection.getresponse()
            if response.status == 503:
                raise StoreBusy(prefix)
            if response.status >= 300:
                raise StoreError(f"{prefix}: {response.status}")
            return response.read().decode().split("\n")
        finally:
            connection.close()
