"""Clients that others wrote get the answers of `accrete predict`, to the last digit."""

import json
import math
import urllib.request

import httpx
import numpy
import pytest
import tritonclient.http as triton
from conftest import read_csv
from open_inference.openapi.client import InferenceRequest, OpenInferenceClient
from prometheus_client.parser import text_string_to_metric_families


@pytest.fixture
def client(server):
    return triton.InferenceServerClient(server.address)


def columns(folder, name, count):
    """The columns of the first rows, as arrays: numbers with NaN where missing, or texts."""
    rows = read_csv(folder / f"{name}.csv")[:count]
    texts = {"colour", "when"}
    names = [key for key in rows[0] if key not in {"kind", "target", "class", "y"}]
    names = names[: len(rows[0]) - 1]
    return {
        key: numpy.array([row[key].encode() for row in rows], dtype=object)
        if key in texts
        else numpy.array([float(row[key] or math.nan) for row in rows], dtype=numpy.float64)
        for key in names
    }


def inputs_of(arrays, binary):
    inputs = []
    for name, values in arrays.items():
        kind = "BYTES" if values.dtype == object else "FP64"
        inputs.append(triton.InferInput(name, list(values.shape), kind))
        inputs[-1].set_data_from_numpy(values, binary_data=binary)
    return inputs


def test_triton_client_sees_the_server(client, server):
    assert client.is_server_live() and client.is_server_ready()
    assert client.is_model_ready("mixed") and client.is_model_ready("mixed", "1")
    assert not client.is_model_ready("absent") and not client.is_model_ready("mixed", "2")
    assert client.get_server_metadata()["name"] == "accrete"
    assert {model["name"] for model in client.get_model_repository_index()} == {"mixed", "number", "waves"}
    metadata = client.get_model_metadata("mixed")
    assert [(i["name"], i["datatype"]) for i in metadata["inputs"]] == [
        ("size", "FP32"),
        ("colour", "BYTES"),
        ("when", "BYTES"),
    ]
    assert [o["name"] for o in metadata["outputs"]] == ["label", "probabilities"]


@pytest.mark.parametrize("units", (None, 30))
@pytest.mark.parametrize("binary_output", (True, False))
def test_labels_and_probabilities_in_binary_and_json(client, folder, predicted, units, binary_output):
    arrays = columns(folder, "mixed", 50)
    outputs = [triton.InferRequestedOutput(name, binary_data=binary_output) for name in ("label", "probabilities")]
    parameters = {"units": units} if units else None
    reply = client.infer("mixed", inputs_of(arrays, True), outputs=outputs, request_id="7", parameters=parameters)
    expected = predicted("mixed", "--proba", *(["--units", str(units)] if units else []))[:50]
    labels = [x.decode() if isinstance(x, bytes) else x for x in reply.as_numpy("label")]
    assert labels == [row["prediction"] for row in expected]
    assert [repr(float(p)) for p in reply.as_numpy("probabilities")[:, 0]] == [
        repr(float(row["p_big"])) for row in expected
    ]
    response = reply.get_response()
    assert response["id"] == "7" and response["parameters"]["units"] == (units or 60)


def test_default_of_the_triton_client_is_binary(client, folder, predicted):
    reply = client.infer("waves", inputs_of(columns(folder, "waves", 300), True))
    expected = predicted("waves", "--proba")
    names = [key for key in expected[0] if key.startswith("p_")]
    assert numpy.array_equal(
        reply.as_numpy("probabilities"), numpy.array([[float(row[key]) for key in names] for row in expected])
    )


def test_numbers_and_intervals(client, folder, predicted):
    arrays = {name: values.astype(numpy.float32) for name, values in columns(folder, "number", 20).items()}
    inputs = []
    for name, values in arrays.items():
        inputs.append(triton.InferInput(name, [20, 1], "FP32"))
        inputs[-1].set_data_from_numpy(values.reshape(20, 1))
    reply = client.infer("number", inputs)
    expected = predicted("number", "--interval")[:20]
    assert reply.as_numpy("prediction").tolist() == [float(row["prediction"]) for row in expected]
    assert reply.as_numpy("interval").tolist() == [[float(row["lower"]), float(row["upper"])] for row in expected]


def test_one_matrix_holds_all_columns(client, folder, predicted):
    matrix = numpy.stack(list(columns(folder, "number", 20).values()), axis=1)
    rows = triton.InferInput("rows", list(matrix.shape), "FP64")
    rows.set_data_from_numpy(matrix)
    expected = predicted("number")[:20]
    assert client.infer("number", [rows]).as_numpy("prediction").tolist() == [
        float(row["prediction"]) for row in expected
    ]


