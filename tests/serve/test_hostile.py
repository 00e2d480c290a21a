"""Hostile clients: each gets a 4xx or is closed, and others are not disturbed."""

import concurrent.futures
import json
import resource
import socket
import time
import urllib.error
import urllib.request

import pytest
from conftest import serving

GOOD = {
    "inputs": [
        {"name": "size", "shape": [1], "datatype": "FP32", "data": [1.5]},
        {"name": "colour", "shape": [1], "datatype": "BYTES", "data": ["a"]},
        {"name": "when", "shape": [1], "datatype": "BYTES", "data": ["2024-05-15"]},
    ]
}


@pytest.fixture(scope="module")
def strict(folder):
    """A server with short times and few connections."""
    limits = ["--header-time", "1s", "--idle-time", "20s", "--max-connections", "16", "--max-rows", "100"]
    with serving(folder, "mixed.safetensors", "--max-body", "1", *limits) as running:
        yield running


def post(server, body, path="/v2/models/mixed/infer", **headers):
    """The status and the error, if any. Text is sent as it is."""
    data = body if isinstance(body, bytes) else (body if isinstance(body, str) else json.dumps(body)).encode()
    request = urllib.request.Request(server.url + path, data=data, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=20) as reply:
            return reply.status, json.loads(reply.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())["error"]


def raw(server, data, wait=20):
    """All bytes that the server sends before it closes the connection."""
    with socket.create_connection((server.host, server.port), timeout=wait) as link:
        link.sendall(data)
        reply = b""
        while part := link.recv(65536):
            reply += part
        return reply


def still_answers(server):
    start = time.monotonic()
    assert post(server, GOOD)[0] == 200
    assert time.monotonic() - start < 5


def changed(**fields):
    """The good request with another first input."""
    return {"inputs": [{**GOOD["inputs"][0], **fields}, *GOOD["inputs"][1:]]}


@pytest.mark.parametrize(
    ("body", "status", "words"),
    (
        ("", 400, "not valid JSON"),
        ("{", 400, "not valid JSON"),
        ("null", 400, "must be an object"),
        ("nul", 400, "must be an object"),
        ("x", 400, "not valid JSON"),
        ("[]", 400, "list is not allowed"),
        ("{}", 400, "no 'inputs'"),
        ('{"inputs": []}', 400, "no 'inputs'"),
        ('{"inputs": 3}', 400, "3 is not allowed"),
        ('{"inputs": [1]}', 400, "inputs: 1 is not allowed"),
        ('{"input": []}', 400, "did you mean 'inputs'"),
        ('{"id": "1", "id": "2"}', 400, "appears twice"),
        (b'{"id": "\xff"}', 400, "not valid JSON"),
        ("[" * 500_000, 400, "not valid JSON"),
        ("[" * 500_000 + "]" * 500_000, 400, "list is not allowed"),
        ('{"parameters": ' * 60_000, 400, "not valid JSON"),
        ('{"parameters": ' * 50_000 + "1" + "}" * 50_000, 400, "not allowed"),
        ('{"inputs": [{"data": ' + "[" * 100_000, 400, "not valid JSON"),
        ('{"inputs": [{"data": ' + "[" * 100_000 + "]" * 100_000 + "}]}", 400, "nested too deeply"),
        (json.dumps(GOOD).replace("1.5", "NaN"), 400, "not valid JSON"),
        (json.dumps(GOOD).replace("1.5", "Infinity"), 400, "not valid JSON"),
        (json.dumps(GOOD).replace("1.5", "1e999"), 400, "a number is too large"),
        (json.dumps(GOOD).replace("1.5", "1e300"), 400, "infinite"),
        (changed(data=["x"]), 400, "needs numbers"),
        (changed(data=[True]), 400, "needs numbers"),
        (changed(data=[{}]), 400, "object is not allowed"),
        (changed(data=[1, 2]), 400, "2 values for the shape [1]"),
        (changed(data=1.5), 400, "not allowed"),
        (changed(data=[[1], 2], shape=[2]), 400, "mixes"),
        (changed(data=[1, [2]], shape=[2]), 400, "mixes"),
        (changed(data=[[1, 2], [3]], shape=[2, 2]), 400, "rows of 2 and 1"),
        (changed(data=[[]]), 400, "empty row"),
        (changed(shape=[-1]), 400, "-1 is not allowed"),
        (changed(shape=[]), 400, "must be [rows]"),
        (changed(shape=[1, 1, 1]), 400, "must be [rows]"),
        (changed(shape=[2**63, 2**63]), 413, "rows"),
        (changed(shape=[0], data=[]), 400, "no rows"),
        (changed(shape=[2], data=[1, 2]), 400, "has 2 rows"),
        (changed(shape=[101], data=[1] * 101), 413, "at most 100"),
        (changed(datatype="FP8"), 400, "unknown datatype"),
        (changed(datatype="INT8", data=[1000]), 400, "not of datatype INT8"),
        (changed(datatype="UINT8", data=[-1]), 400, "not of datatype UINT8"),
        (changed(datatype="INT32", data=[1.5]), 400, "not of datatype INT32"),
        (changed(datatype="BYTES", data=["much"]), 400, "'much' is not a number"),
        (changed(name="sise"), 400, "column 'size' is missing"),
        (changed(name="colour"), 400, "twice"),
        ({"inputs": [*GOOD["inputs"], {**GOOD["inputs"][0], "name": "kind"}]}, 400, "unknown input 'kind'"),
        ({**GOOD, "outputs": [{"name": "labels"}]}, 400, "did you mean 'label'"),
        ({**GOOD, "parameters": {"units": 0}}, 400, "at least 1"),
        ({**GOOD, "parameters": {"units": 1}}, 400, "first step"),
        ({**GOOD, "parameters": {"units": 61}}, 400, "the model has 60"),
        ({**GOOD, "parameters": {"units": "30"}}, 400, "whole number"),
        ({**GOOD, "parameters": {"binary_data_output": 1}}, 400, "true or false"),
        (b'{"a": "' + b"x" * (2 << 20) + b'"}', 413, "at most 1048576"),
    ),
)
def test_wrong_bodies_are_refused_with_a_reason(strict, body, status, words):
    got, error = post(strict, body)
    assert got == status and words in error, error
    still_answers(strict)


