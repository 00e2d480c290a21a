"""scripts/check_words.py on small files. Banned words are put together here, since this file is checked too."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Words(unittest.TestCase):
    def check(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "example.cpp"
            path.write_text(text)
            command = [sys.executable, str(ROOT / "scripts" / "check_words.py"), str(path)]
            return subprocess.run(command, text=True, capture_output=True)

    def test_accepts_the_words_of_the_field(self):
        result = self.check("std::size_t max_units = least_squares_rows;  // at least so much\n")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_rejects_an_identifier(self):
        result = self.check("int a = 0;\nint " + "most" + "_units = 1;\n")
        self.assertEqual(result.returncode, 1)
        self.assertIn("example.cpp:2:", result.stdout)
        self.assertIn("use max_ or min_", result.stdout)

    def test_rejects_words_on_both_sides_of_a_line_break_in_a_comment(self):
        result = self.check("// Reads " + "So\n  // " + "many rows.\n")
        self.assertEqual(result.returncode, 1)
        self.assertIn("example.cpp:1:", result.stdout)


if __name__ == "__main__":
    unittest.main()
