"""Moves old volumes to the archive."""

from concurrent.futures import ThreadPoolExecutor


def move_all(volumes, move):
    with ThreadPoolExecutor(max_workers=8) as pool:
        for volume in volumes:
            pool.submit(move, volume)
    return len(volumes)
