"""The C ABI, called with ctypes and compared with the command. Runs with python3 or pytest.

ACCRETE_C_LIBRARY and ACCRETE_COMMAND are the paths to test; the defaults are in build/release.
"""

import csv
import ctypes
import json
import math
import os
import pathlib
import subprocess
import tempfile
import threading
import unittest

BUILD = pathlib.Path(__file__).resolve().parents[2] / "build" / "release"
LIBRARY = os.environ.get("ACCRETE_C_LIBRARY", str(BUILD / "libaccrete.so"))
COMMAND = os.environ.get("ACCRETE_COMMAND", str(BUILD / "accrete"))

OK, USAGE, DATA, FILE = range(4)
SIZE, TEXT, HANDLE = ctypes.c_size_t, ctypes.c_char_p, ctypes.c_void_p
FLOATS, DOUBLES = ctypes.POINTER(ctypes.c_float), ctypes.POINTER(ctypes.c_double)

# Result type and argument types of each function.
FUNCTIONS = {
    "accrete_version": (TEXT,),
    "accrete_abi_version": (ctypes.c_int,),
    "accrete_load": (ctypes.c_int, TEXT, ctypes.POINTER(HANDLE), TEXT, SIZE),
    "accrete_load_bytes": (ctypes.c_int, TEXT, SIZE, ctypes.POINTER(HANDLE), TEXT, SIZE),
    "accrete_free": (None, HANDLE),
    "accrete_predict": (ctypes.c_int, HANDLE, FLOATS, SIZE, SIZE, DOUBLES, TEXT, SIZE),
    "accrete_label": (TEXT, HANDLE, DOUBLES),
    "accrete_describe": (TEXT, HANDLE),
    "accrete_task": (TEXT, HANDLE),
    "accrete_inputs": (SIZE, HANDLE),
    "accrete_outputs": (SIZE, HANDLE),
    "accrete_units": (SIZE, HANDLE),
    "accrete_input_name": (TEXT, HANDLE, SIZE),
    "accrete_input_kind": (TEXT, HANDLE, SIZE),
    "accrete_level": (ctypes.c_float, HANDLE, SIZE, TEXT),
}


def open_library():
    library = ctypes.CDLL(LIBRARY)
    for name, (result, *arguments) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def accrete(*words):
    return subprocess.run([COMMAND, *map(str, words)], check=True, capture_output=True, text=True).stdout


class Model:
    """A handle, the status of loading and its error message."""

    def __init__(self, library, data):
        self.library, self.handle, error = library, HANDLE(), ctypes.create_string_buffer(256)
        self.status = library.accrete_load_bytes(data, len(data), ctypes.byref(self.handle), error, 256)
        self.error = error.value.decode()

    def row(self, record):
        """A CSV record as a row of numbers; an empty cell is a missing value."""
        library, x = self.library, []
        for i in range(library.accrete_inputs(self.handle)):
            cell = record[library.accrete_input_name(self.handle, i).decode()]
            if library.accrete_input_kind(self.handle, i) == b"text":
                x.append(library.accrete_level(self.handle, i, cell.encode() or None))
            else:
                x.append(float(cell) if cell else math.nan)
        return x

    def predict(self, rows, units=0):
        flat = [value for row in rows for value in row]
        outputs = self.library.accrete_outputs(self.handle)
        out, error = (ctypes.c_double * (len(rows) * outputs))(), ctypes.create_string_buffer(256)
        x = (ctypes.c_float * len(flat))(*flat)
        status = self.library.accrete_predict(self.handle, x, len(rows), units, out, error, 256)
        if status != OK:
            raise ValueError(status, error.value.decode())
        return [list(out[r * outputs : (r + 1) * outputs]) for r in range(len(rows))]

    def label(self, prediction):
        return self.library.accrete_label(self.handle, (ctypes.c_double * len(prediction))(*prediction)).decode()

    def close(self):
        self.library.accrete_free(self.handle)


