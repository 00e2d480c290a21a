"""Writes the sources of the documentation site: pages of the project, references, tutorial and gallery.

    python site/make.py COMMAND BROWSER STAGE

COMMAND is the built accrete; BROWSER takes the pictures of the gallery; STAGE is the folder to write.
"""

import pathlib
import shutil
import sys

from commands import write_commands
from cpp_reference import write_cpp
from gallery import write_gallery
from pages import code_block, copy_pages
from tutorial_page import write_tutorial

ROOT = pathlib.Path(__file__).resolve().parents[1]


def main():
    command, browser, stage = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]).resolve()
    scratch = stage.with_name(f"{stage.name}-scratch")
    for folder in (stage, scratch):
        shutil.rmtree(folder, ignore_errors=True)
    reference = stage / "reference"
    copy_pages(ROOT, stage)
    write_commands(command, reference / "commands.md")
    write_cpp(ROOT, reference, scratch / "doxygen")
    shutil.copyfile(ROOT / "site" / "python_reference.md", reference / "python.md")
    about = "The header of the C ABI, `libaccrete.so`. [C](../docs/c.md) shows how to use it.\n"
    (reference / "c.md").write_text(f"# C\n\n{about}\n{code_block(ROOT / 'accrete' / 'c' / 'accrete.h')}")
    write_tutorial(ROOT / "examples" / "tutorial.py", stage / "tutorial.md", scratch / "tutorial")
    write_gallery(command, browser, stage / "gallery.md", scratch / "gallery")
    shutil.copytree(ROOT / "site" / "assets", stage / "assets")
    shutil.rmtree(scratch)


if __name__ == "__main__":
    main()
