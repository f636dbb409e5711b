"""Starts a real server on a free port and an empty data folder, and speaks REST to it.

    with Server() as server:
        ada = server.owner()
        ben = ada.add("Ben")
        ada.befriend(ben)
        chat = ada.start_chat([ben])
        ada.send(chat, "Text", "Hello")

Only the standard library, so that every test written in Python can use it. `YONDER` names the program.
"""

import http.client
import json
import os
import pathlib
import queue
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[3]
# Whether each server is a node of two, over PostgreSQL and NATS: `as_node.py`.
AS_NODE = "AS_NODE" in os.environ
LINK = re.compile(r"https?://\S+#\S+")


def lift_write_limits():
    """Lets one person write as much as a server takes, for load that is one or two people's.

    By variables, which versions from before the limits ignore, and which a flag overrides.
    """
    for limit in ("MESSAGE", "BYTE", "OBJECT"):
        os.environ.setdefault(f"YONDER_{limit}_RATE", "0")


def limit(seconds):
    """A limit of time for an assertion: `seconds` where `EXACT` is set, for a machine that does nothing else.

    Elsewhere ten times as long, as other programs may take most of the processors.
    """
    return seconds if "EXACT" in os.environ else 10 * seconds


def program():
    """The server under test: what `YONDER` names, or the debug build."""
    path = pathlib.Path(os.environ.get("YONDER", ROOT / ".build/debug/yonder"))
    return str(path if path.is_absolute() else ROOT / path)


def free_port():
    """A port that nobody listens on at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def until(condition, seconds=120, what="the condition"):
    """Waits until `condition()` is true and answers its value."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise TimeoutError(f"{what} did not come true in {seconds} s")
        time.sleep(0.01)


class Refusal(Exception):
    """An answer of the server with a status of 400 or more."""

    def __init__(self, status, body):
        error = (body or {}).get("error", {}) if isinstance(body, dict) else {}
        self.status = status
        self.code = error.get("code")
        super().__init__(f"{status} {self.code}: {error.get('message', body)}")


class Running:
    """A server that runs at a port of this machine, whichever process has started it."""

    def __init__(self, port):
        self.port = port

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def sign_in(self, link):
        """Redeems a sign-in link as the page does, and answers the caller that it makes."""
        caller = Caller(self)
        caller.redeem(secret_of(link))
        return caller


class Server(Running):
    """One `yonder serve`. Its data folder outlives a stop or a kill, so that `start` goes on from there."""

    def __init__(self, arguments=(), data=None, port=None, wrapper=(), environment=None):
        super().__init__(port or free_port())
        self._temporary = None if data else tempfile.mkdtemp(prefix="yonder-test-")
        self.data = pathlib.Path(data or pathlib.Path(self._temporary) / "data")
        self._may_move = port is None
        self.arguments = list(arguments)
        self.wrapper = list(wrapper)
        self.environment = {**WITHOUT_PERSON_LIMITS, **os.environ, **(environment or {})}
        self.process = None
        self.output = []
        self._errors = tempfile.NamedTemporaryFile(prefix="yonder-test-", suffix=".log", delete=False)

    def __enter__(self):
        try:
            return self.start()
        except BaseException:
            self._clean_up()
            raise

    def __exit__(self, *_):
        self.stop()
        self._clean_up()

    def _clean_up(self):
        self._errors.close()
        os.unlink(self._errors.name)
        if self._temporary:
            shutil.rmtree(self._temporary, ignore_errors=True)

    @property
    def errors(self):
        """What the server wrote to standard error so far."""
        return pathlib.Path(self._errors.name).read_text(errors="replace")

    def start(self, seconds=120):
        """Starts the server and waits until its store answers.

        The first time on another port if somebody else has taken the free one meanwhile.
        """
        self._launch()
        try:
            until(self._ready, seconds, "the server's readiness")
        except BaseException:
            self.kill()
            raise
        self._may_move = False
        return self

    def command_line(self):
        """The program and its arguments."""
        return [program(), "serve", "--data", str(self.data), "--port", str(self.port), *self.arguments]

    def _launch(self):
        self.output = []
        self._lines = queue.Queue()
        self.process = subprocess.Popen(
            [*self.wrapper, *self.command_line()], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self._errors,
            text=True, env=self.environment, start_new_session=True,
        )
        threading.Thread(target=self._read, args=(self.process.stdout,), daemon=True).start()

    def _read(self, stream):
        for line in stream:
            self.output.append(line.rstrip("\n"))
            self._lines.put(line)

    def _ready(self):
        if self.process.poll() is not None:
            if self._may_move and f":{self.port}: stop that one" in self.errors:
                self.port = free_port()
                self._launch()
                return False
            raise RuntimeError(f"the server ended with {self.process.returncode}:\n{self.errors[-2000:]}")
        try:
            return Caller(self).get("/ready") is not None
        except (OSError, http.client.HTTPException, Refusal):
            return False

    def stop(self, seconds=60):
        """Asks the server to end and answers its exit status; `None` if it doesn't run."""
        if self.process is None:
            return None
        if self.process.poll() is None:
            self._signal(signal.SIGTERM)
            try:
                self.process.wait(seconds)
            except subprocess.TimeoutExpired:
                self.kill()
        status, self.process = self.process.returncode, None
        return status

    def kill(self):
        """Ends the server at once, without a word."""
        if self.process is None:
            return
        if self.process.poll() is None:
            self._signal(signal.SIGKILL)
        self.process.wait()
        self.process = None

    def _signal(self, number):
        # The group, so that a wrapper's child gets it, too.
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            pass

    def link(self, seconds=120):
        """The sign-in link that the server printed at its first start."""

        def printed():
            return next((match[0] for line in self.output if (match := LINK.search(line))), None)

        return until(printed, seconds, "a sign-in link on standard output")

    def owner(self):
        """Signs the first account in with the printed link."""
        return self.sign_in(self.link())

    def command(self, *arguments, check=True, typed=""):
        """Runs a subcommand, such as `command("user", "add", "--data", …)`, and answers what it printed."""
        done = subprocess.run(
            [program(), *map(str, arguments)], input=typed, capture_output=True, text=True, timeout=120,
            env=self.environment,
        )
        if check and done.returncode:
            raise RuntimeError(f"{arguments} ended with {done.returncode}: {done.stderr}{done.stdout}")
        return done.stdout if check else done

    def resident_kilobytes(self):
        """The server's resident memory."""
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
        raise RuntimeError("no VmRSS")


