"""Pages that the command writes about small built-in data, with a picture of each."""

import shutil
import subprocess

# Name of the page, title, and the commands that write page.html.
PAGES = {
    "demo": ("The dial on a problem with two columns", ["demo -o ."]),
    "two-classes": (
        "A report of two classes",
        [
            "data make tic-tac-toe -o data.csv",
            "data split data.csv --target target --train train.csv --test test.csv",
            "train train.csv --target target -o model.safetensors",
            "report model.safetensors test.csv -o page.html",
        ],
    ),
    "regression": (
        "A report of a regression",
        [
            "data make friedman1 -o data.csv",
            "data split data.csv --target target --train train.csv --test test.csv",
            "train train.csv --target target -o model.safetensors",
            "report model.safetensors test.csv -o page.html",
        ],
    ),
    "additive": (
        "A report of an additive model: one curve per column",
        [
            "data make friedman1 -o data.csv",
            "data split data.csv --target target --train train.csv --test test.csv",
            "train train.csv --target target --interactions none -o model.safetensors",
            "report model.safetensors test.csv -o page.html",
        ],
    ),
}


def write_gallery(command, browser, page, scratch):
    folder = page.with_suffix("")
    folder.mkdir(parents=True, exist_ok=True)
    about = "Pages that the command writes, each one file that needs no other. Click a picture to open its page.\n"
    parts = ["# Gallery\n", about]
    for name, (title, commands) in PAGES.items():
        made = _make(command, name, commands, scratch / name)
        shutil.copyfile(made, folder / f"{name}.html")
        _picture(browser, folder / f"{name}.html", folder / f"{name}.png")
        picture = f"[![{title}](gallery/{name}.png){{ .page }}](gallery/{name}.html)"
        lines = "\n".join(f"accrete {line}" for line in commands)
        parts.append(f"## {title}\n\n{picture}\n\n~~~~ sh\n{lines}\n~~~~\n")
    page.write_text("\n".join(parts))


def _make(command, name, commands, folder):
    """Runs the commands in an empty folder; returns the page."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for line in commands:
        done = subprocess.run([command, *line.split()], cwd=folder, text=True, capture_output=True)
        if done.returncode != 0:
            raise SystemExit(f"gallery: accrete {line}: {done.stderr.strip()}")
    return folder / ("demo.html" if name == "demo" else "page.html")


def _picture(browser, html, png):
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1200,800"]
    command = [browser, *options, "--virtual-time-budget=3000", f"--screenshot={png}", html.resolve().as_uri()]
    subprocess.run(command, capture_output=True, check=True, timeout=120)
