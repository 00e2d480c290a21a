"""Running a server: tokens, versions, reloading, batching, the latency budget, stopping, and what is refused."""

import concurrent.futures
import json
import os
import shutil
import signal
import subprocess
import threading
import time
import types
import urllib.error
import urllib.request

import pytest
from conftest import COMMAND, accrete, read_object, serving
from test_hostile import GOOD, post

ROW = [0.5] * 10


def infer(server, rows, model="number", **parameters):
    body = {
        "parameters": parameters,
        "inputs": [{"name": "rows", "shape": [len(rows), 10], "datatype": "FP64", "data": rows}],
    }
    status, reply = post(server, body, f"/v2/models/{model}/infer")
    assert status == 200, reply
    return reply


def get(server, path, **headers):
    try:
        with urllib.request.urlopen(urllib.request.Request(server.url + path, headers=headers), timeout=20) as reply:
            return reply.status, reply.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def wait_for(condition, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


def test_token_is_needed_except_for_probes(folder, tmp_path):
    (tmp_path / "token").write_text("s3cret\n")
    with serving(folder, "mixed.safetensors", "--token-file", str(tmp_path / "token")) as server:
        assert get(server, "/v2/health/live")[0] == get(server, "/v2/health/ready")[0] == 200
        for value in (None, "Bearer wrong", "s3cret", "Bearer "):
            headers = {"Authorization": value} if value else {}
            assert get(server, "/v2", **headers)[0] == get(server, "/metrics", **headers)[0] == 401
            assert post(server, GOOD, **headers) == (401, "a bearer token is needed")
        assert get(server, "/v2", Authorization="Bearer s3cret")[0] == 200
        assert post(server, GOOD, Authorization="Bearer s3cret")[0] == 200


def test_folder_has_models_and_versions_that_come_and_go(folder, tmp_path):
    (tmp_path / "number").mkdir()
    shutil.copy(folder / "number.safetensors", tmp_path / "number" / "1.safetensors")
    shutil.copy(folder / "mixed.safetensors", tmp_path / "mixed.safetensors")
    with serving(tmp_path, str(tmp_path)) as server:
        assert [(m["name"], m["version"]) for m in server.models] == [("mixed", "1"), ("number", "1")]
        short = infer(server, [ROW], units=30)
        accrete(folder, "grow", "number.safetensors", "number.csv", "--units", "90", "-o", str(tmp_path / "new"))
        os.rename(tmp_path / "new", tmp_path / "number" / "2.safetensors")
        assert wait_for(lambda: json.loads(get(server, "/v2/models/number")[1])["versions"] == ["1", "2"])
        assert infer(server, [ROW])["parameters"]["units"] == 90
        assert infer(server, [ROW], model="number/versions/1")["parameters"]["units"] == 60
        assert infer(server, [ROW], units=30)["outputs"][0] == short["outputs"][0]  # a grown model has no interval
        os.remove(tmp_path / "mixed.safetensors")
        assert wait_for(lambda: get(server, "/v2/models/mixed")[0] == 404)


def test_replaced_file_is_reloaded_without_a_failed_request(folder, tmp_path):
    path = tmp_path / "number.safetensors"
    shutil.copy(folder / "number.safetensors", path)
    accrete(folder, "grow", "number.safetensors", "number.csv", "--units", "66", "-o", str(tmp_path / "bigger"))
    with serving(tmp_path, "number.safetensors") as server:
        seen, stop = [], threading.Event()

        def ask():
            while not stop.is_set():
                seen.append(infer(server, [ROW])["parameters"]["units"])

        with concurrent.futures.ThreadPoolExecutor() as pool:
            running = [pool.submit(ask) for _ in range(4)]
            try:
                path.write_bytes(path.read_bytes()[:1000])  # damaged
                assert wait_for(lambda: any(r.get("event") == "refused" for r in server.records()))
                assert infer(server, [ROW])["parameters"]["units"] == 60
                os.replace(tmp_path / "bigger", path)
                assert wait_for(lambda: 66 in seen)
            finally:
                stop.set()
            for future in running:
                future.result()  # raises if a request failed
        assert set(seen) == {60, 66} and seen == sorted(seen, key=(60, 66).index) or seen[-1] == 66
        events = [(r["event"], r.get("error", "")) for r in server.records() if "event" in r]
        assert [name for name, _ in events] == ["refused", "reloaded"] and "number.safetensors" in events[0][1]
        assert "accrete_reloads_refused_total 1\n" in get(server, "/metrics")[1]


@pytest.mark.parametrize(
    ("flags", "expected"),
    (
        ([], {"request", "refused", "reloaded"}),
        (["--quiet"], {"refused"}),
        (["--quiet", "--log", "-"], {"request", "refused", "reloaded"}),
        (["--quiet", "--log", "none"], set()),
    ),
)
def test_quiet_leaves_refused_files_of_a_log_that_nobody_asked_for(folder, tmp_path, flags, expected):
    path = tmp_path / "number.safetensors"
    shutil.copy(folder / "number.safetensors", path)
    with (tmp_path / "errors").open("w") as errors:
        words = [COMMAND, "serve", str(path), "--port", "0", "--json", *flags]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=errors, text=True)
    server = types.SimpleNamespace(url=read_object(process.stdout)["url"])

    def reloads(kind):
        return f"accrete_reloads_{kind} 1\n" in get(server, "/metrics")[1]

    try:
        path.write_bytes(b"damaged")
        assert wait_for(lambda: reloads("refused_total"))
        shutil.copy(folder / "number.safetensors", tmp_path / "new")
        os.replace(tmp_path / "new", path)
        assert wait_for(lambda: reloads("total"))
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 0
    records = [json.loads(line) for line in (tmp_path / "errors").read_text().splitlines()]
    assert {record.get("event", "request") for record in records} == expected


