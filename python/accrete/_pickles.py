"""Pickles of estimators, which other versions of accrete can read if they know the model's format."""

import inspect
import warnings

from accrete import _core


def model_of_bytes(content, source, version):
    """The compiled model in bytes written by a version of accrete; None: a version that did not record itself.

    Raises OSError. If the version is another one, the error names both and says what to do instead.
    """
    try:
        return _core.Model.from_bytes(content, source)
    except OSError as error:
        if version == _core.version():
            raise
        raise OSError(_incompatible(source, version, str(error).removeprefix(f"{source}: "))) from None


def _incompatible(source, version, reason):
    return (
        f"{source}: made by {_name(version)}, which accrete {_core.version()} cannot read ({reason}); use save() and "
        "accrete.load() to move models between versions"
    )


def _name(version):
    return f"accrete {version}" if version else "an older accrete"


class Pickled:
    """Mixin that pickles the model as a model file, together with the version of accrete."""

    def __getstate__(self):
        state = {**super().__getstate__(), "_accrete_version": _core.version()}
        if "model_" in state:
            state["model_"] = state["model_"].to_bytes()
        return state

    def __setstate__(self, state):
        state = dict(state)
        version = state.pop("_accrete_version", None)
        source = f"pickle of a {type(self).__name__}"
        if isinstance(state.get("model_"), bytes):
            state["model_"] = model_of_bytes(state["model_"], source, version)
        if "model_" in state and not (isinstance(state["model_"], _core.Model) and "n_features_in_" in state):
            raise OSError(_incompatible(source, version, "its attributes do not match this version"))
        defaults = {
            name: parameter.default
            for name, parameter in inspect.signature(type(self).__init__).parameters.items()
            if parameter.default is not parameter.empty
        }
        if version != _core.version():
            self._warn_of_unknown(set(state) - set(defaults), version)
        super().__setstate__({**defaults, **state})

    @staticmethod
    def _warn_of_unknown(names, version):
        unknown = sorted(name for name in names if not name.startswith("_") and not name.endswith("_"))
        if unknown:
            warnings.warn(
                f"pickled by {_name(version)}; accrete {_core.version()} ignores its parameters {', '.join(unknown)}",
                stacklevel=3,
            )

    def __copy__(self):
        """Shares the model, which is immutable, instead of copying its bytes."""
        copied = type(self).__new__(type(self))
        vars(copied).update(vars(self))
        return copied
