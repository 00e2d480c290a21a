"""``python -m accrete`` runs the command line."""

import importlib.util
import os
import pathlib
import sys


def main():
    # Next to the extension module, which an editable install keeps outside of the sources.
    extension = importlib.util.find_spec("accrete._core").origin
    command = pathlib.Path(extension).with_name("bin") / "accrete"
    if not command.is_file():
        sys.exit(f"accrete: this installation has no command: {command}")
    os.environ.setdefault("ACCRETE_PYTHON", sys.executable)  # fits learners of other libraries in `compare`
    os.execv(command, ["accrete", *sys.argv[1:]])


if __name__ == "__main__":
    main()
