"""scripts/check_layout.py on this tree, and on small trees with one violation each."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(root):
    command = [sys.executable, str(ROOT / "scripts" / "check_layout.py"), str(root)]
    return subprocess.run(command, text=True, capture_output=True)


class Layout(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)
        self.write("accrete/core/matrix.hpp", "")
        self.write("accrete/data/table.hpp", '#include "accrete/core/matrix.hpp"\n')
        self.write("accrete/loss/list.hpp", "")
        self.write("cli/main.cpp", '#include "accrete/data/table.hpp"\n')
        self.write("python/accrete/_base.py", "import numpy\n")
        self.write("python/accrete/_model.py", "from accrete._base import Base\n")

    def write(self, path, text):
        (self.tree / path).parent.mkdir(parents=True, exist_ok=True)
        (self.tree / path).write_text(text)

    def assert_rejects(self, message):
        result = run(self.tree)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn(message, result.stdout)

    def test_accepts_this_tree(self):
        result = run(ROOT)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn(" 0 circles, 0 violations", result.stdout)

    def test_accepts_includes_of_lower_modules(self):
        result = run(self.tree)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_rejects_an_include_of_a_higher_module(self):
        self.write("accrete/core/matrix.hpp", '#pragma once\n#include "accrete/data/table.hpp"\n')
        self.assert_rejects("accrete/core/matrix.hpp:2: core must not include accrete/data/table.hpp")

    def test_rejects_an_include_of_a_module_on_the_same_level(self):
        self.write("accrete/solver/list.hpp", '#include "accrete/loss/list.hpp"\n')
        self.assert_rejects("accrete/solver/list.hpp:1: solver must not include accrete/loss/list.hpp")

    def test_rejects_a_module_that_is_not_listed(self):
        self.write("accrete/attic/old.hpp", '#include "accrete/core/matrix.hpp"\n')
        self.assert_rejects("accrete/attic/old.hpp:1: module attic is not listed")

    def test_rejects_a_test_without_its_own_namespace(self):
        self.write("tests/data/csv_test.cpp", "namespace accrete::data::csv_test {\nnamespace {\n")
        self.assertEqual(run(self.tree).returncode, 0)
        self.write("tests/io/csv_test.cpp", "namespace accrete::data::csv_test {\n")
        self.assert_rejects("tests/io/csv_test.cpp:1: tests/data/csv_test.cpp has this namespace too")
        self.write("tests/io/csv_test.cpp", "namespace accrete::io {\n")
        self.assert_rejects("tests/io/csv_test.cpp:1: the namespace must end in csv_test")

    def test_rejects_a_circle_within_a_module(self):
        self.write("accrete/data/split.hpp", '#include "accrete/data/encode.hpp"\n')
        self.write("accrete/data/encode.hpp", '#include "accrete/data/split.hpp"\n')
        self.assert_rejects("circle: accrete/data/encode.hpp -> accrete/data/split.hpp -> accrete/data/encode.hpp")

    def test_rejects_a_circle_of_python_imports_inside_a_function(self):
        self.write("python/accrete/_base.py", "def load():\n    from accrete import _model\n")
        self.assert_rejects("python/accrete/_base.py:2: circle: python/accrete/_base.py -> python/accrete/_model.py")

    def test_rejects_a_public_header_that_includes_another(self):
        self.write("cmake/public_headers.cmake", "set(entry\n  accrete/data/table.hpp)\nset(included)\n")
        self.assert_rejects("accrete/data/table.hpp:1: accrete/core/matrix.hpp is missing from")

    def test_rejects_a_public_header_that_no_entry_header_includes(self):
        listed = "accrete/core/matrix.hpp\n  accrete/loss/list.hpp"
        self.write("cmake/public_headers.cmake", f"set(entry\n  accrete/data/table.hpp)\nset(included\n  {listed})\n")
        self.assert_rejects("no entry header includes accrete/loss/list.hpp")


if __name__ == "__main__":
    unittest.main()