def test_concurrent_requests_get_their_own_rows(folder, server):
    rows = [[i / 100] * 10 for i in range(100)]
    alone = [infer(server, [row])["outputs"] for row in rows]
    with concurrent.futures.ThreadPoolExecutor(32) as pool:
        together = list(pool.map(lambda row: infer(server, [row])["outputs"], rows * 3))
    assert together == alone * 3


def test_latency_budget_lowers_the_units_and_recovers(folder):
    # A budget that this model cannot keep with all units: the dial must go down under load, and up again.
    with serving(folder, "number.safetensors", "--latency", "1ms", "--min-units", "6") as server:
        many = [ROW] * 5000
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            used = list(pool.map(lambda _: infer(server, many)["parameters"]["units"], range(60)))
        assert min(used) == 6
        assert infer(server, [ROW], units=60)["parameters"]["units"] == 60  # a request's own dial counts
        assert wait_for(lambda: infer(server, [ROW])["parameters"]["units"] > 30, 60)


def test_stops_after_running_requests(folder):
    with serving(folder, "number.safetensors", "--max-rows", "200000", "--max-body", "200") as server:
        idle = urllib.request.urlopen(server.url + "/v2")
        many = [ROW] * 20000
        with concurrent.futures.ThreadPoolExecutor() as pool:
            running = pool.submit(infer, server, many)
            time.sleep(0.3)
            server.process.send_signal(signal.SIGTERM)
            try:
                assert len(running.result()["outputs"][0]["data"]) == 20000
            except urllib.error.URLError:
                pytest.fail("a running request was dropped")
        assert server.process.wait(timeout=20) == 0
        idle.close()


