from collections.abc import Callable
from typing import Any

from accrete import _Progress

__all__ = ["PruningCallback"]

class PruningCallback:
    trial: Any
    value: Callable[[_Progress], float]
    interval: int
    def __init__(self, trial: Any, value: Callable[[_Progress], float] | None = None, interval: int = 1) -> None: ...
    def __call__(self, progress: _Progress) -> None: ...
