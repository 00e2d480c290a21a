#!/usr/bin/env python3
"""The dial on a deep network: accuracy and latency of EfficientNet-Lite0 with a boosted head, by units.

  experiments/pretrained_dial.py FEATURES.npz --own 96.47 --docs docs/deep [--size 160] [--repeats 30]

Fits a head on the features (experiments/pretrained_features.py), measures its accuracy on the test rows at every tenth
of its units, and the milliseconds for one image through network and head on one thread, the best of the repeats.
`--own` is the accuracy of the network's own last layer. Writes dial.csv and dial.svg. Needs the weights of
EfficientNet-Lite0 and, for the picture, gnuplot.
"""

import argparse
import pathlib
import subprocess
import sys
import time

import numpy as np
import torch
from pretrained_features import lite0

from accrete.torch import BoostedHead


def best_milliseconds(call, repeats):
    times = []
    for _ in range(repeats + 3):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return 1000 * min(times)


def measure(options):
    """Rows of units, accuracy, milliseconds of the joined network; and the milliseconds of network and own layer."""
    torch.set_num_threads(1)
    data = np.load(options.features)
    F, y, test = data["F"].astype(np.float32), data["y"], data["test"]
    head = BoostedHead(torch.nn.Identity(), random_state=0).fit(F[~test], y[~test])
    backbone, x = lite0("cpu"), torch.zeros(1, 3, options.size, options.size)
    own = torch.nn.Linear(F.shape[1], len(np.unique(y)))
    rows, step = [], head.n_units_ // 10
    with torch.no_grad():
        features = backbone(x)
        network = best_milliseconds(lambda: backbone(x), options.repeats)
        alone = network + best_milliseconds(lambda: own(features), 20 * options.repeats)
        for units in range(step, head.n_units_ + 1, step):
            accuracy = 100 * np.mean(head.estimator_.predict(F[test], units=units) == y[test])
            milliseconds = best_milliseconds(lambda: head.head(features, units), 20 * options.repeats)
            rows.append((units, accuracy, network + milliseconds))
            print(f"{units} units: {accuracy:.2f} percent, {network + milliseconds:.2f} ms", flush=True)
    return rows, alone


def draw(rows, own, alone, file):
    text = ['set terminal svg size 560,360 font "sans,12" background "white"', f'set output "{file}"', "set key below",
            'set xlabel "units of the head"', 'set ylabel "test accuracy, percent"',
            'set y2label "milliseconds an image"', "set ytics nomirror",
            "set y2tics", f"set y2range [0:{1.3 * alone:.3f}]", 'set grid lc rgb "#dddddd"']
    parts = ["'-' using 1:2 with linespoints lw 2 lc 1 title 'accuracy'",
             f"{own} with lines dt 2 lc 1 title 'accuracy of its own last layer'",
             "'-' using 1:2 axes x1y2 with linespoints lw 2 lc 2 title 'latency'",
             f"{alone} axes x1y2 with lines dt 2 lc 2 title 'latency with its own last layer'"]
    text.append("plot " + ", ".join(parts))
    for column in (1, 2):
        text += [f"{row[0]} {row[column]}" for row in rows] + ["e"]
    subprocess.run(["gnuplot"], input="\n".join(text) + "\n", text=True, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("features")
    parser.add_argument("--own", type=float, required=True, help="accuracy of the network's own last layer, in percent")
    parser.add_argument("--docs", required=True, help="folder for dial.csv and dial.svg")
    parser.add_argument("--size", type=int, default=160)
    parser.add_argument("--repeats", type=int, default=30)
    options = parser.parse_args()
    rows, alone = measure(options)
    folder = pathlib.Path(options.docs)
    lines = [f"{units},{accuracy:.2f},{milliseconds:.3f}" for units, accuracy, milliseconds in rows]
    lines.append(f"own,{options.own:.2f},{alone:.3f}")
    (folder / "dial.csv").write_text("\n".join(["units,accuracy,milliseconds", *lines]) + "\n")
    draw(rows, options.own, alone, folder / "dial.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
