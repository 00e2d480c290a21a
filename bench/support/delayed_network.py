"""Network namespaces joined by a link with a fixed delay: each is like a machine of its own. Linux, as root.

The link is the program bench/delay_link.cpp: not every kernel has `tc netem`, and with one program for all kernels the
figures can be compared. It costs some microseconds of its own, so report the measured round trip with the delay.
"""
import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

from common import BUILD

LINK = BUILD / "bench_delay_link"
SUBNET = "10.99.0.0/24"
PORT = 12400
EXCHANGES = 500

PONG = f"""
import socket
server = socket.create_server(("0.0.0.0", {PORT}))
print("ready", flush=True)
connection = server.accept()[0]
connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
while connection.recv(1):
    connection.sendall(b"x")
"""

PING = f"""
import socket, statistics, sys, time
connection = socket.create_connection((sys.argv[1], {PORT}))
connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
times = []
for _ in range({EXCHANGES}):
    start = time.perf_counter()
    connection.sendall(b"x")
    connection.recv(1)
    times.append(time.perf_counter() - start)
print(1e6 * statistics.median(times))
"""


def why_impossible():
    """Why there can be no such network, in one line, or None."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        return "needs Linux and root"
    if not os.path.exists("/dev/net/tun"):
        return "/dev/net/tun is missing"
    missing = [tool for tool in ("ip", "unshare", "mpirun") if not shutil.which(tool)]
    if missing:
        return f"{missing[0]} is not found"
    return None if LINK.exists() else f"{LINK} is not built"


def run(*words):
    subprocess.run([str(word) for word in words], check=True)


class Network:
    """`size` namespaces, with a delay in microseconds each way. They and their processes are removed on exit."""

    def __init__(self, size, delay):
        self.delay = delay
        self.names = [f"accrete-{os.getpid()}-{i}" for i in range(size)]
        self.addresses = [f"10.99.0.{i + 1}" for i in range(size)]
        self.link = None

    def __enter__(self):
        try:
            self.open()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_):
        self.close()

    def open(self):
        for name in self.names:
            run("ip", "netns", "add", name)
        places = [f"{name}={address}" for name, address in zip(self.names, self.addresses)]
        self.link = subprocess.Popen([LINK, str(self.delay), *places], stdout=subprocess.PIPE, text=True)
        if self.link.stdout.readline() != "ready\n":
            raise SystemExit("the link could not be started")
        for name, address in zip(self.names, self.addresses):
            run("ip", "-n", name, "address", "add", f"{address}/24", "dev", "link0")
            run("ip", "-n", name, "link", "set", "link0", "txqueuelen", 10000, "up")
            run("ip", "-n", name, "link", "set", "lo", "up")

    def close(self):
        existing = set(os.listdir("/run/netns")) if os.path.isdir("/run/netns") else set()
        names = [name for name in self.names if name in existing]
        for name in names:
            found = subprocess.run(["ip", "netns", "pids", name], capture_output=True, text=True).stdout
            for process in map(int, found.split()):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
        if self.link:
            self.link.kill()
            self.link.wait()
        for name in names:
            subprocess.run(["ip", "netns", "delete", name])

    def inside(self, place, *words):
        """The command that runs `words` in a namespace, under a host name of its own."""
        name = self.names[place]
        rename = ["unshare", "--uts", "sh", "-c", f'hostname {name}; exec "$@"', "sh"]
        return ["ip", "netns", "exec", name, *rename, *map(str, words)]

    def mpirun(self, folder):
        """The start of a command that runs one rank of Open MPI in each namespace.

        A rank that waits yields its core, which it would have alone on a machine of its own, to the others.
        """
        cases = "\n".join(f"  {address}) name={name} ;;" for name, address in zip(self.names, self.addresses))
        agent = pathlib.Path(folder) / "agent.sh"
        start = 'exec ip netns exec "$name" unshare --uts sh -c "hostname $name; $*"'
        agent.write_text(f"#!/bin/sh\nhost=$1\nshift\ncase $host in\n{cases}\nesac\n{start}\n")
        agent.chmod(0o755)
        settings = {"plm_rsh_agent": agent, "orte_tmpdir_base": folder, "pml": "ob1", "btl": "tcp,self",
                    "btl_tcp_if_include": SUBNET, "oob_tcp_if_include": SUBNET, "mpi_yield_when_idle": 1}  # fmt: skip
        words = [word for name, value in settings.items() for word in ("--mca", name, value)]
        words += ["--map-by", "node", "--bind-to", "none", "--host", ",".join(self.addresses)]
        return self.inside(0, "mpirun", "--allow-run-as-root", *words)

    def round_trip(self):
        """Microseconds from sending one byte over TCP until the answer, from Python; the median of many."""
        pong = self.inside(1, sys.executable, "-c", PONG)
        with subprocess.Popen(pong, stdout=subprocess.PIPE, text=True) as server:
            server.stdout.readline()
            ping = self.inside(0, sys.executable, "-c", PING, self.addresses[1])
            return float(subprocess.run(ping, check=True, capture_output=True, text=True).stdout)


def run_all(commands):
    """Runs commands at the same time and returns their outputs; stops with its error as soon as one fails."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    processes = [subprocess.Popen(list(map(str, command)), **pipes) for command in commands]
    while any(process.poll() is None for process in processes):
        if any(process.poll() for process in processes):
            break
        time.sleep(0.01)
    for process in processes:
        if process.poll():
            raise SystemExit(f"ranks: a command failed: {process.communicate()[1].strip()[-500:]}")
    return [process.communicate()[0] for process in processes]
