"""``python -m accrete``: the command line, as ``accrete`` is."""

import importlib.util
import os
import pathlib
import sys


def main():
    # Beside the compiled part, which an editable installation keeps apart from the sources.
    compiled = importlib.util.find_spec("accrete._core").origin
    command = pathlib.Path(compiled).with_name("bin") / "accrete"
    if not command.is_file():
        sys.exit(f"accrete: the command is missing from this installation: {command}")
    os.execv(command, ["accrete", *sys.argv[1:]])


if __name__ == "__main__":
    main()
