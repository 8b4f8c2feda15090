import subprocess
import sys


def launch(recipe, nodes):
    subprocess.run(["python3", "tools/set_nodes.py", str(nodes), recipe])
    subprocess.run(["sbatch", "-N", str(nodes), "jobs/recipe.sbatch", recipe], check=True)


if __name__ == "__main__":
    launch(sys.argv[1], int(sys.argv[2]))
