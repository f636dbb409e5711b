"""A client of the older places API, written after Documentation/places-facade.md and with the standard library alone."""

import base64
import hashlib
import hmac
import http.client
import json
import time
import urllib.parse
import uuid

CONTENT_TYPE = "application/x-www-form-urlencoded"


def canonical(parameters, method, path):
    """The text that is signed: names in order, values of one name in order, nothing escaped."""
    pairs = [("method", method), ("path", path)]
    for name, value in parameters.items():
        values = value if isinstance(value, list) else [value]
        pairs += [(name, str(one)) for one in values]
    return "&".join(f"{name}={value}" for name, value in sorted(pairs, key=utf16))


def utf16(pair):
    return tuple(text.encode("utf-16-be") for text in pair)


def sign(parameters, method, path, secret):
    text = canonical(parameters, method, path).encode()
    return base64.b64encode(hmac.new(secret.encode(), text, hashlib.sha1).digest()).decode()


class Answer:
    """What the server said."""

    def __init__(self, code, body):
        self.code = code
        self.body = body
        self.status = body.get("status")

    def __getattr__(self, name):
        return self.body[name]

    def objects_in_order(self):
        return [self.body["objects"][id] for id in self.body["ids"]]

    def names(self):
        return [each["name#t"] for each in self.objects_in_order()]


class PlacesClient:
    """Speaks to `http://127.0.0.1:PORT/api`, with a key or without."""

    def __init__(self, port, key=None, secret=None, brackets=False):
        self.port = port
        self.key = key
        self.secret = secret
        self.brackets = brackets

    def request(self, method, path, parameters=None, **changes):
        """Sends a request; `changes` replace what it would send, `None` for leaving it out."""
        parameters = dict(parameters or {})
        if self.key:
            parameters |= {"key": self.key, "nonce": uuid.uuid4().hex, "time": str(int(time.time() * 1000))}
            early = {name: value for name, value in changes.items() if name != "signature"}
            parameters |= {name: value for name, value in early.items() if value is not None}
            parameters = {name: value for name, value in parameters.items() if early.get(name, "") is not None}
            parameters["signature"] = changes.get("signature") or sign(parameters, method, path, self.secret)
        return self.send(method, path, parameters)

    def send(self, method, path, parameters):
        if self.brackets:
            parameters = {f"{n}[]" if isinstance(v, list) else n: v for n, v in parameters.items()}
        form = urllib.parse.urlencode(parameters, doseq=True)
        target, body, headers = "/api" + path, None, {}
        if method in ("POST", "PUT"):
            body, headers = form, {"Content-Type": CONTENT_TYPE}
        elif form:
            target += "?" + form
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, target, body=body, headers=headers)
            response = connection.getresponse()
            return Answer(response.status, json.loads(response.read()))
        finally:
            connection.close()

    # What the clients call these.

    def save(self, entity, id=None, **fields):
        commands = {f"set-{name}": value for name, value in fields.items() if value is not None}
        commands |= {f"del-{name}": "-" for name, value in fields.items() if value is None}
        if id is None:
            return self.request("POST", f"/data/{entity}", commands)
        return self.request("PUT", f"/data/{entity}/{id}", commands)

    def read(self, entity, id):
        return self.request("GET", f"/data/{entity}/{id}")

    def remove(self, entity, id):
        return self.request("DELETE", f"/data/{entity}/{id}")

    def fetch(self, entity, limit=100, offset=0, q="", params=()):
        query = {"q": q, "params": list(params), "limit": limit, "offset": offset}
        return self.request("GET", f"/data/{entity}", query)

    def near(self, entity, field, lat, lon, limit=100, q="", params=()):
        query = {"q": q, "params": list(params), "limit": limit, "lat": lat, "lon": lon}
        return self.request("GET", f"/data/{entity}/near/{field}", query)

    def bounding(self, entity, field, southwest, northeast, limit=100, q="", params=()):
        query = {"q": q, "params": list(params), "limit": limit}
        query |= {"swlat": southwest[0], "swlon": southwest[1], "nelat": northeast[0], "nelon": northeast[1]}
        return self.request("GET", f"/data/{entity}/bounding/{field}", query)
