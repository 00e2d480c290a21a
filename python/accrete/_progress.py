"""Progress bars and the observer of a fit."""

import contextlib
import math
import sys
import time


class _PlainBar:
    """A line on standard error that is rewritten in place; used if tqdm is not installed."""

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


class _PlainFitBar:
    """A line with the share of the time that has passed; used if tqdm is not installed."""

    def __init__(self):
        self.line = ""

    def show(self, fraction, text):
        self.line = f"\raccrete: {100 * fraction:3.0f} %, {text}"
        print(f"{self.line:<79}", end="", file=sys.stderr, flush=True)

    def close(self):
        print(file=sys.stderr)


class _TqdmFitBar:
    def __init__(self, tqdm):
        bar_format = "{desc}: {percentage:3.0f}%|{bar}| {elapsed}{postfix}"
        self.bar = tqdm(total=1.0, desc="accrete", bar_format=bar_format)

    def show(self, fraction, text):
        self.bar.n = fraction
        self.bar.set_postfix_str(text)

    def close(self):
        self.bar.close()


def make_fit_bar():
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _PlainFitBar()
    return _TqdmFitBar(tqdm)


def _describe(progress):
    text = f"{progress.units} units, loss {progress.train_loss:.5g}"
    if progress.validation_loss is not None:
        text += f", validation {progress.validation_loss:.5g}"
    return text


class Observer:
    """Called by the library after each step; returns False to stop the fit.

    `on_step(progress)` returns True to stop the fit; `on_end()` is called after a fit that did not fail. `callback` is
    the user's, which returns False to stop. One bar covers the choice of parameters and the fit.
    """

    def __init__(self, verbose, on_step=None, on_end=None, callback=None):
        self.verbose, self.on_step, self.bar, self.shown_at = verbose, on_step, None, 0.0
        self.callback = callback
        self.on_end = on_end or (lambda: None)

    def __call__(self, progress):
        if self.verbose:
            is_last = progress.step == progress.steps
            self._show(progress.fraction, progress.seconds_left, _describe(progress), is_last)
        answer = None if self.callback is None else self.callback(progress)
        stop = answer is not None and not answer
        return (self.on_step is None or not self.on_step(progress)) and not stop

    def choosing(self, fraction, seconds_left):
        """Called by the library while parameters are chosen on held-out rows."""
        if self.verbose:
            self._show(fraction, seconds_left, "trying settings on held-out rows")

    def _show(self, fraction, seconds_left, text, at_once=False):
        if self.bar is None:
            self.bar = make_fit_bar()
        now = time.monotonic()
        if now - self.shown_at < 0.2 and not at_once:
            return
        self.shown_at = now
        left = "" if math.isnan(seconds_left) else f", {seconds_left:.0f} s left"
        self.bar.show(fraction, text + left)

    def close(self):
        if self.bar is not None:
            self.bar.close()

    @property
    def idle(self):
        return not self.verbose and self.on_step is None and self.callback is None


class Callbacks:
    """Mixin that keeps the user's callback while a fit runs."""

    _callback = None

    @contextlib.contextmanager
    def _calling(self, callback):
        if callback is not None and not callable(callback):
            raise ValueError(f"callback={callback!r}: must be a function of the progress, or None")
        self._callback = callback
        try:
            yield
        finally:
            del self._callback
