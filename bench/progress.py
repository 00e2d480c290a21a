"""How well `accrete train` estimates its time: error of "... left" over the run, on given CSV files.

  ./dev bench progress DATA.csv ...     the target is the last column

The command runs in a pseudo-terminal, where it draws its progress bar. An estimate is good if it is within a factor of
two of the time that was really left.
"""
import os
import pty
import re
import statistics
import sys
import tempfile
import time

from common import ACCRETE, hardware, head, row

LINE = re.compile(r"\] +(\d+) % .*?, ((?:\d+ h )?(?:\d+ min ?)?(?:[\d.]+ s)?) left")
UNITS = {"h": 3600.0, "min": 60.0, "s": 1.0}


def seconds_of(text):
    """Seconds of a text like "1 h 02 min" or "3.20 s"."""
    return sum(float(number) * UNITS[unit] for number, unit in re.findall(r"([\d.]+) (h|min|s)", text))


def estimates(words):
    """Runs a command; returns its seconds and (time, percent, seconds left) of each line drawn."""
    start, seen, text = time.monotonic(), [], ""
    child, terminal = pty.fork()
    if child == 0:
        os.execv(words[0], words)
    while True:
        try:
            data = os.read(terminal, 65536)
        except OSError:  # the command has ended
            break
        if not data:
            break
        text += data.decode(errors="replace")
        *lines, text = text.split("\x1b[K")
        for line in lines:
            if match := LINE.search(line):
                seen.append((time.monotonic() - start, int(match[1]), seconds_of(match[2])))
    os.waitpid(child, 0)
    return time.monotonic() - start, seen


def main():
    files, options = [w for w in sys.argv[1:] if os.path.exists(w)], [w for w in sys.argv[1:] if not os.path.exists(w)]
    print(f"{hardware()}\n")
    head("data", "seconds", "lines", "from 20 %: within a factor of two", "median ratio", "worst ratio")
    for path in files:
        with tempfile.TemporaryDirectory() as folder:
            output = os.path.join(folder, "model.safetensors")
            total, seen = estimates([ACCRETE, "train", path, "-o", output, *options])
        late = [(at, left) for at, percent, left in seen if at >= 0.2 * total and total - at > 0.3]
        ratios = [max(left, 0.01) / (total - at) for at, left in late]
        good = sum(0.5 <= ratio <= 2.0 for ratio in ratios)
        worst = max(ratios, key=lambda ratio: max(ratio, 1 / ratio), default=float("nan"))
        median = statistics.median(ratios) if ratios else float("nan")
        cells = f"{total:.1f}", len(seen), f"{good} of {len(late)}", f"{median:.2f}", f"{worst:.2f}"
        row(os.path.basename(path), *cells)


main()
