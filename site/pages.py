"""Copies the Markdown pages of the project, and makes a page of each source file or folder that they link to."""

import os
import pathlib
import re
import shutil

# A link or an image: the text, the path, and an anchor.
LINK = re.compile(r"(\]\()(?!https?:|mailto:|#)([^)\s#]+)(#[^)\s]*)?(\))")
FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
LANGUAGES = {".py": "python", ".cpp": "cpp", ".hpp": "cpp", ".h": "c", ".c": "c", ".js": "js", ".sh": "sh"}
LANGUAGES |= {".cff": "yaml", ".txt": "text", ".cmake": "cmake", ".csv": "text"}
COPIED = {".md", ".png", ".svg", ".csv"}
MAX_CHARACTERS = 60_000


def copy_pages(root, stage):
    """Copies the pages to the same paths below `stage`, so that links between them hold."""
    pages = [root / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "RELEASING.md")]
    pages += [root / "packaging" / "README.md", *sorted((root / "docs").rglob("*.md"))]
    sources = set()
    for page in pages:
        _write(stage / page.relative_to(root), _rewrite(page, root, stage, sources))
    for source in sorted(sources):
        _write(_page_of(source, root, stage), _source_page(source, root))


def _page_of(source, root, stage):
    return stage / "sources" / f"{source.relative_to(root)}.md"


def _rewrite(page, root, stage, sources):
    """The text of a page with links to source files changed to their pages, which are added to `sources`."""
    here = stage / page.relative_to(root)

    def replace(match):
        target = (page.parent / match[2]).resolve()
        if not target.exists():
            raise SystemExit(f"{page.relative_to(root)}: no file {match[2]}")
        if target.is_dir() and (target / "README.md").is_file() and target.is_relative_to(root / "docs"):
            target = target / "README.md"
        if target.suffix in COPIED:
            copied = stage / target.relative_to(root)
            if target.suffix != ".md":
                copied.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(target, copied)
        else:
            sources.add(target)
            copied = _page_of(target, root, stage)
        path = pathlib.PurePath(os.path.relpath(copied, here.parent)).as_posix()
        return f"{match[1]}{path}{match[3] or ''}{match[4]}"

    return _outside_fences(page.read_text(), lambda text: LINK.sub(replace, text))


def _outside_fences(text, change):
    parts, end = [], 0
    for fence in FENCE.finditer(text):
        parts += [change(text[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join([*parts, change(text[end:])])


def _source_page(source, root):
    """A file as a code block; a folder as the code blocks of its files."""
    name = source.relative_to(root).as_posix()
    if source.is_file():
        return f"# `{name}`\n\n{code_block(source)}"
    files = [path for path in sorted(source.iterdir()) if path.suffix in LANGUAGES or path.name == "CMakeLists.txt"]
    blocks = [f"## `{path.name}`\n\n{code_block(path)}" for path in files]
    return "\n".join([f"# `{name}`\n", *blocks])


def code_block(path):
    text = path.read_text()
    if len(text) > MAX_CHARACTERS:
        return f"{len(text):,} characters, not shown.\n"
    return f"~~~~ {LANGUAGES.get(path.suffix, 'text')}\n{text.rstrip()}\n~~~~\n"


def _write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
