"""Checks that each module includes only modules below it and that nothing includes itself in a circle.

    python3 scripts/check_layout.py [ROOT]

A module is a folder of accrete/, or report/, cli/ or python/src. Prints one line `file:line: message` per violation and
exits with 1 if there is any. Python files of python/accrete have no levels; their imports must form no circle. The
headers that cmake/public_headers.cmake installs must be those that its entry headers include. A test has a namespace of
its own that ends in the file's name, because several tests are compiled at a time.
"""

import ast
import pathlib
import re
import sys

# Lowest level first. A module includes only modules of lower levels, so modules of one level are independent.
LEVELS = """
core
activation loss solver
data
metric network
model
explain
config
comm
backend
boosting
baseline
tune
io
accrete
onnx c
store
experiment deep
report
serve
cli python
"""  # `accrete` is the public header accrete/accrete.hpp, the C++ API

LEVEL = {module: level for level, line in enumerate(LEVELS.split("\n")) for module in line.split()}
SUFFIXES = {".hpp", ".cpp", ".h", ".c", ".cu", ".cuh"}
INCLUDE = re.compile(r'\s*#\s*include\s+"([^"]+)"')


def module_of(path):
    """The module of a path relative to the root: accrete/data/table.hpp -> data, cli/main.cpp -> cli."""
    parts = path.split("/")
    return parts[1] if parts[0] == "accrete" and len(parts) > 2 else parts[0]


def includes(root):
    """Yields (file, line, included file) for every quoted include of a file of the project."""
    for top in ("accrete", "report", "cli", "python"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in SUFFIXES:
                continue
            for number, text in enumerate(path.read_text().splitlines(), 1):
                match = INCLUDE.match(text)
                for folder in (root, path.parent) if match else ():
                    if (folder / match[1]).is_file():
                        included = (folder / match[1]).resolve().relative_to(root)
                        yield path.relative_to(root).as_posix(), number, included.as_posix()
                        break


def imports(root):
    """Yields (file, line, imported file) for every import of python/accrete by itself, inside functions too."""
    folder = root / "python" / "accrete"
    modules = {path.stem for path in folder.glob("*.py")}
    for path in sorted(folder.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                base = ".".join(["accrete"] * node.level + [node.module] * bool(node.module))
                names = [base] + [f"{base}.{alias.name}" for alias in node.names]
            for name in names:
                module = name.removeprefix("accrete.")
                if name.startswith("accrete.") and module in modules:
                    yield f"python/accrete/{path.name}", node.lineno, f"python/accrete/{module}.py"


def circles(edges):
    """The cycles found by a depth-first search, each as a list of files; empty if there are none."""
    graph = {}
    for source, _, target in edges:
        graph.setdefault(source, []).append(target)
    found, done = [], set()

    def visit(node, path):
        for target in graph.get(node, ()):
            if target in path:
                found.append([*path[path.index(target) :], target])
            elif target not in done:
                visit(target, [*path, target])
        done.add(node)

    for start in sorted(graph):
        if start not in done:
            visit(start, [start])
    return found


def public_headers(root):
    """Yields a violation for each header that cmake/public_headers.cmake lacks or lists needlessly."""
    path = root / "cmake" / "public_headers.cmake"
    if not path.is_file():
        return
    entries, included = (
        re.findall(r"^\s+(accrete/[\w/]+\.hpp)", block, re.MULTILINE) for block in path.read_text().split("set(")[1:]
    )
    graph = {}
    for source, line, target in includes(root):
        graph.setdefault(source, []).append((line, target))
    reached, todo = set(entries), list(entries)
    while todo:
        source = todo.pop()
        for line, target in graph.get(source, ()):
            if target not in reached:
                reached.add(target)
                todo.append(target)
                if target not in included:
                    yield f"{source}:{line}: {target} is missing from cmake/public_headers.cmake"
    for header in sorted(set(included) - reached):
        yield f"cmake/public_headers.cmake:1: no entry header includes {header}"


def test_namespaces(root):
    """Yields a violation for each tests/**/NAME_test.cpp whose namespace does not end in its name or is not its own."""
    owners = {}
    for path in sorted((root / "tests").rglob("*_test.cpp")):
        name = path.relative_to(root).as_posix()
        for number, text in enumerate(path.read_text().splitlines(), 1):
            match = re.match(r"namespace ([\w:]+) \{", text)
            if not match:
                continue
            if not match[1].endswith(path.stem):
                yield f"{name}:{number}: the namespace must end in {path.stem}"
            elif owners.setdefault(match[1], name) != name:
                yield f"{name}:{number}: {owners[match[1]]} has this namespace too; prefix it with the folder's name"


def check(root):
    """Returns (violations, number of circles); each violation is one line of text."""
    violations = []
    included, imported = list(includes(root)), list(imports(root))
    for source, line, target in included:
        module, other = module_of(source), module_of(target)
        unknown = [name for name in (module, other) if name not in LEVEL]
        if unknown:
            violations.append(f"{source}:{line}: module {unknown[0]} is not listed in scripts/check_layout.py")
        elif module != other and LEVEL[other] >= LEVEL[module]:
            violations.append(f"{source}:{line}: {module} must not include {target}: {other} is not below {module}")
    violations += public_headers(root)
    violations += test_namespaces(root)
    lines = {(source, target): line for source, line, target in included + imported}
    rounds = circles(included) + circles(imported)
    for circle in rounds:
        violations.append(f"{circle[0]}:{lines[circle[0], circle[1]]}: circle: {' -> '.join(circle)}")
    return violations, len(rounds)


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1]).resolve()
    violations, count = check(root)
    print(*violations, sep="\n", end="\n" if violations else "")
    print(f"layout: {len(LEVEL)} modules, {count} circles, {len(violations)} violations")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
