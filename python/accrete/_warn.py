"""Warnings that point to the caller's line."""

import os
import sys
import warnings

_FOLDER = os.path.dirname(os.path.abspath(__file__))


def warn(text):
    """Warns with the line outside of this package that led here."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and os.path.dirname(os.path.abspath(frame.f_code.co_filename)) == _FOLDER:
        level, frame = level + 1, frame.f_back
    warnings.warn(text, stacklevel=level)
