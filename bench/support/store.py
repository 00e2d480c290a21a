"""Finished fits, one JSON line each, so that a long run can be interrupted, resumed and reported at any time."""
import json
import os
import pathlib

from support.entries import PRESETS

KEY = ("data", "entry", "seed", "fold", "label")


def key_of(record):
    return tuple(record.get(name) for name in KEY)


def label_of(entry, label):
    """accrete's results are labelled by its version; other libraries' results have no label."""
    return label if entry in PRESETS else None


def read(path):
    """key -> record, the last one of repeated fits. Skips a line that an interrupted run left incomplete."""
    records = {}
    if os.path.exists(path):
        with open(path) as file:
            for text in file:
                try:
                    record = json.loads(text)
                except ValueError:
                    continue
                records.pop(key_of(record), None)  # keeps the latest record last
                records[key_of(record)] = record
    return records


def append(path, record):
    pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a") as file:
        file.write(json.dumps(record) + "\n")
