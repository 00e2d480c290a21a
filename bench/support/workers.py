"""Runs jobs in worker processes that are killed and replaced when a job exceeds its time limit.

multiprocessing.Pool cannot kill a single worker, and a new process per job would spend more time importing than
fitting. Each worker leads its own process group, so that commands it started are killed with it.
"""
import itertools
import multiprocessing
import os
import signal
import tempfile
import time
from multiprocessing.connection import wait

# Libraries read these when they load, so a worker must inherit them.
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}


def serve(pipe, scratch):
    """Sends None when a fit starts, so that importing and reading are not timed, and then its result."""
    os.setpgrp()
    from support.fits import fit
    while True:
        job = pipe.recv()
        pipe.send(fit(job, scratch, on_start=lambda: pipe.send(None)))


class Worker:
    def __init__(self, context):
        self.scratch = tempfile.TemporaryDirectory()
        self.pipe, child_pipe = context.Pipe()
        self.process = context.Process(target=serve, args=(child_pipe, self.scratch.name), daemon=True)
        self.process.start()
        child_pipe.close()
        self.job = None

    def start(self, job):
        self.job, self.started = job, None
        self.pipe.send(job)

    def seconds(self):
        return 0.0 if self.started is None else time.monotonic() - self.started

    def kill(self):
        for kill in (os.killpg, os.kill):  # a starting process has no group yet
            try:
                kill(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.join()
        self.pipe.close()
        self.scratch.cleanup()


def poll(worker, limit):
    """The result of a worker's job, or None while it runs; and whether the worker can be used again."""
    if worker.pipe.poll():
        try:
            if (result := worker.pipe.recv()) is not None:
                return result, True
            worker.started = time.monotonic()
        except EOFError:
            worker.process.join()
            return {"status": "failed", "reason": f"the process exited with {worker.process.exitcode}"}, False
    if worker.seconds() > limit:
        return {"status": "too long", "reason": f"more than {limit:g} s"}, False
    return None, True


def run(jobs, count, limit):
    """Yields (job, result, seconds) in order of completion."""
    os.environ.update(ONE_THREAD)
    context = multiprocessing.get_context("spawn")
    pending = iter(jobs)
    workers = []
    try:
        for job in itertools.islice(pending, count):
            workers.append(Worker(context))
            workers[-1].start(job)
        while workers:
            wait([worker.pipe for worker in workers], timeout=1)
            for slot, worker in reversed(list(enumerate(workers))):
                result, usable = poll(worker, limit)
                if result is None:
                    continue
                done, seconds = worker.job, worker.seconds()
                following = next(pending, None)
                if following is None or not usable:
                    worker.kill()
                    workers.pop(slot)
                if following is not None:
                    if not usable:
                        worker = Worker(context)
                        workers.append(worker)
                    worker.start(following)
                yield done, result, seconds
    finally:
        for worker in workers:
            worker.kill()
