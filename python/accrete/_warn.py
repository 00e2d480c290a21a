"""Warnings that point to the caller's line."""

import os
import sys
import warnings

import sklearn

# scikit-learn wraps fit, and calls it in searches and cross-validation.
_FOLDERS = tuple(os.path.dirname(os.path.abspath(file)) + os.sep for file in (__file__, sklearn.__file__))


def warn(text):
    """Warns with the line, outside of this package and scikit-learn, that made the call."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and os.path.abspath(frame.f_code.co_filename).startswith(_FOLDERS):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, stacklevel=level)
