"""What is told while a fit goes on: a bar, scikit-learn's callbacks, or nothing."""

import sys
import time


class _PlainBar:
    """One line on standard error, rewritten; for where tqdm is not installed."""

    def __init__(self, total, unit):
        self.total, self.unit, self.shown, self.last = total, unit, 0.0, ""

    def show(self, done, text):
        now = time.monotonic()
        of = "" if self.total is None else f" of {self.total}"
        self.last = f"\raccrete: {done}{of} {self.unit}s, {text}"
        if now - self.shown >= 0.2:
            self.shown = now
            print(self.last, end="", file=sys.stderr, flush=True)

    def close(self):
        print(self.last, file=sys.stderr)


class _TqdmBar:
    def __init__(self, total, unit, tqdm):
        self.bar = tqdm(total=total, unit=unit, desc="accrete")

    def show(self, done, text):
        self.bar.set_postfix_str(text, refresh=False)
        self.bar.update(done - self.bar.n)

    def close(self):
        self.bar.close()


def bar_of(total, unit="step"):
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _PlainBar(total, unit)
    return _TqdmBar(total, unit, tqdm)


def describe(progress):
    text = f"{progress.units} units, loss {progress.train_loss:.5g}"
    if progress.validation_loss is not None:
        text += f", validation {progress.validation_loss:.5g}"
    return text


class Observer:
    """Called by the library after each step; returns False to end the fit there."""

    def __init__(self, verbose, tell=None, end=None):
        self.verbose, self.tell, self.bar = verbose, tell, None
        self.end = end or (lambda: None)

    def __call__(self, progress):
        if self.verbose:
            if self.bar is None:
                self.bar = bar_of(progress.steps)
            self.bar.show(progress.step, describe(progress))
        return self.tell is None or not self.tell(progress)

    def close(self):
        if self.bar is not None:
            self.bar.close()

    @property
    def idle(self):
        return not self.verbose and self.tell is None
