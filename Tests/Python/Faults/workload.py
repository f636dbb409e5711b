"""The fixed workload: two people, their chats, recalls, objects, tokens and sign-ins, over the stream and REST.

Every step records what it asked for and what was acknowledged. A step that the server refuses as unavailable is
recorded as unanswered, and tried again by `settle`, with the same key where there is one.
"""

import http.client
import json
import socket
import time

from ledger import Broken, ChatLog, Objects, Wish
from websockets.exceptions import InvalidStatus, WebSocketException
from websockets.sync.client import connect
from yonder import Caller, secret_of, until

# How long an answer may take, and the server to recover, on a machine that does other work, too.
PATIENCE = 120
HOUR = 3_600_000
ENTITY = "cafe"
FIELDS = [{"name": "name", "type": "text", "required": True}, {"name": "at", "type": "location"}]
CUT = (OSError, EOFError, http.client.HTTPException, WebSocketException)


class Gone(Exception):
    """The server's process is gone, or the connection to it."""


class Refused(Exception):
    """The server doesn't open a stream while its store fails."""


class Talk:
    """One person's stream, opened again when it was cut."""

    def __init__(self, server, token):
        self.server = server
        self.token = token
        self.socket = None

    def open(self):
        if self.socket is None:
            self.socket = self.connected()
            json.loads(self.socket.recv(timeout=PATIENCE))
        return self.socket

    def connected(self):
        try:
            return connect(
                f"ws://127.0.0.1:{self.server.port}/v1/stream", subprotocols=["yonder.v1"], compression=None,
                additional_headers={"Authorization": f"Bearer {self.token}"}, proxy=None, max_size=None,
                open_timeout=PATIENCE, close_timeout=1, ping_interval=None,
            )
        except InvalidStatus as refusal:
            status = refusal.response.status_code
            if status == 503:
                raise Refused from None
            raise Broken(f"a stream with an acknowledged token is answered {status}") from None

    def close(self):
        if self.socket is not None:
            socket_of(self.socket)
            self.socket = None

    def exchange(self, frames):
        """Sends frames with a key each, and answers what the server answered to each of them, by key."""
        answers = {}
        try:
            stream = self.open()
            for frame in frames:
                stream.send(json.dumps(frame))
            end = time.monotonic() + PATIENCE
            while len(answers) < len(frames):
                frame = json.loads(stream.recv(timeout=max(0.1, end - time.monotonic())))
                if frame["type"] in ("sent", "error", "started") and "key" in frame:
                    answers[frame["key"]] = frame
        except Refused:
            return {frame["key"]: {"type": "error", "code": "unavailable"} for frame in frames}
        except TimeoutError:
            missing = [frame["key"] for frame in frames if frame["key"] not in answers]
            self.close()
            raise Broken(f"no answer to {missing[:3]} in {PATIENCE} s") from None
        except CUT as error:
            self.close()
            raise Gone(repr(error)) from error
        return answers


def socket_of(stream):
    """Cuts a connection without a closing handshake."""
    try:
        stream.socket.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
    stream.close()


