"""An extension of griffe, which reads docstrings for mkdocstrings without importing the modules.

`accrete` imports its classes when they are used, and fills in the parameters of the estimators' docstrings when they
are defined. This extension gives griffe the names and the docstrings that a program sees.
"""

import inspect

import accrete
import griffe


class PublicNames(griffe.Extension):
    def on_package(self, *, pkg, **kwargs):
        if pkg.name != "accrete":
            return
        for name, module in accrete._MODULES.items():
            found = pkg[module.removeprefix("accrete.")][name]
            if found.docstring and "{parameters}" in found.docstring.value:
                found.docstring.value = inspect.getdoc(getattr(accrete, name))
            pkg.members[name] = griffe.Alias(name, found, parent=pkg)
