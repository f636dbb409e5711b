"""What Packaging/cluster has for machines of one's own: each program takes its file, and a rolling restart through the load
balancer is noticed by nobody."""

import asyncio
import re
import shutil
import subprocess

import pytest
import yaml
from cluster import Cluster
from stream import BROKEN, Stream
from yonder import ROOT, Caller, free_port, party, program, until

FILES = ROOT / "Packaging/cluster"
HAPROXY = shutil.which("haproxy") or "/usr/sbin/haproxy"
DRAIN = 3


def certificate(folder, name="localhost"):
    """A key, a certificate for the loopback address, and both in one file."""
    key, chain = folder / "server.key", folder / "server.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}", "-addext",
         "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", chain], check=True, capture_output=True,
    )
    shutil.copy(chain, folder / "ca.pem")
    (folder / "both.pem").write_text(chain.read_text() + key.read_text())


@pytest.mark.may_skip("systemd isn't installed everywhere")
def test_systemd_knows_every_line_of_the_unit(tmp_path):
    if not shutil.which("systemd-analyze"):
        pytest.skip("no systemd-analyze")
    unit = tmp_path / "yonder-node.service"
    unit.write_text((FILES / "yonder-node.service").read_text().replace("/usr/local/lib/yonder", str(FILES)))
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and not done.stderr.strip(), done.stderr


def test_nats_server_takes_its_file(tmp_path):
    certificate(tmp_path)
    file = tmp_path / "nats-server.conf"
    file.write_text((FILES / "nats-server.conf").read_text().replace("/etc/nats", str(tmp_path)))
    done = subprocess.run(["nats-server", "-t", "-c", file], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_the_start_script_needs_a_store_and_a_bus_and_passes_settings_on():
    script = FILES / "start-node"
    for missing, given in [("YONDER_STORE", {"YONDER_BUS": "b"}), ("YONDER_BUS", {"YONDER_STORE": "s"})]:
        done = subprocess.run([script], env=given, capture_output=True, text=True, timeout=60)
        assert done.returncode and missing in done.stderr, done.stderr
    settings = {"YONDER_STORE": "s", "YONDER_BUS": "b", "YONDER_PROGRAM": "/bin/echo"}
    assert subprocess.check_output([script, "--port", "1"], env=settings, text=True) == "serve --port 1\n"


def test_the_compose_file_has_images_ports_and_the_start_script_alone():
    services = yaml.safe_load((FILES / "compose.yaml").read_text())["services"]
    nodes = [service for name, service in services.items() if name.startswith("node-")]
    assert len(nodes) == 3 and len({node["environment"]["YONDER_PORT"] for node in nodes}) == 3
    for node in nodes:
        assert node["entrypoint"] == ["/usr/local/lib/yonder/start-node"] and "build" not in node
        # Every setting is one of `yonder serve`.
        printed = subprocess.check_output([program(), "serve", "--help"], text=True)
        for name in node["environment"]:
            assert f"--{name.removeprefix('YONDER_').lower()} " in printed, name


class Balancer:
    """HAProxy with the shipped file, on other addresses and asking more often."""

    def __init__(self, folder, nodes):
        certificate(folder)
        self.port = free_port()
        text = (FILES / "haproxy.cfg").read_text()
        text = text.replace(":443 ssl crt /etc/haproxy/map.example.org.pem", f"127.0.0.1:{self.port}")
        for name, node in zip("abc", nodes):
            text = text.replace(f"{name}.example:8080", f"127.0.0.1:{node.port}")
        text = text.replace("maxconn 100000", "maxconn 1000").replace("inter 1s", "inter 100ms")
        assert "example" not in re.sub(r"#.*", "", text)
        self.file = folder / "haproxy.cfg"
        self.file.write_text(text)

    def __enter__(self):
        self.process = subprocess.Popen([HAPROXY, "-f", self.file], stderr=subprocess.DEVNULL)
        until(lambda: self.answers(), what="an answer through the load balancer")
        return self

    def answers(self):
        try:
            return Caller(self).request("GET", "/health")[0] == 200
        except OSError:
            return False

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def test_haproxy_takes_its_file(tmp_path):
    certificate(tmp_path)
    text = (FILES / "haproxy.cfg").read_text().replace("/etc/haproxy/map.example.org.pem", str(tmp_path / "both.pem"))
    text = re.sub(r"\b[abc]\.example", "127.0.0.1", text)
    (tmp_path / "haproxy.cfg").write_text(text)
    done = subprocess.run([HAPROXY, "-c", "-f", tmp_path / "haproxy.cfg"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_nobody_notices_a_rolling_restart_behind_the_load_balancer(tmp_path):
    with Cluster(3, ["--drain", str(DRAIN)]) as cluster, Balancer(tmp_path, cluster.nodes) as balancer:
        owner, (ben,) = party(cluster.nodes[0], ["Ben"])
        chat = owner.start_chat([ben])
        through = Caller(balancer, token=owner.token())

        async def restart():
            for node in cluster.nodes:
                assert await asyncio.to_thread(node.stop) == 0
                await asyncio.to_thread(node.start)

        async def work():
            restarting = asyncio.create_task(restart())
            reading = asyncio.create_task(follow(balancer, ben.token(), chat, restarting))
            sent = []
            while not restarting.done() or len(sent) < 20:
                # Any status of 400 or above, and any connection that breaks, is an error here.
                sent.append(await asyncio.to_thread(through.send, chat, "Text", "hello"))
                await asyncio.sleep(0.02)
            await restarting
            last = await asyncio.to_thread(through.send, chat, "Text", "last")
            seen, nodes = await asyncio.wait_for(reading, 120)
            assert seen == list(range(1, last + 1))
            assert set(sent) < set(seen) and len(nodes) > 1, nodes

        asyncio.run(work())


async def follow(balancer, token, chat, restarting):
    """Reads a chat through the load balancer, and goes on behind the last message when a server sends it away.

    Answers the numbers that it saw, and the servers that it saw them on.
    """
    seen, nodes = [], set()
    while True:
        try:
            stream = await Stream.open(balancer, token)
            nodes.add(stream.hello["node"])
            await stream.write(type="subscribe", id=1, query="messages", chat=chat, since=seen[-1] if seen else 0)
            while True:
                frame = await stream.receive()
                messages = frame["messages"] if frame["type"] == "messages" else [frame] if frame["type"] == "message" else []
                seen += [message["number"] for message in messages]
                if messages and messages[-1].get("content") == "last":
                    return seen, nodes
        except BROKEN:
            await asyncio.sleep(0.05)
