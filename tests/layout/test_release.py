"""scripts/release.py on a small project, and the workflows of the project."""

import hashlib
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = {
    "CMakeLists.txt": "project(accrete VERSION 1.2.3 LANGUAGES CXX)\n",
    "CITATION.cff": "title: accrete\nversion: 1.2.3\n",
    "packaging/conda/meta.yaml": '{% set version = "1.2.3" %}\n',
    "packaging/homebrew/accrete.rb": '  url "https://example.org/v1.2.3.tar.gz"\n',
    "packaging/vcpkg/accrete/vcpkg.json": '{ "version": "1.2.3" }\n',
    "CHANGELOG.md": "# Changelog\n\n## [1.2.3] - 2030-01-02\n\n- New.\n\n## [1.2.2] - 2029-01-02\n\n- Old.\n",
    "files/accrete-1.2.3.whl": "a wheel",
}


class Release(unittest.TestCase):
    def release(self, tag="v1.2.3", **changed):
        """Runs the script on FILES with some files changed; returns its result and the folder."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = pathlib.Path(folder.name)
        for name, text in {**FILES, **changed}.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        script = str(ROOT / "scripts" / "release.py")
        command = [sys.executable, script, tag, str(root / "files"), "--root", str(root)]
        return subprocess.run(command, text=True, capture_output=True), root

    def test_writes_checksums_and_the_section_of_the_changelog(self):
        result, root = self.release()
        self.assertEqual(result.returncode, 0, result.stderr)
        expected = f"{hashlib.sha256(b'a wheel').hexdigest()}  accrete-1.2.3.whl\n"
        self.assertEqual((root / "files" / "SHA256SUMS").read_text(), expected)
        self.assertEqual((root / "build" / "release-notes.md").read_text(), "- New.\n")

    def test_rejects_a_tag_of_another_version(self):
        result, root = self.release("v1.2.4")
        self.assertEqual(result.returncode, 1)
        for name in FILES.keys() - {"CHANGELOG.md", "files/accrete-1.2.3.whl"}:
            self.assertIn(f"{name}: has version 1.2.3, the tag says 1.2.4", result.stderr)
        self.assertFalse((root / "files" / "SHA256SUMS").exists())

    def test_rejects_a_changelog_without_a_date(self):
        result, _ = self.release(**{"CHANGELOG.md": "## [Unreleased]\n\n## [1.2.3] - unreleased\n"})
        self.assertEqual(result.returncode, 1)
        self.assertIn("CHANGELOG.md: has no section", result.stderr)

    def test_rejects_a_tag_that_is_not_a_version(self):
        result, _ = self.release("v1.2")
        self.assertEqual(result.returncode, 1)
        self.assertIn("v1.2: a tag is vX.Y.Z", result.stderr)


class Workflows(unittest.TestCase):
    def test_call_commands_of_dev_that_exist(self):
        usage = subprocess.run([ROOT / "dev", "help"], text=True, capture_output=True, check=True).stdout
        known = set(re.findall(r"^  ([a-z-]+)", usage, re.MULTILINE))
        for path in sorted((ROOT / ".github" / "workflows").glob("*.yml")):
            calls = re.findall(r"\./dev ([a-z-]+)(?: (--\S+))?", path.read_text())
            self.assertTrue(calls, path)
            for command, option in calls:
                self.assertIn(command, known, path)
                if "${{" not in option:
                    self.assertIn(option, usage, path)

    def test_call_dev_in_each_job_that_builds(self):
        for path in sorted((ROOT / ".github" / "workflows").glob("*.yml")):
            jobs = re.split(r"^  (?=[a-z-]+:$)", path.read_text().split("\njobs:\n")[1], flags=re.MULTILINE)[1:]
            for job in jobs:
                called = "./dev " in job or "uses: ./.github/workflows/" in job or job.startswith("deploy:")
                self.assertTrue(called, f"{path}: {job}")


if __name__ == "__main__":
    unittest.main()