def test_contributions_add_up_to_the_score(client, folder):
    wanted = [triton.InferRequestedOutput(name) for name in ("probabilities", "contributions", "baseline")]
    reply = client.infer("mixed", inputs_of(columns(folder, "mixed", 10), True), outputs=wanted)
    contributions, baseline = reply.as_numpy("contributions"), reply.as_numpy("baseline")
    assert contributions.shape == (10, 3, 1)
    score = contributions.sum(axis=1)[:, 0] + baseline[0]
    assert numpy.allclose(1 / (1 + numpy.exp(-score)), reply.as_numpy("probabilities")[:, 1], atol=1e-6)


def test_errors_reach_the_triton_client(client):
    size = triton.InferInput("size", [1], "FP32")
    size.set_data_from_numpy(numpy.array([1], numpy.float32))
    with pytest.raises(triton.InferenceServerException, match="column 'colour' is missing"):
        client.infer("mixed", [size])
    with pytest.raises(triton.InferenceServerException, match="no model 'absent'"):
        client.infer("absent", [size])


def test_open_inference_client(server, folder, predicted):
    client = OpenInferenceClient(base_url=server.url, httpx_client=httpx.Client())
    client.check_server_liveness()
    client.check_server_readiness()
    client.check_model_readiness("mixed")
    assert client.read_server_metadata().name == "accrete"
    assert client.read_model_metadata("mixed").platform == "accrete"
    # The client turns texts that spell numbers into numbers, so the rows have no gap in the numbers.
    pairs = zip(read_csv(folder / "mixed.csv"), predicted("mixed"), strict=True)
    rows, expected = zip(*[(row, answer) for row, answer in pairs if row["size"]][:5], strict=True)
    reply = client.model_infer(
        "mixed",
        request=InferenceRequest(
            id="x",
            inputs=[
                {"name": "size", "shape": [5], "datatype": "FP32", "data": [float(row["size"]) for row in rows]},
                {"name": "colour", "shape": [5], "datatype": "BYTES", "data": [row["colour"] for row in rows]},
                {"name": "when", "shape": [5], "datatype": "BYTES", "data": [row["when"] for row in rows]},
            ],
        ),
    )
    assert reply.id == "x"
    labels = next(output for output in reply.outputs if output.name == "label")
    data = labels.data if isinstance(labels.data, list) else labels.data.__root__
    assert list(data) == [row["prediction"] for row in expected]


def test_null_is_a_gap_in_json(server, folder, predicted):
    rows = read_csv(folder / "mixed.csv")[:60]
    assert any(not row["size"] for row in rows) and any(not row["colour"] for row in rows)

    def column(name, kind, convert):
        return {
            "name": name,
            "shape": [60],
            "datatype": kind,
            "data": [convert(row[name]) if row[name] else None for row in rows],
        }

    body = {"inputs": [column("size", "FP32", float), column("colour", "BYTES", str), column("when", "BYTES", str)]}
    request = urllib.request.Request(f"{server.url}/v2/models/mixed/infer", data=json.dumps(body).encode())
    text = urllib.request.urlopen(request).read().decode()
    outputs = {output["name"]: output["data"] for output in json.loads(text)["outputs"]}
    expected = predicted("mixed", "--proba")[:60]
    assert outputs["label"] == [row["prediction"] for row in expected]
    assert all(row["p_big"] in text for row in expected)  # the same digits


def test_metrics_are_valid_and_count(server, client, folder):
    def samples():
        text = urllib.request.urlopen(f"{server.url}/metrics").read().decode()
        return {
            (sample.name, sample.labels.get("model"), sample.labels.get("le")): sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
        }

    before = samples()
    client.infer("mixed", inputs_of(columns(folder, "mixed", 4), True), parameters={"units": 30})
    after = samples()
    rows = ("accrete_rows_total", "mixed", None)
    assert after[rows] == before.get(rows, 0) + 4
    assert after["accrete_units", "mixed", None] == 30
    count = after["accrete_request_seconds_count", "mixed", None]
    assert after["accrete_request_seconds_bucket", "mixed", "+Inf"] == count


def test_access_log_has_one_line_per_request(server, client, folder):
    client.infer("mixed", inputs_of(columns(folder, "mixed", 4), True), request_id='odd "id"\n')
    record = server.records()[-1]
    assert (record["status"], record["model"], record["rows"], record["id"]) == (200, "mixed", 4, 'odd "id"\n')