@pytest.mark.parametrize(
    ("size", "tail", "words"),
    (
        ("999999", b"", "the bytes of the body"),
        ("-1", b"", "must be a number"),
        ("x", b"", "must be a number"),
        (None, b"", "not valid JSON"),
    ),
)
def test_wrong_sizes_of_binary_tensors_are_refused(strict, size, tail, words):
    head = json.dumps(changed(data=None)).encode() if size is None else json.dumps(GOOD).encode()
    headers = {} if size is None else {"Inference-Header-Content-Length": size}
    status, error = post(strict, head + tail + (b"\0" if size is None else b""), **headers)
    assert status == 400 and (words in error or size is None)


@pytest.mark.parametrize(
    ("parameters", "tail", "words"),
    (
        ({"binary_data_size": 4}, b"", "must be at most 0"),
        ({"binary_data_size": -4}, b"abcd", "must be at most"),
        ({"binary_data_size": 3}, b"abc", "3 bytes"),
        ({"binary_data_size": 4}, b"abcdefg", "follow the last"),
        ({}, b"", "no data"),
    ),
)
def test_wrong_binary_tensors_are_refused(strict, parameters, tail, words):
    body = changed(parameters=parameters)
    del body["inputs"][0]["data"]
    head = json.dumps(body).encode()
    status, error = post(strict, head + tail, **{"Inference-Header-Content-Length": str(len(head))})
    assert status == 400 and words in error, error


def test_wrong_lengths_of_binary_texts_are_refused(strict):
    for tail in (b"\xff\xff\xff\xffa", b"\1\0\0", b"\1\0\0\0ab"):
        body = {"inputs": [GOOD["inputs"][0], {**GOOD["inputs"][1]}, GOOD["inputs"][2]]}
        del body["inputs"][1]["data"]
        body["inputs"][1]["parameters"] = {"binary_data_size": len(tail)}
        head = json.dumps(body).encode()
        status, error = post(strict, head + tail, **{"Inference-Header-Content-Length": str(len(head))})
        assert status == 400 and "not 1 texts" in error