class Crowd:
    """The people, and all that they know of what the server keeps."""

    def __init__(self, knowledge):
        self.__dict__.update(knowledge)
        self.server = None

    # What outlives a process of the harness: everything but connections.

    def knowledge(self):
        return {name: value for name, value in self.__dict__.items() if name not in ("server", "talks", "ada")}

    def attach(self, server):
        """From now on speaks to this server."""
        self.server = server
        self.ada = Caller(server, self.tokens[0])
        self.talks = [Talk(server, token) for token in self.tokens]

    def detach(self):
        for talk in self.talks:
            talk.close()

    # Steps.

    def name(self, kind):
        self.count += 1
        return f"{kind}-{self.count}"

    def message(self, chat, sender, size=0, **fields):
        """A wish for a message, noted, not sent yet."""
        key = self.name("key")
        frame = {"type": "send", "key": key, "chat": chat, "tag": "Text", "content": f"[{key}]" + size * "x", **fields}
        wish = Wish(frame, sender)
        self.chats[chat].add(wish)
        return wish

    def send(self, wishes):
        """Sends wishes, each on its sender's stream; counts the refused ones."""
        for sender, talk in enumerate(self.talks):
            own = [wish for wish in wishes if wish.sender == sender]
            if own:
                self.take(own, talk.exchange([wish.frame for wish in own]))

    def take(self, wishes, answers):
        for wish in wishes:
            answer = answers[wish.frame["key"]]
            if answer["type"] == "sent":
                self.chats[wish.frame["chat"]].acknowledge(answer["key"], answer["number"])
            elif answer["code"] == "unavailable":
                self.refused += 1
            else:
                raise Broken(f"{wish.frame['type']} {answer['key']} was refused: {answer['code']} {answer['message']}")

    def ask(self, method, path, body=None, headers=None, caller=None):
        """A request by REST: status and body. 503 counts as refused; any other 5xx is broken."""
        try:
            status, answered, body = (caller or self.ada).request(method, path, body, headers)
        except TimeoutError:
            raise Broken(f"no answer to {method} {path} in {PATIENCE} s") from None
        except CUT as error:
            raise Gone(repr(error)) from error
        if status == 503:
            self.refused += 1
        elif status >= 500:
            raise Broken(f"{method} {path} is answered {status}: {body}")
        return status, answered, body

    def recall(self):
        """Takes back the oldest message of the old chat that was not taken back yet."""
        log = self.chats[self.old]
        number = next((number for number in sorted(log.keys) if self.may_recall(log, number)), None)
        if number is None:
            return None
        key = self.name("recall")
        wish = Wish({"type": "recall", "key": key, "chat": self.old, "number": number}, log.wishes[log.keys[number]].sender)
        log.recalling.add(number)
        log.add(wish)
        return wish

    @staticmethod
    def may_recall(log, number):
        wish = log.wishes[log.keys[number]]
        return wish.frame["type"] == "send" and number not in log.recalling and number not in log.ending

    def start_chat(self):
        """Starts a chat, whose first message gets the first row of all; tried again with its key if refused."""
        self.starting[self.name("chat")] = None

    def start_chats(self):
        for key in [key for key, chat in self.starting.items() if chat is None]:
            body = {"invitees": [self.users[1]], "subject": key, "key": key}
            status, _, answer = self.ask("POST", "/v1/chats", body)
            if status < 300:
                chat = self.starting[key] = answer["chat"]["id"]
                self.chats[chat] = ChatLog(chat)
                self.young = chat

    def make_object(self):
        name = self.name("object")
        fields = {"name": name, "at": {"latitude": self.count % 90, "longitude": self.count % 180}}
        self.objects.versions[name] = [Objects.GONE, fields]
        status, _, answer = self.ask("POST", f"/v1/objects/{ENTITY}", {"fields": fields})
        if status < 300:
            self.objects.versions[name] = [fields]
            self.objects.ids[name] = answer["object"]["id"]
            self.newest_object = name

    def change_object(self, remove=False):
        name = self.newest_object
        if name is None or self.objects.versions[name][-1] is Objects.GONE:
            return
        versions = self.objects.versions[name]
        wish = Objects.GONE if remove else {**versions[-1], "at": {"latitude": 1.5, "longitude": self.count % 180}}
        versions.append(wish)
        path = f"/v1/objects/{ENTITY}/{self.objects.ids[name]}"
        status, _, _ = self.ask("DELETE", path) if remove else self.ask("PATCH", path, {"fields": wish})
        # A change that is sent again after its answer was lost finds the object as it is wished, or gone.
        if status < 300:
            self.objects.versions[name] = [wish]

    def make_token(self):
        status, _, answer = self.ask("POST", "/v1/tokens", {"label": self.name("token")})
        if status < 300:
            self.good[answer["token"]] = answer["id"]

    def end_token(self):
        token = next(iter(self.good), None)
        if token is None:
            return
        status, _, _ = self.ask("DELETE", f"/v1/tokens/{self.good[token]}")
        del self.good[token]
        if status < 300:
            self.ended.add(token)

    def sign_in(self):
        """A new person, added by the operator, signs in with a link."""
        status, _, answer = self.ask("POST", "/v1/users", {"name": self.name("user")})
        if status >= 300:
            return
        secret = secret_of(answer["link"])
        status, headers, _ = self.ask(
            "POST", "/v1/session", {"link": secret}, {"Origin": self.server.url}, Caller(self.server),
        )
        if status < 300:
            self.cookies.append(headers["Set-Cookie"].split(";", 1)[0])

    # Rounds.

    def round(self):
        """About twenty steps of every kind; the young chat is one that was started a round ago."""
        soon = int(time.time() * 1000) + HOUR
        old, young = self.old, self.young
        place = {"latitude": "59.913900", "longitude": "10.752200"}
        self.send([
            *(self.message(old, sender) for sender in (0, 1, 0, 1)),
            self.message(old, 1, tag="Location", data=place),
            self.message(old, 0, expires=soon),
            *(self.message(young, sender) for sender in (0, 1)),
        ])
        self.read(old)
        self.make_object()
        recall = self.recall()
        self.send([self.message(young, 0), *([recall] if recall else [])])
        self.start_chat()
        self.start_chats()
        self.send([self.message(self.young, 0), self.message(old, 1, 2_000)])
        self.change_object()
        self.make_token()
        self.read(self.young)
        if self.count % 3 == 0:
            self.sign_in()
        self.send([self.message(old, 0), self.message(self.young, 1)])
        if self.count % 2:
            self.change_object(remove=True)
            self.end_token()

    def pressure(self):
        """Messages of 60 kB, whose log has to be moved into the database before long."""
        self.send([self.message(self.old, 0, 60_000) for _ in range(40)])

    def settle(self):
        """Sends again what is unanswered, until all of it is answered. Answers how many seconds that took."""
        began = time.monotonic()
        while True:
            self.refused = 0
            waiting = [wish for log in self.chats.values() for wish in log.unanswered()]
            self.send(waiting)
            self.start_chats()
            waiting = any(log.unanswered() for log in self.chats.values())
            if not waiting and None not in self.starting.values() and self.is_ready():
                return time.monotonic() - began
            if time.monotonic() - began > PATIENCE:
                raise Broken(f"the server hasn't recovered {PATIENCE} s after the fault: {self.refused} refused")
            time.sleep(0.05)

    # Checks.

    def is_ready(self):
        return self.ask("GET", "/ready", caller=Caller(self.server))[0] == 200

    def read(self, chat, since=None):
        """Reads a chat's end and, if it is answered, compares."""
        log = self.chats[chat]
        since = max(0, log.last - 30) if since is None else since
        status, _, answer = self.ask("GET", f"/v1/chats/{chat}/messages?since={since}&limit=1000")
        if status == 503:
            return False
        if status != 200:
            raise Broken(f"chat {chat} is answered {status}: {answer}")
        if answer["last"] < log.last:
            raise Broken(f"chat {chat} ends at {answer['last']}, and {log.last} was acknowledged")
        log.check(answer["messages"], since)
        return True

    def check_reads(self):
        """Whether all that was acknowledged can be read at this moment."""
        for chat in self.chats:
            if not self.read(chat):
                raise Broken(f"chat {chat} can't be read while writing fails")
        if self.ask("GET", f"/v1/objects/{ENTITY}?limit=1000")[0] != 200:
            raise Broken("objects can't be read while writing fails")

    def check(self):
        """Compares all that was ever acknowledged with what is there."""
        for chat, log in self.chats.items():
            log.check(self.whole(chat))
        objects, cursor = [], ""
        while cursor is not None:
            page = self.ada.get(f"/v1/objects/{ENTITY}?limit=1000{cursor}")
            objects += page["objects"]
            cursor = f"&cursor={page['cursor']}" if "cursor" in page else None
        self.objects.check(objects)
        self.check_secrets()

    def whole(self, chat):
        """All messages of a chat, by the stream."""
        stream = until(self.opened, PATIENCE, "a stream after the fault")
        number = self.count = self.count + 1
        stream.send(json.dumps({"type": "subscribe", "id": number, "query": "messages", "chat": chat, "since": 0}))
        messages = []
        while True:
            frame = json.loads(stream.recv(timeout=PATIENCE))
            if frame.get("id") != number:
                continue
            if frame["type"] != "messages":
                raise Broken(f"chat {chat} can't be read: {frame}")
            messages += frame["messages"]
            if frame.get("current"):
                stream.send(json.dumps({"type": "unsubscribe", "id": number}))
                return messages

    def opened(self):
        try:
            return self.talks[1].open()
        except Refused:
            return None

    def check_secrets(self):
        for token in self.good:
            self.check_session(200, Caller(self.server, token), "an acknowledged token")
        for token in self.ended:
            self.check_session(401, Caller(self.server, token), "a removed token")
        for cookie in self.cookies[-3:]:
            caller = Caller(self.server)
            caller.cookie = cookie
            self.check_session(200, caller, "an acknowledged sign-in")

    def check_session(self, expected, caller, what):
        status, _, _ = caller.request("GET", "/v1/session")
        if status != expected:
            raise Broken(f"{what} is answered {status}, not {expected}")


def settle_down(server, messages=300):
    """Makes the people and their first chats on a server with an empty folder; answers what they know."""
    ada = server.owner()
    ben = ada.add("Ben")
    ada.befriend(ben)
    ada.token()
    ben.token()
    ada.post("/v1/entities", {"name": ENTITY, "fields": FIELDS})
    crowd = Crowd({
        "tokens": [ada.bearer, ben.bearer], "users": [ada.user, ben.user], "old": None, "young": None, "chats": {},
        "starting": {}, "objects": Objects(), "newest_object": None, "good": {}, "ended": set(), "cookies": [],
        "count": 0, "refused": 0,
    })
    crowd.attach(server)
    crowd.start_chat()
    crowd.start_chats()
    crowd.old = crowd.young
    crowd.send([crowd.message(crowd.old, index % 2) for index in range(messages)])
    crowd.check()
    crowd.round()
    # What follows stays where it was appended, for the next start to find.
    crowd.start_chat()
    crowd.start_chats()
    crowd.send([crowd.message(crowd.old, index % 2) for index in range(20)])
    crowd.send([crowd.message(crowd.young, index % 2) for index in range(20)])
    crowd.detach()
    return crowd.knowledge()
