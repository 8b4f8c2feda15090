import os

os.system("make dist")
if os.system("make check"):
    raise SystemExit(1)
