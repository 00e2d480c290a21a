"""Converts Parquet and Arrow files to CSV, which the command reads. Needs pyarrow.

Cells become what the command makes of an Arrow table's: bools are 0 and 1, categories are their texts, dates are texts
such as "2024-05-01 13:45:10" without a time zone, nulls and NaN are empty.
"""

import csv
import io

BATCH_ROWS = 65_536


class ArrowFileError(Exception):
    """A file that cannot be converted; the message names it."""


def write_csv(source, destination):
    """Converts a file batch by batch. Returns the names of pandas' index columns, which are left out."""
    try:
        import pyarrow as pa
    except ImportError:
        raise ArrowFileError(f"{source}: Parquet and Arrow files need pyarrow: pip install pyarrow") from None
    try:
        with open(source, "rb") as file:
            schema, batches = _open(pa, file)
            return _write(pa, schema, batches, destination)
    except (pa.ArrowException, ValueError, OSError) as error:
        reason = str(error).strip().split("\n")[0] or type(error).__name__
        raise ArrowFileError(f"{source}: {reason}") from None


def _open(pa, file):
    """The schema and an iterator over record batches; detects the format by the first bytes of the file."""
    start = file.read(8)
    file.seek(0)
    if start.startswith(b"PAR1"):
        import pyarrow.parquet

        parquet = pyarrow.parquet.ParquetFile(file, pre_buffer=False)  # else it would hold the whole file
        return parquet.schema_arrow, parquet.iter_batches(BATCH_ROWS)
    if start.startswith(b"ARROW1"):
        reader = pa.ipc.open_file(file)
        return reader.schema, (reader.get_batch(index) for index in range(reader.num_record_batches))
    if start.startswith(b"FEA1"):
        raise ValueError("version 1 of Feather is not supported; write it again with pyarrow.feather.write_feather")
    try:
        reader = pa.ipc.open_stream(file)
    except pa.ArrowInvalid:
        raise ValueError("not a Parquet or Arrow file") from None
    return reader.schema, reader


def _write(pa, schema, batches, destination):
    from pyarrow.csv import CSVWriter, WriteOptions

    index = set(_index_columns(schema))
    used = [position for position, name in enumerate(schema.names) if name not in index]
    names = [schema.names[position] for position in used]
    if not names:
        raise ValueError("the file has no columns")

    def convert(columns):
        cells = [_cells(pa, columns[position], schema.names[position]) for position in used]
        return pa.RecordBatch.from_arrays(cells, names=[str(column) for column in range(len(used))])

    plain = convert([pa.nulls(0, kind) for kind in schema.types]).schema
    with open(destination, "wb") as out:
        header = io.StringIO()  # pyarrow rejects names with quotes
        csv.writer(header, lineterminator="\n").writerow(names)
        out.write(header.getvalue().encode())
        with CSVWriter(out, plain, write_options=WriteOptions(include_header=False)) as writer:
            for batch in batches:
                writer.write_batch(convert(batch.columns))
    return [name for name in schema.names if name in index]


def _index_columns(schema):
    """The columns that pandas restores as the index of a frame; they are not part of X."""
    named = (schema.pandas_metadata or {}).get("index_columns", [])
    return [name for name in named if isinstance(name, str)]  # others describe a range


def _cells(pa, column, name):
    """The column as numbers or text. Raises ValueError for other types."""
    import pyarrow.compute as pc

    kind = column.type
    if isinstance(kind, pa.BaseExtensionType):
        return _cells(pa, column.storage, name)
    if pa.types.is_dictionary(kind):
        return _cells(pa, column.dictionary_decode(), name)
    if pa.types.is_boolean(kind):
        return column.cast(pa.int8())
    if pa.types.is_floating(kind):
        column = column.cast(pa.float32()) if pa.types.is_float16(kind) else column
        return pc.if_else(pc.is_nan(column), None, column)
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        return _date_texts(pa, pc, column)
    if pa.types.is_decimal(kind) or kind.id in (pa.null().id, pa.string_view().id):
        return column.cast(pa.string())
    if pa.types.is_integer(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return column
    raise ValueError(f"column '{name}' holds {kind}; convert it to numbers or text first")


def _date_texts(pa, pc, column):
    """Dates as ISO texts, with a time unless it is midnight."""
    if pa.types.is_date(column.type):
        return column.cast(pa.date32()).cast(pa.string())
    instants = column.cast(pa.timestamp(column.type.unit))  # the time zone is ignored
    seconds = pc.floor_temporal(instants, unit="second").cast(pa.timestamp("s"))
    texts = pc.strftime(seconds, format="%Y-%m-%d %H:%M:%S")
    return pc.replace_substring_regex(texts, " 00:00:00$", "")
