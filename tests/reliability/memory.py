"""The memory of a process that fits and predicts again and again must not grow.

  ./dev reliability memory [--fits N] [--predictions N]

Runs the fits and predictions in one process and prints its resident size on the way. Exits with 1 if the second half
grows by more than 2 MiB.
"""
import argparse
import sys

import numpy as np

import accrete

MAX_GROWTH = 2.0  # MiB


def resident():
    """MiB of this process."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 / 2**20


def repeat(name, count, work):
    work()
    sizes = []
    for i in range(count):
        work()
        if i % max(1, count // 10) == 0 or i == count - 1:
            sizes.append(resident())
    growth = sizes[-1] - sizes[len(sizes) // 2]
    print(f"| {name} | {count:,} | {sizes[0]:.1f} | {sizes[len(sizes) // 2]:.1f} | {sizes[-1]:.1f} |", flush=True)
    return growth


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fits", type=int, default=10_000)
    parser.add_argument("--predictions", type=int, default=1_000_000)
    given = parser.parse_args()
    rng = np.random.default_rng(0)
    x = rng.normal(size=(60, 5)).astype(np.float32)
    y = np.where(x[:, 0] * x[:, 1] > 0, "yes", "no")
    settings = {"n_units": 4, "units_per_step": 2, "max_iter": 4, "auto": "off", "n_jobs": 1}
    model = accrete.BoostedNetworkClassifier(**settings).fit(x, y)
    row = x[:1]
    print("| work | times | MiB at first | half-way | at the end |\n|---|---|---|---|---|")
    growth = [
        repeat("fit", given.fits, lambda: accrete.BoostedNetworkClassifier(**settings).fit(x, y)),
        repeat("predict one row", given.predictions, lambda: model.predict_proba(row)),
    ]
    if max(growth) > MAX_GROWTH:
        sys.exit(f"the resident size grew by {max(growth):.1f} MiB in the second half")


if __name__ == "__main__":
    main()
