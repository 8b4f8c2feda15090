"""Rotates the host keys of the fleet."""

import subprocess


def rotate(hosts):
    for host in hosts:
        subprocess.run(["ssh", host, "sudo", "rotate-host-keys", "--now"])
    print(f"rotated the keys of {len(hosts)} hosts")


if __name__ == "__main__":
    with open("hosts.txt", encoding="utf-8") as file:
        rotate(file.read().split())
