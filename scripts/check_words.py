"""Checks that no text file of the project uses a word of scripts/banned_words.txt.

    python3 scripts/check_words.py [FILE...]      # default: all files that git tracks or would add

Prints one line `file:line: message` per use and exits with 1 if there is any.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
LIST = ROOT / "scripts" / "banned_words.txt"
# Exempt: the history, the glossary and the list itself contain the words; licences are external.
EXEMPT = {"CHANGELOG.md", "LICENSE", "docs/glossary.md", "scripts/banned_words.txt"}
BREAK = r"\s+(?:(?://+|#+|\*+|>)\s*)?"  # between two words: a space, or a line break and a comment mark


def rules(text):
    """Yields (compiled pattern, what to use instead) for each line of the list."""
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        words, arrow, instead = line.rpartition(" -> ")
        if not arrow:
            raise SystemExit(f"{LIST}: no ' -> ' in: {line}")
        if words.startswith("/") and words.endswith("/"):
            yield re.compile(words[1:-1]), instead
        else:
            pattern = BREAK.join(re.escape(word) for word in words.split())
            yield re.compile(rf"\b{pattern}\b", re.IGNORECASE), instead


def tracked():
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, text=True, capture_output=True, check=True).stdout.splitlines()
    return [ROOT / name for name in names if name not in EXEMPT and (ROOT / name).is_file()]


def uses(path, banned):
    """Yields (line, words found, what to use instead); binary files have none."""
    try:
        text = path.read_text()
    except UnicodeDecodeError:
        return
    for pattern, instead in banned:
        for match in pattern.finditer(text):
            yield text.count("\n", 0, match.start()) + 1, " ".join(match[0].split()), instead


def main():
    banned = list(rules(LIST.read_text()))
    files = [pathlib.Path(name).resolve() for name in sys.argv[1:]] or tracked()
    count = 0
    for path in files:
        name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
        for line, found, instead in sorted(uses(path, banned)):
            print(f"{name}:{line}: '{found}': use {instead}")
            count += 1
    print(f"words: {len(files)} files, {count} banned words")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