@pytest.mark.parametrize(
    "path",
    (
        *("/../etc/passwd", "/v2/../../etc/passwd", "/v2/models/../mixed", "/v2/models/%2e%2e%2fmixed/infer"),
        *("/v2/models//infer", "/v2/models/mixed/versions//infer", "/v2/models/mixed/infer/x"),
        *("/v2/models/mixed/versions/1/2", "/v3", "/%00"),
    ),
)
def test_strange_paths_are_not_found(strict, path):
    reply = raw(strict, f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    assert reply.startswith((b"HTTP/1.1 404", b"HTTP/1.1 400"))


def test_other_methods_are_refused(strict):
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
        reply = raw(strict, f"{method} /v2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        assert reply.startswith(b"HTTP/1.1 405") and b"Allow: GET, HEAD" in reply
    assert raw(strict, b"GET /v2/models/mixed/infer HTTP/1.1\r\nConnection: close\r\n\r\n").startswith(b"HTTP/1.1 405")


@pytest.mark.parametrize(
    "head",
    (
        b"hello\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"\0\0\0\0\r\n\r\n",
        b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 10_000 + b"\r\n",
        b"GET / HTTP/1.1\r\nX: " + b"y" * 100_000 + b"\r\n\r\n",
        b"POST /v2/models/mixed/infer HTTP/1.1\r\nContent-Length: x\r\n\r\n",
        b"POST /v2/models/mixed/infer HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
        b"POST /v2/models/mixed/infer HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
        b"POST /v2/models/mixed/infer HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n",
        b"POST /v2/models/mixed/infer HTTP/1.1\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
        b"POST /nowhere HTTP/1.1\r\nContent-Length: 100000\r\n\r\n" + b"x" * 1000,
    ),
)
def test_broken_http_gets_4xx_or_is_closed(strict, head):
    try:
        reply = raw(strict, head)
    except ConnectionResetError:
        reply = b""
    assert reply == b"" or reply.startswith(b"HTTP/1.1 4"), reply[:100]
    still_answers(strict)


def test_slow_headers_and_bodies_are_closed_in_time(strict):
    def drip(start):
        begin = time.monotonic()
        with socket.create_connection((strict.host, strict.port), timeout=20) as link:
            link.sendall(start)
            try:
                while time.monotonic() - begin < 10:
                    link.sendall(b"a")
                    link.settimeout(0.2)
                    try:
                        if not link.recv(1000):
                            break
                    except TimeoutError:
                        continue
            except (BrokenPipeError, ConnectionResetError):
                pass
        return time.monotonic() - begin

    starts = [b"GET / HTTP/1.1\r\nX: ", b"G", b"POST /v2/models/mixed/infer HTTP/1.1\r\nContent-Length: 1000\r\n\r\n{"]
    with concurrent.futures.ThreadPoolExecutor() as pool:
        running = [pool.submit(drip, start) for start in starts * 3]
        still_answers(strict)
        assert max(future.result() for future in running) < 8


def test_half_closed_connections_are_answered_or_closed(strict):
    body = json.dumps(GOOD).encode()
    head = f"POST /v2/models/mixed/infer HTTP/1.1\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    for data, answered in ((head + body, True), (head + body[:5], False), (b"GET / HT", False)):
        with socket.create_connection((strict.host, strict.port), timeout=20) as link:
            link.sendall(data)
            link.shutdown(socket.SHUT_WR)
            reply = b""
            while part := link.recv(65536):
                reply += part
        assert reply.startswith(b"HTTP/1.1 200") if answered else reply == b"" or reply.startswith(b"HTTP/1.1 4")
    still_answers(strict)


def test_many_idle_connections_do_not_keep_others_out(strict):
    links = [socket.create_connection((strict.host, strict.port), timeout=20) for _ in range(60)]
    try:
        for _ in range(20):
            still_answers(strict)
    finally:
        for link in links:
            link.close()


def test_ten_thousand_idle_connections_do_not_keep_others_out(strict):
    idle = 10_000
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < idle + 200:
        pytest.skip(f"a process may open only {hard} files here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, idle + 200), hard))
    links = []
    try:
        for opened in range(idle):
            links.append(socket.create_connection((strict.host, strict.port), timeout=20))
            if opened % 1000 == 999:
                still_answers(strict)
        for _ in range(20):
            still_answers(strict)
    finally:
        for link in links:
            link.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    still_answers(strict)


def test_pipelined_requests_are_answered_in_order(strict):
    body = json.dumps(GOOD).encode()
    one = f"POST /v2/models/mixed/infer HTTP/1.1\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
    last = b"GET /v2 HTTP/1.1\r\nConnection: close\r\n\r\n"
    reply = raw(strict, one * 5 + last)
    assert reply.count(b"HTTP/1.1 200") == 6 and reply.rstrip().endswith(b"}")


def test_expect_100_continue(strict):
    body = json.dumps(GOOD).encode()
    head = f"POST /v2/models/mixed/infer HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: {len(body)}\r\n\r\n"
    with socket.create_connection((strict.host, strict.port), timeout=20) as link:
        link.sendall(head.encode())
        assert link.recv(1000).startswith(b"HTTP/1.1 100")
        link.sendall(body)
        assert link.recv(65536).startswith(b"HTTP/1.1 200")
    huge = b"POST /v2/models/mixed/infer HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 99999999\r\n\r\n"
    assert raw(strict, huge).startswith(b"HTTP/1.1 413")


def test_clients_that_leave_disturb_nobody(strict):
    body = json.dumps(GOOD).encode()
    one = f"POST /v2/models/mixed/infer HTTP/1.1\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
    for _ in range(100):
        link = socket.create_connection((strict.host, strict.port), timeout=20)
        link.sendall(one)
        link.close()
    still_answers(strict)