@pytest.mark.parametrize(
    ("words", "error"),
    (
        (["absent.safetensors"], "absent.safetensors"),
        (["number.csv"], "number.csv"),
        (["mixed.safetensors", "mixed=number.safetensors"], "both version 1 of model 'mixed'"),
        (["a/b=mixed.safetensors"], "cannot be the name"),
        (["plain.safetensors", "--latency", "2ms"], "plain network without a dial"),
        (["mixed.safetensors", "--latency", "soon"], "not a time such as"),
        (["mixed.safetensors", "--min-units", "30"], "needs --latency"),
        (["mixed.safetensors", "--latency", "2ms", "--min-units", "99"], "the model has 60"),
        (["mixed.safetensors", "--host", "203.0.113.7"], "cannot listen on 203.0.113.7"),
        (["mixed.safetensors", "--token-file", "mixed.csv"], "must contain one token"),
    ),
)
def test_refuses_in_one_line(folder, words, error):
    words = ["serve", *words, "--port", "0"]
    if not (folder / "plain.safetensors").exists():
        flags = ["--method", "network", "--hidden", "5", "-o", "plain.safetensors"]
        accrete(folder, "train", "mixed.csv", *flags)
    run = subprocess.run([COMMAND, *words], cwd=folder, capture_output=True, text=True, timeout=60)
    assert run.returncode in (1, 2) and error in run.stderr and run.stderr.count("\n") == 1, run.stderr


def test_port_in_use_is_refused(folder, server):
    words = [COMMAND, "serve", "mixed.safetensors", "--port", str(server.port)]
    run = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=60)
    assert run.returncode == 1 and "Address already in use" in run.stderr


def test_plain_model_has_no_dial(folder):
    test_refuses_in_one_line(folder, ["absent"], "absent")  # makes plain.safetensors
    with serving(folder, "plain.safetensors") as server:
        path = "/v2/models/plain/infer"
        assert post(server, GOOD, path)[0] == 200
        status, error = post(server, {**GOOD, "parameters": {"units": 3}}, path)
        assert status == 400 and "plain network" in error
        status, error = post(server, {**GOOD, "outputs": [{"name": "contributions"}]}, path)
        assert status == 400


def test_rows_exit_early_as_in_the_command(folder, tmp_path):
    accrete(folder, "data", "make", "waveform", "-n", "900", "--seed", "5", "-o", str(tmp_path / "held_out.csv"))
    shutil.copy(folder / "waves.safetensors", tmp_path / "waves.safetensors")
    accrete(tmp_path, "dial", "waves.safetensors", "held_out.csv", "--disagreement", "0.05", "-o", "exits.safetensors")
    accrete(tmp_path, "predict", "exits.safetensors", "held_out.csv", "--exit", "--proba", "-o", "p.csv")
    expected = [[float(x) for x in line.split(",")[-3:]] for line in (tmp_path / "p.csv").read_text().split()[1:]]
    lines = (tmp_path / "held_out.csv").read_text().split()[1:]
    rows = [[float(x) for x in line.split(",")[:21]] for line in lines]
    body = {"inputs": [{"name": "rows", "shape": [len(rows), 21], "datatype": "FP64", "data": rows}]}
    with serving(tmp_path, "exits.safetensors", "waves.safetensors") as server:
        exits = {**body, "parameters": {"exit": True}}
        status, reply = post(server, exits, "/v2/models/exits/infer")
        assert status == 200, reply
        probabilities = reply["outputs"][1]["data"]
        assert probabilities == [x for row in expected for x in row]
        assert reply["parameters"]["units"] == 60 > reply["parameters"]["mean_units"]
        all_units = post(server, body, "/v2/models/exits/infer")[1]["outputs"]
        labels = zip(reply["outputs"][0]["data"], all_units[0]["data"])
        assert sum(a != b for a, b in labels) <= 0.05 * len(rows) < len(rows)
        assert all_units[1]["data"] != probabilities
        with concurrent.futures.ThreadPoolExecutor(8) as pool:  # batched with requests of other kinds
            kinds = [exits, body] * 8
            replies = list(pool.map(lambda kind: post(server, kind, "/v2/models/exits/infer")[1]["outputs"], kinds))
        assert replies == [reply["outputs"], all_units] * 8
        for changed, message in (
            ({"parameters": {"exit": True, "units": 30}}, "'exit' and 'units'"),
            ({"parameters": {"exit": 1}}, "true or false"),
            (
                {"parameters": {"exit": True}, "outputs": [{"name": "contributions"}]},
                "cannot be used with the parameter 'exit'",
            ),
        ):
            status, error = post(server, {**body, **changed}, "/v2/models/exits/infer")
            assert status == 400 and message in error
        status, error = post(server, exits, "/v2/models/waves/infer")
        assert status == 400 and "exit" in error
