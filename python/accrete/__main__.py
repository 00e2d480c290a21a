"""``python -m accrete``: the command line, as ``accrete`` is."""

import os
import pathlib
import sys


def main():
    command = pathlib.Path(__file__).with_name("bin") / "accrete"
    if not command.is_file():
        sys.exit(f"accrete: the command is missing from this installation: {command}")
    os.execv(command, ["accrete", *sys.argv[1:]])


if __name__ == "__main__":
    main()
