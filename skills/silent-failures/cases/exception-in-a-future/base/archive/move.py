"""Moves old volumes to the archive."""


def move_all(volumes, move):
    for volume in volumes:
        move(volume)
    return len(volumes)
