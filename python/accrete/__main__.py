"""``python -m accrete`` runs the command line, and also reads Parquet and Arrow files if pyarrow is installed."""

import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile

ARROW_SUFFIXES = ".parquet", ".pq", ".arrow", ".feather", ".ipc"
# Flags whose value is a file to write.
OUTPUT_FLAGS = "-o", "--output", "--train", "--test", "--store", "--onnx", "--c", "--figures"
REMOVE = "import shutil, sys; sys.stdin.read(); shutil.rmtree(sys.argv[1], ignore_errors=True)"


def main():
    # Next to the extension module, which an editable install keeps outside of the source tree.
    extension = importlib.util.find_spec("accrete._core").origin
    command = pathlib.Path(extension).with_name("bin") / "accrete"
    if not command.is_file():
        sys.exit(f"accrete: this installation has no command: {command}")
    os.environ.setdefault("ACCRETE_PYTHON", sys.executable)  # fits learners of other libraries in `compare`
    os.execv(command, ["accrete", *_with_csv_files(sys.argv[1:])])


def _with_csv_files(arguments):
    """The arguments with each Parquet or Arrow file replaced by a temporary CSV file of the same name."""
    places = [place for place in range(len(arguments)) if _arrow_file(arguments, place)]
    if not places:
        return arguments
    if "--no-header" in arguments:
        print(f"accrete: --no-header: the columns of {_path(arguments[places[0]])} have names", file=sys.stderr)
        sys.exit(2)
    folder, changed = _temporary_folder(), list(arguments)
    for place in places:
        path = _path(arguments[place])
        copy = pathlib.Path(folder, os.path.basename(path))  # messages of the command contain the name
        if copy.exists():
            copy = pathlib.Path(tempfile.mkdtemp(dir=folder), copy.name)
        _convert(path, copy, quiet="-q" in arguments or "--quiet" in arguments)
        changed[place] = arguments[place].removesuffix(path) + str(copy)
    return changed


def _path(argument):
    return argument.removeprefix("--validation=")


def _arrow_file(arguments, place):
    path = _path(arguments[place])
    is_output = place > 0 and arguments[place - 1] in OUTPUT_FLAGS
    return path.lower().endswith(ARROW_SUFFIXES) and os.path.isfile(path) and not is_output


def _temporary_folder():
    """A folder that is removed when this process ends for any reason, even if it becomes another program."""
    folder = tempfile.mkdtemp(prefix="accrete-")
    # Waits for end of file on its input, which comes when this process ends. Terminal signals do not reach another
    # session.
    remover = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", REMOVE, folder], stdin=subprocess.PIPE, start_new_session=True
    )
    os.set_inheritable(os.dup(remover.stdin.fileno()), True)
    return folder


def _convert(path, copy, quiet):
    from accrete._arrow_files import ArrowFileError, write_csv

    try:
        index = write_csv(path, copy)
    except ArrowFileError as error:
        sys.exit(f"accrete: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
    if index and not quiet:
        print(f"accrete: {path}: left out the index of the frame: {', '.join(index)}", file=sys.stderr)


if __name__ == "__main__":
    main()
