"""One rank of LightGBM's distributed training; run by bench/support/delayed_ranks.py.

    python lightgbm_rank.py ROWS.npy RANK MACHINES

ROWS.npy: features and, in the last column, the target. MACHINES: address:port of each rank with commas; RANK: the share
of the rows that this process trains on. One machine: all rows in this process. Prints the seconds of binning and
training, without reading and connecting.
"""
import sys
import time

import lightgbm
import numpy

TREES, LEAVES = 100, 31


class Timed(lightgbm.Booster):
    """A booster whose time starts when the ranks are connected."""

    def set_network(self, *words, **options):
        result = super().set_network(*words, **options)
        self.start = time.perf_counter()
        return result


def main():
    file, rank, machines = sys.argv[1], int(sys.argv[2]), sys.argv[3].split(",")
    size = len(machines)
    rows = numpy.load(file, mmap_mode="r")
    share = numpy.array(rows[len(rows) * rank // size : len(rows) * (rank + 1) // size])
    parameters = {"objective": "binary", "num_leaves": LEAVES, "num_threads": 1, "verbose": -1}
    if size > 1:
        port = int(machines[rank].rpartition(":")[2])
        parameters |= {"tree_learner": "data", "num_machines": size, "machines": sys.argv[3], "pre_partition": True,
                       "local_listen_port": port, "time_out": 2}  # fmt: skip
    data = lightgbm.Dataset(share[:, :-1], share[:, -1] == rows[:, -1].max(), params=parameters)
    Timed.start = time.perf_counter()
    booster = Timed(parameters, data)
    for _ in range(TREES):
        booster.update()
    print(time.perf_counter() - booster.start)


if __name__ == "__main__":
    main()