class CAbi(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.library = open_library()
        # Text with two classes and numbers with three, both with missing values.
        cls.boards = cls.train("tic-tac-toe")
        cls.waves = cls.train("waveform", "-n", 400)
        cls.binned = cls.train("waveform", "-n", 300, flags=("--bins", 9))

    @classmethod
    def tearDownClass(cls):
        cls.boards[0].close()
        cls.waves[0].close()
        cls.binned[0].close()
        cls.folder.cleanup()

    @classmethod
    def train(cls, name, *rows, flags=()):
        table, model = (os.path.join(cls.folder.name, f"{name}{len(flags)}{end}") for end in (".csv", ".safetensors"))
        accrete("data", "make", name, *rows, "-o", table)
        with open(table, newline="") as file:
            records = list(csv.DictReader(file))
        for r, record in enumerate(records[::7]):
            record[list(record)[r % 3]] = ""
        with open(table, "w", newline="") as file:
            writer = csv.DictWriter(file, records[0])
            writer.writeheader()
            writer.writerows(records)
        words = "--target", "target", "--units", 40, "--units-per-step", 4, "--seed", 1, "-q"
        accrete("train", table, *words, *flags, "-o", model)
        return Model(cls.library, pathlib.Path(model).read_bytes()), table, model, records

    def test_quantiles_are_outputs(self):
        model, table, path, records = self.train("friedman1", "-n", 200, flags=("--quantiles", "0.1,0.5,0.9"))
        rows = [model.row(record) for record in records[:20]]
        expected = list(csv.reader(accrete("predict", path, table).splitlines()))[1:21]
        self.assertEqual(self.library.accrete_outputs(model.handle), 3)
        for predicted, line in zip(model.predict(rows), expected):
            for value, text in zip(predicted, line):
                self.assertAlmostEqual(value, float(text), places=4)
        model.close()

    def test_predicts_as_the_command_does(self):
        for model, table, path, records in (self.boards, self.waves, self.binned):
            rows = [model.row(record) for record in records]
            for units in (4, 22, 40):
                lines = accrete("predict", path, table, "--units", units, "--proba").splitlines()
                expected = list(csv.reader(lines))[1:]
                predictions = model.predict(rows, units)
                self.assertEqual(len(expected), len(predictions))
                for (label, *proba), prediction in zip(expected, predictions):
                    self.assertEqual(label, model.label(prediction))
                    for wanted, found in zip(map(float, proba), prediction):
                        self.assertAlmostEqual(wanted, found, delta=1e-5)

    def test_describes_the_model(self):
        model = self.boards[0]
        description = json.loads(self.library.accrete_describe(model.handle))
        self.assertEqual(description["task"], "binary")
        self.assertEqual(description["units"], self.library.accrete_units(model.handle))
        self.assertEqual(description["step_units"], list(range(4, 41, 4)))
        self.assertEqual({tuple(i["levels"]) for i in description["inputs"]}, {("b", "o", "x")})
        version = accrete("--version").split()[1]
        self.assertEqual(self.library.accrete_version().decode(), version)
        self.assertEqual(self.library.accrete_abi_version(), 1)

    def test_errors_have_a_status_and_a_message(self):
        model, _, path, records = self.waves
        row = model.row(records[0])
        with self.assertRaisesRegex(ValueError, rf"{USAGE}, .100 units requested; the model has 40"):
            model.predict([row], units=100)
        with self.assertRaisesRegex(ValueError, rf"{DATA}, .row 2 .counting from 1., column"):
            model.predict([row, [math.inf] * len(row)])
        damaged = bytearray(pathlib.Path(path).read_bytes())
        damaged[-1] ^= 1
        damaged_model = Model(self.library, bytes(damaged))
        self.assertEqual(damaged_model.status, FILE)
        self.assertIn("checksum mismatch", damaged_model.error)
        self.assertIsNone(damaged_model.handle.value)
        missing = HANDLE()
        self.assertEqual(self.library.accrete_load(b"/none", ctypes.byref(missing), None, 0), FILE)

    def test_threads_share_a_handle(self):
        model, _, _, records = self.waves
        rows = [model.row(record) for record in records]
        expected = {units: model.predict(rows, units) for units in (4, 20, 40, 0)}
        wrong = []

        def predict_repeatedly(units):
            for _ in range(20):
                if model.predict(rows, units) != expected[units]:
                    wrong.append(units)

        threads = [threading.Thread(target=predict_repeatedly, args=(units,)) for units in list(expected) * 2]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
