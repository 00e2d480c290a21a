"""Parquet and Arrow files on the command line of the package."""

import csv
import datetime
import decimal
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from accrete import BoostedNetworkClassifier

pa = pytest.importorskip("pyarrow")
feather = pytest.importorskip("pyarrow.feather")
parquet = pytest.importorskip("pyarrow.parquet")

from accrete import _arrow_files

ROWS = 90
COLOURS = ["dark, red", 'a "b"', "two\nlines"]
TRAIN = ["--units", "8", "--bins", "4", "--alpha", "0.1", "--seed", "3"]


def make_columns():
    draw = np.random.default_rng(2)
    start = datetime.datetime(2024, 3, 1)
    sizes = draw.normal(size=ROWS).tolist()
    return {
        "size": [None if row % 9 == 0 else float("nan") if row % 10 == 0 else sizes[row] for row in range(ROWS)],
        "count": [None if row % 8 == 0 else int(draw.integers(9)) for row in range(ROWS)],
        "open": [bool(value) for value in draw.random(ROWS) < 0.5],
        "colour": [None if row % 7 == 0 else str(draw.choice(COLOURS)) for row in range(ROWS)],
        "kind": draw.choice(["p;q", "r;s"], ROWS).tolist(),
        "day": [(start + datetime.timedelta(days=int(days))).date() for days in draw.integers(300, size=ROWS)],
        "time": [start + datetime.timedelta(hours=6 * int(hours)) for hours in draw.integers(300, size=ROWS)],
        "target": draw.choice(["no", "yes"], ROWS).tolist(),
    }


def make_table():
    columns = make_columns()
    types = {"kind": pa.dictionary(pa.int8(), pa.string()), "time": pa.timestamp("us", tz="Europe/Rome")}
    return pa.table({name: pa.array(cells, types.get(name)) for name, cells in columns.items()})


def text_of(cell):
    """What a CSV file has for a cell."""
    if cell is None or cell != cell:
        return ""
    if isinstance(cell, datetime.datetime):
        return str(cell).removesuffix(" 00:00:00")
    return str(int(cell) if isinstance(cell, bool) else cell)


def write_csv(path, columns):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows([text_of(cell) for cell in row] for row in zip(*columns.values()))


def write_stream(table, path):
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, table.schema) as writer:
        writer.write_table(table)


WRITERS = {
    "data.parquet": lambda table, path: parquet.write_table(table, path, row_group_size=40),
    "data.feather": lambda table, path: feather.write_feather(table, path),
    "data.arrow": write_stream,
}


