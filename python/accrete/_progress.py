"""Progress bars and the observer of a fit."""

import sys
import time


class _PlainBar:
    """One line on standard error that is rewritten; used if tqdm is not installed."""

    def __init__(self, total, unit):
        self.total, self.unit, self.shown_at, self.line = total, unit, 0.0, ""

    def show(self, done, text):
        now = time.monotonic()
        of = "" if self.total is None else f" of {self.total}"
        self.line = f"\raccrete: {done}{of} {self.unit}s, {text}"
        if now - self.shown_at >= 0.2:
            self.shown_at = now
            print(self.line, end="", file=sys.stderr, flush=True)

    def close(self):
        print(self.line, file=sys.stderr)


class _TqdmBar:
    def __init__(self, total, unit, tqdm):
        self.bar = tqdm(total=total, unit=unit, desc="accrete")

    def show(self, done, text):
        self.bar.set_postfix_str(text, refresh=False)
        self.bar.update(done - self.bar.n)

    def close(self):
        self.bar.close()


def make_bar(total, unit="step"):
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _PlainBar(total, unit)
    return _TqdmBar(total, unit, tqdm)


def _describe(progress):
    text = f"{progress.units} units, loss {progress.train_loss:.5g}"
    if progress.validation_loss is not None:
        text += f", validation {progress.validation_loss:.5g}"
    return text


class Observer:
    """Called by the library after each step; returns False to stop the fit.

    `on_step(progress)` returns True to stop the fit; `on_end()` is called after a fit that did not fail.
    """

    def __init__(self, verbose, on_step=None, on_end=None):
        self.verbose, self.on_step, self.bar = verbose, on_step, None
        self.on_end = on_end or (lambda: None)

    def __call__(self, progress):
        if self.verbose:
            if self.bar is None:
                self.bar = make_bar(progress.steps)
            self.bar.show(progress.step, _describe(progress))
        return self.on_step is None or not self.on_step(progress)

    def close(self):
        if self.bar is not None:
            self.bar.close()

    @property
    def idle(self):
        return not self.verbose and self.on_step is None