def secret_of(link):
    """The secret of a sign-in or invitation link: what follows the last `=` of its fragment."""
    return urllib.parse.unquote(link.strip().split("#", 1)[1].rsplit("=", 1)[-1])


# The limits of one person, by their variables: without them, as a test's few people do in a minute what people do in weeks.
PERSON_LIMITS = [
    "CHATS_PER_DAY", "CHATS_PER_DAY_WITH_ONE", "OWNED_WITH_ONE", "RENAMES_PER_HOUR", "BLOCKS_PER_HOUR", "INVITATIONS_PER_HOUR",
    "TOKENS_PER_HOUR", "HEARTBEATS_PER_HOUR", "TRACK_POSITIONS_PER_MINUTE",
]
WITHOUT_PERSON_LIMITS = {f"YONDER_{name}": "0" for name in PERSON_LIMITS}


class Caller:
    """Somebody who speaks REST: with a cookie after `redeem`, with a bearer token after `token`, else with neither."""

    def __init__(self, server, token=None):
        self.server = server
        self.bearer = token
        self.cookie = None
        self.user = None

    # The wire.

    def request(self, method, path, body=None, headers=None):
        """Answers status, headers and the decoded body, whatever the status is. A text is sent as it is, all else as JSON."""
        sent = {"Accept": "application/json"}
        # What signs people in is changed in a session alone.
        in_session = self.cookie and method != "GET" and path.startswith(("/v1/users", "/v1/me/"))
        if self.bearer and not in_session:
            sent["Authorization"] = f"Bearer {self.bearer}"
        elif self.cookie:
            sent["Cookie"] = self.cookie
            sent["Origin"] = self.server.url
        data = None
        if body is not None or method not in ("GET", "HEAD"):
            data = (body if isinstance(body, str) else json.dumps({} if body is None else body)).encode()
            sent["Content-Type"] = "application/json"
        sent.update(headers or {})
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=120)
        try:
            connection.request(method, path, data, sent)
            answer = connection.getresponse()
            return answer.status, answer.headers, decoded(answer)
        finally:
            connection.close()

    def call(self, method, path, body=None, headers=None):
        """Answers the decoded body, or raises the refusal."""
        status, _, answer = self.request(method, path, body, headers)
        if status >= 400:
            raise Refusal(status, answer)
        return answer

    def get(self, path):
        return self.call("GET", path)

    def post(self, path, body=None):
        return self.call("POST", path, body)

    # Who one is.

    def redeem(self, secret):
        """Signs in with a link's secret, and keeps the cookie."""
        status, headers, answer = self.request("POST", "/v1/session", {"link": secret}, {"Origin": self.server.url})
        if status >= 400:
            raise Refusal(status, answer)
        self.cookie = headers["Set-Cookie"].split(";", 1)[0]
        self.user = answer["user"]["id"]
        return answer

    def token(self, label="test"):
        """Makes a bearer token; from then on this caller uses it."""
        if not self.bearer:
            self.bearer = self.post("/v1/tokens", {"label": label})["token"]
        return self.bearer

    def add(self, name, **profile):
        """Adds an account, as the operator, and signs it in."""
        return self.server.sign_in(self.post("/v1/users", {"name": name, **profile})["link"])

    def befriend(self, *others):
        """Makes the others contacts of this caller, by invitations."""
        for other in others:
            secret = secret_of(self.post("/v1/invitations")["url"])
            other.post("/v1/invitations/accept", {"invitation": secret})

    # Chats.

    def start_chat(self, others, subject=None, one_to_one=False):
        """Starts a chat with other callers and answers its id."""
        body = {"invitees": [other.user for other in others], "oneToOne": one_to_one}
        if subject is not None:
            body["subject"] = subject
        return self.post("/v1/chats", body)["chat"]["id"]

    def send(self, chat, tag, content="", **fields):
        """Sends a message and answers its number."""
        return self.post(f"/v1/chats/{chat}/messages", {"tag": tag, "content": content, **fields})["number"]

    def messages(self, chat, **query):
        """The answer to a query of a chat's messages."""
        return self.get(f"/v1/chats/{chat}/messages?{urllib.parse.urlencode(query)}")


def decoded(answer):
    text = answer.read()
    if "json" in (answer.headers.get("Content-Type") or "") and text:
        return json.loads(text)
    return text.decode(errors="replace")


def party(server, names):
    """Makes the owner and an account per name, all contacts of the owner and with a token each."""
    owner = server.owner()
    owner.token()
    return owner, guests(owner, names)


def guests(owner, names):
    """Makes an account per name, all contacts of the owner and with a token each."""
    others = [owner.add(name) for name in names]
    owner.befriend(*others)
    for caller in others:
        caller.token()
    return others


if AS_NODE:
    # The last line, because that module imports this one.
    from as_node import Server  # noqa: E402, F811