@pytest.fixture
def accrete(tmp_path):
    """A function that runs `python -m accrete`, and checks that it leaves no temporary files."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()

    def call(*words, code=0):
        command = [sys.executable, "-m", "accrete", *map(str, words)]
        done = subprocess.run(
            command, text=True, capture_output=True, cwd=tmp_path, env={**os.environ, "TMPDIR": str(scratch)}
        )
        assert done.returncode == code, done.stderr
        assert list(scratch.iterdir()) == []
        return done

    return call


@pytest.mark.parametrize("name", WRITERS)
def test_gives_the_model_and_predictions_of_the_csv_file(name, accrete, tmp_path):
    write_csv(tmp_path / "data.csv", make_columns())
    WRITERS[name](make_table(), tmp_path / name)
    accrete("train", "data.csv", *TRAIN, "-o", "csv.safetensors")
    accrete("train", name, *TRAIN)
    assert (tmp_path / "data.safetensors").read_bytes() == (tmp_path / "csv.safetensors").read_bytes()
    of_csv, of_file = (accrete("predict", "data.safetensors", file, "--proba").stdout for file in ("data.csv", name))
    assert of_file == of_csv and len(of_csv.splitlines()) == ROWS + 1


def test_gives_the_model_of_the_table_in_python(accrete, tmp_path):
    table = make_table()
    WRITERS["data.parquet"](table, tmp_path / "data.parquet")
    accrete("train", "data.parquet", *TRAIN)
    clf = BoostedNetworkClassifier(n_units=8, bins=4, alpha=0.1, random_state=3)
    clf.fit(table.drop_columns(["target"]), table["target"].to_numpy(zero_copy_only=False))
    assert clf.model_.to_bytes() == (tmp_path / "data.safetensors").read_bytes()


def test_reads_validation_rows_too(accrete, tmp_path):
    write_csv(tmp_path / "data.csv", make_columns())
    (tmp_path / "more").mkdir()
    for path in ("data.parquet", "more/data.parquet"):
        WRITERS["data.parquet"](make_table(), tmp_path / path)
    accrete("train", "data.csv", *TRAIN, "--validation", "data.csv", "-o", "a.safetensors")
    accrete("train", "data.parquet", *TRAIN, "--validation=more/data.parquet", "-o", "b.safetensors")
    assert (tmp_path / "a.safetensors").read_bytes() == (tmp_path / "b.safetensors").read_bytes()


def test_values_are_written_exactly(tmp_path, monkeypatch):
    monkeypatch.setattr(_arrow_files, "BATCH_ROWS", 2)
    table = pa.table(
        {
            'wide "x"': pa.array([0.1, 1 / 3, -1e300, 5e-324, None]),
            "single": pa.array([0.1, 1 / 3, 1e30, float("nan"), None], pa.float32()),
            "whole": pa.array([2**63 - 1, -(2**63), 0, 1, None]),
            "price": pa.array([decimal.Decimal("12.50"), None, None, decimal.Decimal("-0.01"), None]),
            "text": pa.array(["", "a,b", 'q"', "é", None]).cast(pa.string_view()),
            "day": pa.array([datetime.date(1960, 2, 29), None, None, None, datetime.date(2024, 1, 1)], pa.date64()),
            "before": pa.array([-1, 0, 1, 86_400_000_000_000, None], pa.timestamp("ns")),
            "none": pa.nulls(5),
        }
    )
    parquet.write_table(table, tmp_path / "t.parquet")
    assert _arrow_files.write_csv(tmp_path / "t.parquet", tmp_path / "t.csv") == []
    header, *rows = csv.reader(open(tmp_path / "t.csv", newline=""))
    assert header == table.column_names
    cells = dict(zip(header, zip(*rows)))
    *wide, last = cells['wide "x"']
    assert [float(cell) for cell in wide] == [0.1, 1 / 3, -1e300, 5e-324] and last == ""
    assert [np.float32(cell) for cell in cells["single"][:3]] == [np.float32(v) for v in (0.1, 1 / 3, 1e30)]
    assert cells["single"][0] == "0.1" and cells["single"][3:] == ("", "")
    assert cells["whole"] == (str(2**63 - 1), str(-(2**63)), "0", "1", "")
    assert cells["price"] == ("12.50", "", "", "-0.01", "")
    assert cells["text"] == ("", "a,b", 'q"', "é", "")
    assert cells["day"] == ("1960-02-29", "", "", "", "2024-01-01")
    assert cells["before"] == ("1969-12-31 23:59:59", "1970-01-01", "1970-01-01", "1970-01-02", "")
    assert cells["none"] == ("",) * 5


def test_the_index_of_pandas_is_left_out(accrete, tmp_path):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"x": np.arange(20.0), "target": np.arange(20.0)}, index=[f"r{row}" for row in range(20)])
    frame.rename_axis("label").to_parquet(tmp_path / "d.parquet")
    done = accrete("train", "d.parquet", "--units", 4, "--auto", "off")
    assert "d.parquet: left out the index of the frame: label" in done.stderr
    assert "index" not in accrete("train", "d.parquet", "--units", 4, "--auto", "off", "-q").stderr
    frame.reset_index(drop=True).to_parquet(tmp_path / "d.parquet")
    assert _arrow_files.write_csv(tmp_path / "d.parquet", tmp_path / "d.csv") == []


def test_errors_of_the_command_name_the_file(accrete, tmp_path):
    parquet.write_table(pa.table({"x": [1, 2], "y": [1, 2]}), tmp_path / "d.parquet")
    assert "d.parquet; columns: x, y" in accrete("train", "d.parquet", "--target", "z", code=2).stderr
    assert accrete("train", "d.parquet", "--no-header", code=2).stderr == (
        "accrete: --no-header: the columns of d.parquet have names\n"
    )


def test_files_that_cannot_be_converted_are_one_line(accrete, tmp_path):
    parquet.write_table(pa.table({"x": [1, 2], "tags": [["a"], []]}), tmp_path / "lists.parquet")
    assert accrete("train", "lists.parquet", code=1).stderr == (
        "accrete: lists.parquet: column 'tags' holds list<element: string>; convert it to numbers or text first\n"
    )
    (tmp_path / "text.arrow").write_text("x,y\n1,2\n")
    (tmp_path / "cut.parquet").write_bytes((tmp_path / "lists.parquet").read_bytes()[:100])
    parquet.write_table(pa.table({}), tmp_path / "empty.parquet")
    reasons = {
        "text.arrow": "not a Parquet or Arrow file",
        "cut.parquet": ".",
        "empty.parquet": "the file has no columns",
    }
    for name, reason in reasons.items():
        with pytest.raises(_arrow_files.ArrowFileError, match=f"{name}: {reason}[^\n]*$"):
            _arrow_files.write_csv(tmp_path / name, tmp_path / "out.csv")


def test_says_what_to_install_without_pyarrow(tmp_path):
    (tmp_path / "d.parquet").write_bytes(b"PAR1")
    script = "import sys; sys.modules['pyarrow'] = None; from accrete.__main__ import main; main()"
    command = [sys.executable, "-c", script, "train", "d.parquet"]
    done = subprocess.run(command, text=True, capture_output=True, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr == "accrete: d.parquet: Parquet and Arrow files need pyarrow: pip install pyarrow\n"


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_interrupted_commands_leave_no_temporary_files(how, tmp_path):
    WRITERS["data.parquet"](make_table(), tmp_path / "data.parquet")
    (tmp_path / "scratch").mkdir()
    words = ["train", "data.parquet", "--units", "100000000", "--auto", "off", "--checkpoint-every", "10"]
    child = subprocess.Popen(
        [sys.executable, "-m", "accrete", *words],
        cwd=tmp_path, env={**os.environ, "TMPDIR": str(tmp_path / "scratch")},
        text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    checkpoint = tmp_path / "data.safetensors.checkpoint"
    while not checkpoint.exists() and child.poll() is None:
        time.sleep(0.005)
    assert list((tmp_path / "scratch").rglob("data.parquet"))
    child.send_signal(how)
    child.communicate(timeout=60)
    assert child.returncode == (-how if how == signal.SIGKILL else 130)
    assert list((tmp_path / "scratch").iterdir()) == []
