"""A script with `# %%` cells as a page, with what its cells print and the pictures they save."""

import contextlib
import io
import os
import re
import shutil
import warnings

CELL = re.compile(r"^# %%(.*)\n", re.MULTILINE)


def write_tutorial(script, page, scratch):
    """Runs the script in the folder `scratch`; its pictures go next to the page."""
    pictures = page.with_suffix("")
    pictures.mkdir(parents=True, exist_ok=True)
    scratch.mkdir(parents=True, exist_ok=True)
    parts, namespace, before = [], {"__name__": "__main__"}, os.getcwd()
    _, *cells = CELL.split(script.read_text())
    os.chdir(scratch)
    try:
        for kind, text in zip(cells[::2], cells[1::2]):
            if "[markdown]" in kind:
                parts.append(re.sub(r"^# ?", "", text, flags=re.MULTILINE).strip() + "\n")
                continue
            known = set(scratch.rglob("*.png"))
            parts.append(f"~~~~ python\n{text.strip()}\n~~~~\n")
            printed = _run(text, script, namespace)
            if printed:
                parts.append(f"~~~~ text\n{printed.rstrip()}\n~~~~\n")
            for picture in sorted(set(scratch.rglob("*.png")) - known):
                shutil.copyfile(picture, pictures / picture.name)
                parts.append(f"![{picture.stem}]({pictures.name}/{picture.name})\n")
    finally:
        os.chdir(before)
    page.write_text("\n".join(parts))


def _run(text, script, namespace):
    """What a cell prints."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(text, script.name, "exec"), namespace)
    return output.getvalue()
