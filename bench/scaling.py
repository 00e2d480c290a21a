#!/usr/bin/env python3
"""How time and memory of a fit grow with the rows and with the units.

    ./dev bench scaling [--quick]

Every point is a process of its own (bench/scaling_fit.cpp) that makes its rows in memory and hands them over; two points
read them from a CSV file instead, one with classes and one with numbers to predict. The default preset for two classes, 20 features, with a fixed number of iterations per
step, so that the work follows from the size. The exponent is the slope of log time against log size over the range
stated, by least squares. Peak memory is the process's highest resident set; the mark is 1.25 times the features as
float32 plus BYTES_PER_ROW for every row and output (targets, weights, scores and residuals, in single and double), plus
FIXED for the program itself.
"""
import argparse
import json
import math
import subprocess
import tempfile

from common import ACCRETE, BUILD, head, machine, middle, progress, row

FEATURES = 20
BYTES_PER_ROW = 64
FIXED = 32 * 2**20
MOST_EXPONENT = 1.05
MOST_MATRICES = 1.25


def fit(*words):
    """One process: seconds of each fit in it, peak memory, and the rest of what it reports."""
    command = [str(BUILD / "bench_scaling_fit"), *map(str, words)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def exponent(points):
    """The slope of log time against log size."""
    x, y = [[math.log(v) for v in column] for column in zip(*points)]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / sum((a - mean_x) ** 2 for a in x)


def verdict(holds):
    return "holds" if holds else "MISSED"


def memory_cells(report, features=FEATURES):
    """Cells of the table, and whether the mark holds."""
    rows, peak = report["rows"], report["peak"]
    matrix = 4 * rows * features
    beyond = (peak - report["before"] - matrix) / rows
    holds = peak <= MOST_MATRICES * matrix + BYTES_PER_ROW * rows + FIXED
    return (f"{matrix / 2**20:.1f}", f"{peak / 2**20:.1f}", f"{peak / matrix:.2f}", f"{beyond:.0f}"), holds


def by_rows(quick):
    sizes = [10**3, 10**4, 10**5, 10**6] if quick else [10**3, 3 * 10**3, 10**4, 3 * 10**4, 10**5, 3 * 10**5, 10**6,
                                                         3 * 10**6, 10**7]
    units, first = 20, 10**5
    print(f"## Rows: {FEATURES} features, {units} units in steps of 4, 20 iterations a step\n")
    head("rows", "how", "seconds", "spread", "µs a row", "features, MiB", "peak, MiB", "times", "bytes a row beyond", "mark")
    times, marks = [], []
    for size in sizes:
        progress(f"rows {size}")
        runs = 2 if size >= 3 * 10**6 else 3
        repeats = max(1, 2 * 10**5 // size)
        reports = [fit(size, FEATURES, units, "--repeats", repeats) for _ in range(runs)]
        seconds, spread = middle([s for report in reports for s in report["seconds"]])
        # Repeats in one process leave their memory behind: a peak is a fresh process's.
        fresh = reports[0] if repeats == 1 else fit(size, FEATURES, units)
        cells, holds = memory_cells(fresh)
        row(size, "handed over", f"{seconds:.4g}", f"± {spread:.2g}", f"{1e6 * seconds / size:.3g}", *cells, verdict(holds))
        times.append((size, seconds))
        marks.append(holds)
    for name, features in (("twonorm", 20), ("friedman1", 10)):
        marks.append(csv_point(name, features, 10**5 if quick else 10**6, units))
    linear = [point for point in times if point[0] >= (10**4 if quick else first)]
    slope = exponent(times)
    print(f"\nexponent of the time from {times[0][0]} to {times[-1][0]} rows: {slope:.3f} (mark: at most {MOST_EXPONENT}: "
          f"{verdict(slope <= MOST_EXPONENT)}); from {linear[0][0]} rows on, where they leave the caches one after the "
          f"other, {exponent(linear):.3f}")
    print(f"memory (mark: at most {MOST_MATRICES} times the features + {BYTES_PER_ROW} bytes a row + {FIXED >> 20} MiB): "
          f"{verdict(all(marks))}\n")


def csv_point(name, features, size, units):
    progress(f"rows {size}, {name} from CSV")
    with tempfile.TemporaryDirectory() as scratch:
        path = f"{scratch}/rows.csv"
        subprocess.run([ACCRETE, "data", "make", name, "-n", str(size), "-o", path, "--quiet"], check=True)
        report = fit(size, features, units, "--csv", path)
    cells, holds = memory_cells(report, features)
    seconds = report["seconds"][0]
    row(size, f"CSV, {name} ({features} features), reading {report['reading'][0]:.3g} s", f"{seconds:.4g}", "-", f"{1e6 * seconds / size:.3g}", *cells,
        verdict(holds))
    return holds


def by_units(quick):
    rows = 2000
    print(f"## Units: {rows} rows x {FEATURES} features, steps of 4 units, 20 iterations a step\n")
    head("units", "seconds", "spread", "ms a unit")
    times = []
    for units in [50, 200, 500] if quick else [50, 100, 200, 500, 1000, 2000]:
        progress(f"units {units}")
        seconds, spread = middle(fit(rows, FEATURES, units, "--repeats", 3 if quick else 5)["seconds"])
        row(units, f"{seconds:.4g}", f"± {spread:.2g}", f"{1e3 * seconds / units:.3g}")
        times.append((units, seconds))
    slope = exponent(times)
    print(f"\nexponent of the time from {times[0][0]} to {times[-1][0]} units: {slope:.3f} (mark: at most {MOST_EXPONENT}: "
          f"{verdict(slope <= MOST_EXPONENT)})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer and smaller points")
    options = parser.parse_args()
    print(f"machine: {machine()}; seed 1; spread: half the distance between the extremes\n")
    by_rows(options.quick)
    by_units(options.quick)


if __name__ == "__main__":
    main()
