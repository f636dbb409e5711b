"""A flood of groups: one person is in 6 800 groups of another, and readers ask for the list of chats without a pause.

Beside it a prober, in a process of its own, measures `GET /health` and a third person's message. The person who made the groups and all
readers are over the limits of people, which are off here: it is what an operator without them, or an old database, has.

Arguments: the number of groups, and numbers of readers. The server is the program of `YONDER`.
"""

import http.client
import json
import multiprocessing
import pathlib
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Tests/Python/Support"))
from yonder import Caller, Server, lift_write_limits, party  # noqa: E402

SECONDS = 10


def asked(port, token, method, path, body=None):
    """One request over a connection that stays open for the next."""
    connections = asked.__dict__.setdefault("connections", threading.local())
    connection = getattr(connections, "one", None)
    if connection is None:
        connection = connections.one = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"} if token else {}
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    answer.read()
    return answer.status


def probe(port, token, chat, results):
    """Measures requests of others for some seconds."""
    times = {"health": [], "message": []}
    end, number = time.monotonic() + SECONDS, 0
    while time.monotonic() < end:
        number += 1
        message = json.dumps({"tag": "Text", "content": "x"})
        for name, request in (
            ("health", (port, None, "GET", "/health")),
            ("message", (port, token, "POST", f"/v1/chats/{chat}/messages", message)),
        ):
            begun = time.monotonic()
            status = asked(*request)
            assert status < 300, status
            times[name].append(time.monotonic() - begun)
    results.put(times)


def read(port, token, stop, counts):
    """A reader that asks for the list of chats again and again."""
    answered = refused = 0
    while not stop.is_set():
        status = asked(port, token, "GET", "/v1/chats")
        answered += status == 200
        refused += status == 429
    counts.put((answered, refused))


def readers(server, token, count):
    """Readers in four processes, as threads."""
    stop, counts = multiprocessing.Event(), multiprocessing.Queue()

    def run(threads):
        all_ = [threading.Thread(target=read, args=(server.port, token, stop, counts)) for _ in range(threads)]
        for each in all_:
            each.start()
        for each in all_:
            each.join()

    shares = [count // 4 + (index < count % 4) for index in range(4)]
    processes = [multiprocessing.Process(target=run, args=(share,)) for share in shares if share]
    for process in processes:
        process.start()
    return stop, counts, processes


def measure(server, ben, cleo, chat, count):
    stop, counts, processes = readers(server, ben.bearer, count)
    results = multiprocessing.Queue()
    prober = multiprocessing.Process(target=probe, args=(server.port, cleo.bearer, chat, results))
    prober.start()
    times = results.get()
    prober.join()
    stop.set()
    answers = [counts.get() for _ in range(count)]
    for process in processes:
        process.join()
    lines = []
    for name, values in times.items():
        values.sort()
        shown = [values[int((len(values) - 1) * part)] * 1_000 for part in (0.5, 0.95, 0.99, 1)]
        lines.append(f"{name} median {shown[0]:.1f}, p95 {shown[1]:.1f}, p99 {shown[2]:.1f}, max {shown[3]:.1f} ms of {len(values)}")
    print(f"{count:2} readers: {'; '.join(lines)}; lists {sum(a for a, _ in answers) / SECONDS:.1f} a second", flush=True)


def main(groups=6_800, *counts):
    lift_write_limits()
    with Server() as server:
        ada, (ben, cleo) = party(server, ["Ben", "Cleo"])
        begun = time.monotonic()

        def make(number):
            caller = Caller(server, ada.bearer)
            for _ in range(number):
                caller.post("/v1/chats", {"invitees": [ben.user]})

        makers = [threading.Thread(target=make, args=(groups // 8,)) for _ in range(8)]
        for maker in makers:
            maker.start()
        for maker in makers:
            maker.join()
        print(f"{groups} groups in {time.monotonic() - begun:.1f} s", flush=True)
        begun = time.monotonic()
        page = ben.get("/v1/chats")
        print(f"GET /v1/chats: {len(page['chats'])} chats in {(time.monotonic() - begun) * 1_000:.0f} ms", flush=True)
        chat = ada.start_chat([cleo])
        for count in counts or (0, 1, 10, 30):
            measure(server, ben, cleo, chat, count)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
