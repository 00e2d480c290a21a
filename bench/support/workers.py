"""Runs jobs in processes that can be killed: one worker a slot, replaced when a job takes longer than it may.

A pool of multiprocessing's keeps its workers to the end, and a new process for every job would spend longer importing
than fitting. Each worker leads a process group of its own, so that a command it has started goes with it.
"""
import itertools
import multiprocessing
import os
import signal
import tempfile
import time
from multiprocessing.connection import wait

# Read by libraries when they load, so a worker has to inherit them.
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}


def serve(pipe, scratch):
    """Says None when a fit begins, so that importing and reading do not count, and then the result."""
    os.setpgrp()
    from support.fits import fit
    while True:
        job = pipe.recv()
        pipe.send(fit(job, scratch, begun=lambda: pipe.send(None)))


class Worker:
    def __init__(self, context):
        self.scratch = tempfile.TemporaryDirectory()
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs, self.scratch.name), daemon=True)
        self.process.start()
        theirs.close()
        self.job = None

    def start(self, job):
        self.job, self.since = job, None
        self.pipe.send(job)

    def seconds(self):
        return 0.0 if self.since is None else time.monotonic() - self.since

    def end(self):
        for kill in (os.killpg, os.kill):  # there is no group yet while it is starting
            try:
                kill(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.join()
        self.pipe.close()
        self.scratch.cleanup()


def answer(worker, limit):
    """What has become of a worker's job, or None while it goes on; and whether the worker can go on."""
    if worker.pipe.poll():
        try:
            if (result := worker.pipe.recv()) is not None:
                return result, True
            worker.since = time.monotonic()
        except EOFError:
            worker.process.join()
            return {"status": "failed", "reason": f"the process ended with {worker.process.exitcode}"}, False
    if worker.seconds() > limit:
        return {"status": "too long", "reason": f"more than {limit:g} s"}, False
    return None, True


def run(jobs, count, limit):
    """Yields (job, result, seconds it took) as they come."""
    os.environ.update(ONE_THREAD)
    context = multiprocessing.get_context("spawn")
    waiting = iter(jobs)
    workers = []
    try:
        for job in itertools.islice(waiting, count):
            workers.append(Worker(context))
            workers[-1].start(job)
        while workers:
            wait([worker.pipe for worker in workers], timeout=1)
            for place, worker in reversed(list(enumerate(workers))):
                result, usable = answer(worker, limit)
                if result is None:
                    continue
                done, seconds = worker.job, worker.seconds()
                following = next(waiting, None)
                if following is None or not usable:
                    worker.end()
                    workers.pop(place)
                if following is not None:
                    if not usable:
                        worker = Worker(context)
                        workers.append(worker)
                    worker.start(following)
                yield done, result, seconds
    finally:
        for worker in workers:
            worker.end()
