"""site/check_links.py on small sites, and the navigation of the documentation site."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Links(unittest.TestCase):
    def check(self, **pages):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in pages.items():
                (pathlib.Path(folder) / f"{name}.html").write_text(text)
            command = [sys.executable, str(ROOT / "site" / "check_links.py"), folder]
            return subprocess.run(command, text=True, capture_output=True)

    def test_accepts_pages_anchors_and_links_to_other_hosts(self):
        result = self.check(
            a='<h1 id="one"></h1><a href="b.html#two"></a><a href="#one"></a><a href="https://example.org/x"></a>',
            b='<p id="two"><img src="data:image/png;base64,"></p><a href="a.html"></a>',
        )
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_rejects_a_missing_file(self):
        result = self.check(a='<a href="b.html"></a>')
        self.assertEqual(result.returncode, 1)
        self.assertIn("a.html: no file for b.html", result.stdout)

    def test_rejects_a_missing_anchor(self):
        result = self.check(a='<a href="b.html#two"></a>', b='<p id="one"></p>')
        self.assertEqual(result.returncode, 1)
        self.assertIn("a.html: no anchor for b.html#two", result.stdout)

    def test_rejects_a_script_of_another_host(self):
        result = self.check(a='<script src="https://example.org/x.js"></script>')
        self.assertEqual(result.returncode, 1)
        self.assertIn("a.html: loads https://example.org/x.js from another host", result.stdout)


class Navigation(unittest.TestCase):
    def test_names_every_page_of_docs(self):
        config = (ROOT / "site" / "mkdocs.yml").read_text()
        for page in sorted((ROOT / "docs").rglob("*.md")):
            name = page.relative_to(ROOT).as_posix()
            self.assertRegex(config, rf"(?m)[ :]{name}$", f"add {name} to the nav of site/mkdocs.yml")


if __name__ == "__main__":
    unittest.main()
