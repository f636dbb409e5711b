"""The page's files as another HTTP client gets them."""

import gzip
import re
import urllib.request

from yonder import ROOT, Server


def fetched(url, coding):
    request = urllib.request.Request(url, headers={"Accept-Encoding": coding})
    with urllib.request.urlopen(request) as answer:
        return answer.headers, answer.read()


def test_each_file_of_the_page_comes_gzipped_with_the_same_bytes():
    with Server() as server:
        page = fetched(server.url, "identity")[1].decode()
        folder = re.search(r'"(/assets/[0-9a-f]+)/', page)[1]
        modules = [path.relative_to(ROOT / "Web") for path in (ROOT / "Web/app").rglob("*.js") if ".test." not in path.name]
        assert len(modules) > 50
        smaller = 0
        for path in ["/", "/control", "/service-worker.js", "/icon.svg", *(f"{folder}/{module}" for module in modules)]:
            plain_headers, plain = fetched(server.url + path, "identity")
            headers, content = fetched(server.url + path, "gzip")
            assert "Content-Encoding" not in plain_headers
            if headers.get("Content-Encoding") == "gzip":
                assert gzip.decompress(content) == plain, path
                assert len(content) < 0.9 * len(plain), path
                assert headers["ETag"] != plain_headers["ETag"] and headers["Vary"] == "Accept-Encoding"
                smaller += 1
            else:
                assert content == plain, path
        assert smaller > 50
