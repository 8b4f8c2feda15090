"""What the status bar shows."""

import subprocess


def on_battery():
    return subprocess.call(["systemd-ac-power"], stdout=subprocess.DEVNULL) != 0


def show(path):
    viewer = subprocess.Popen(["xdg-open", str(path)])
    return viewer.pid


def version():
    return subprocess.check_output(["desk", "--version"], text=True).strip()
