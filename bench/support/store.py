"""Finished fits, one JSON line each, so that a long run can be broken off, reported meanwhile, and taken up again."""
import json
import os
import pathlib

from support.entries import PRESETS

KEY = ("data", "entry", "seed", "fold", "label")


def key_of(line):
    return tuple(line.get(name) for name in KEY)


def label_of(entry, label):
    """Results of accrete belong to a state of accrete; the others do not change."""
    return label if entry in PRESETS else None


def read(path):
    """key -> line; where a fit was done again, the last one. A line cut off by a broken run is passed over."""
    lines = {}
    if os.path.exists(path):
        with open(path) as file:
            for text in file:
                try:
                    line = json.loads(text)
                except ValueError:
                    continue
                lines.pop(key_of(line), None)  # the latest is to be last
                lines[key_of(line)] = line
    return lines


def append(path, line):
    pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a") as file:
        file.write(json.dumps(line) + "\n")
