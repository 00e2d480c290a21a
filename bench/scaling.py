#!/usr/bin/env python3
"""How the time and memory of a fit grow with rows and units.

    ./dev bench scaling [--quick]

Every point is a separate process (bench/scaling_fit.cpp) that makes its rows in memory and moves them into the fit;
two points read a CSV file instead, one for classification and one for regression. The default preset for two classes
and 20 features, with a fixed number of iterations per step, so that the work depends on the size only. The exponent
is the least-squares slope of log time over log size. Peak memory is the process's maximum resident set; the goal is
1.25 times the features as float32 plus BYTES_PER_ROW per row and output (targets, weights, scores and residuals, in
single and double), plus FIXED for the program itself.
"""
import argparse
import json
import math
import subprocess
import tempfile

from common import ACCRETE, BUILD, hardware, head, median_and_spread, progress, row

FEATURES = 20
BYTES_PER_ROW = 64
FIXED = 32 * 2**20
MAX_EXPONENT = 1.05
MAX_COPIES = 1.25


def fit(*arguments):
    """Runs one process and returns its JSON report: seconds of each fit, peak memory and the rest."""
    command = [str(BUILD / "bench_scaling_fit"), *map(str, arguments)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def exponent(points):
    """The least-squares slope of log time over log size."""
    x, y = [[math.log(v) for v in column] for column in zip(*points)]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / sum((a - mean_x) ** 2 for a in x)


def verdict(met):
    return "met" if met else "MISSED"


def memory_cells(report, features=FEATURES):
    """Cells of the table, and whether the memory goal is met."""
    rows, peak = report["rows"], report["peak"]
    matrix = 4 * rows * features
    extra = (peak - report["before"] - matrix) / rows
    met = peak <= MAX_COPIES * matrix + BYTES_PER_ROW * rows + FIXED
    return (f"{matrix / 2**20:.1f}", f"{peak / 2**20:.1f}", f"{peak / matrix:.2f}", f"{extra:.0f}"), met


def by_rows(quick):
    sizes = [10**3, 10**4, 10**5, 10**6] if quick else [10**3, 3 * 10**3, 10**4, 3 * 10**4, 10**5, 3 * 10**5, 10**6,
                                                         3 * 10**6, 10**7]
    units, first = 20, 10**5
    print(f"## Rows: {FEATURES} features, {units} units in steps of 4, 20 iterations per step\n")
    head("rows", "source", "seconds", "spread", "µs/row", "features, MiB", "peak, MiB", "peak / features",
         "extra bytes/row", "goal")
    times, met = [], []
    for size in sizes:
        progress(f"rows {size}")
        runs = 2 if size >= 3 * 10**6 else 3
        repeats = max(1, 2 * 10**5 // size)
        reports = [fit(size, FEATURES, units, "--repeats", repeats) for _ in range(runs)]
        seconds, spread = median_and_spread([s for report in reports for s in report["seconds"]])
        # Repeats in one process raise its peak, so memory is measured in a fresh process.
        fresh = reports[0] if repeats == 1 else fit(size, FEATURES, units)
        cells, fits = memory_cells(fresh)
        row(size, "memory", f"{seconds:.4g}", f"{spread:.2g}", f"{1e6 * seconds / size:.3g}", *cells, verdict(fits))
        times.append((size, seconds))
        met.append(fits)
    for name, features in (("twonorm", 20), ("friedman1", 10)):
        met.append(csv_point(name, features, 10**5 if quick else 10**6, units))
    large = [point for point in times if point[0] >= (10**4 if quick else first)]
    slope = exponent(times)
    print(f"\nexponent of time from {times[0][0]} to {times[-1][0]} rows: {slope:.3f} (goal: max {MAX_EXPONENT}, "
          f"{verdict(slope <= MAX_EXPONENT)}); from {large[0][0]} rows on, where the data leaves the caches, "
          f"{exponent(large):.3f}")
    print(f"memory (goal: max {MAX_COPIES} times the features + {BYTES_PER_ROW} bytes/row + {FIXED >> 20} MiB): "
          f"{verdict(all(met))}\n")


def csv_point(name, features, size, units):
    progress(f"rows {size}, {name} from CSV")
    with tempfile.TemporaryDirectory() as scratch:
        path = f"{scratch}/rows.csv"
        subprocess.run([ACCRETE, "data", "make", name, "-n", str(size), "-o", path, "--quiet"], check=True)
        report = fit(size, features, units, "--csv", path)
    cells, met = memory_cells(report, features)
    seconds = report["seconds"][0]
    source = f"CSV, {name} ({features} features), reading {report['reading'][0]:.3g} s"
    row(size, source, f"{seconds:.4g}", "-", f"{1e6 * seconds / size:.3g}", *cells, verdict(met))
    return met


def by_units(quick):
    rows = 2000
    print(f"## Units: {rows} rows x {FEATURES} features, steps of 4 units, 20 iterations per step\n")
    head("units", "seconds", "spread", "ms/unit")
    times = []
    for units in [50, 200, 500] if quick else [50, 100, 200, 500, 1000, 2000]:
        progress(f"units {units}")
        seconds, spread = median_and_spread(fit(rows, FEATURES, units, "--repeats", 3 if quick else 5)["seconds"])
        row(units, f"{seconds:.4g}", f"{spread:.2g}", f"{1e3 * seconds / units:.3g}")
        times.append((units, seconds))
    slope = exponent(times)
    print(f"\nexponent of time from {times[0][0]} to {times[-1][0]} units: {slope:.3f} (goal: max {MAX_EXPONENT}, "
          f"{verdict(slope <= MAX_EXPONENT)})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer and smaller points")
    options = parser.parse_args()
    print(f"hardware: {hardware()}; seed 1; spread: half the range\n")
    by_rows(options.quick)
    by_units(options.quick)


if __name__ == "__main__":
    main()
