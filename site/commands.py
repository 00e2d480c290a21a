"""The help of every command as one page, as the built command prints it."""

import re
import subprocess


def write_commands(command, page):
    sections = [
        "# Commands\n",
        "What `--help` prints, for every command. [Command line](../docs/command-line.md) explains them.\n",
    ]
    for words, text in _helps(command, []):
        level = "##" if len(words) < 2 else "###"
        title = " ".join(["accrete", *words])
        sections.append(f"{level} {title} {{ #{title.replace(' ', '-')} }}\n\n~~~~ text\n{text.rstrip()}\n~~~~\n")
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("\n".join(sections))


def _helps(command, words):
    """Yields (words of a command, its help), for the command and all below it."""
    done = subprocess.run([command, *words, "--help"], text=True, capture_output=True, check=True)
    yield words, done.stdout
    listed = re.search(r"^Subcommands:\n((?:  .*\n)+)", done.stdout, re.MULTILINE)
    for name in re.findall(r"^  ([a-z][a-z-]*)", listed[1], re.MULTILINE) if listed else ():
        yield from _helps(command, [*words, name])
