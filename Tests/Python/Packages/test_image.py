"""The image for containers: what is in it, whether umoci takes it, and a server of it with a read-only root and no capability."""

import contextlib
import datetime
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import tarfile
import tempfile

import jsonschema_rs
import pytest
import yaml
from root import ROOT_COMMAND, as_root
from yonder import LINK, ROOT, Running, free_port, program, until

USER = 65532
# The specification's schema, of Debian's docker-compose.
SCHEMA = pathlib.Path("/usr/lib/python3/dist-packages/compose/config/compose_spec.json")


def make(folder):
    """Makes an image of the program under test."""
    subprocess.run([ROOT / "Scripts/image", program(), "--quick", "--to", folder], check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    """The folder that `make image` has made, or one that is made now."""
    made = ROOT / ".build-image"
    return made if made.is_dir() and "YONDER" not in os.environ else make(tmp_path_factory.mktemp("image"))


def blob(image, descriptor):
    return image / "oci/blobs" / descriptor["digest"].replace(":", "/")


def manifest(image):
    [described] = json.loads((image / "oci/index.json").read_text())["manifests"]
    return json.loads(blob(image, described).read_text())


def configuration(image):
    return json.loads(blob(image, manifest(image)["config"]).read_text())


@pytest.fixture(scope="module")
def members(image):
    """Every member of the layers, by its name."""
    found = {}
    for layer in manifest(image)["layers"]:
        with tarfile.open(blob(image, layer)) as tar:
            found |= {member.name: member for member in tar.getmembers()}
    return found


def test_every_digest_and_size_is_that_of_its_blob(image):
    described = [*manifest(image)["layers"], manifest(image)["config"], *json.loads((image / "oci/index.json").read_text())["manifests"]]
    for descriptor in described:
        content = blob(image, descriptor).read_bytes()
        assert descriptor["digest"] == "sha256:" + hashlib.sha256(content).hexdigest() and descriptor["size"] == len(content)
    assert json.loads((image / "oci/oci-layout").read_text()) == {"imageLayoutVersion": "1.0.0"}


def test_a_number_is_its_user_and_data_its_volume(image):
    config = configuration(image)["config"]
    assert config["User"] == f"{USER}:{USER}" and config["Volumes"] == {"/data": {}}
    assert config["Entrypoint"] == ["/usr/bin/yonder"] and config["Cmd"] == ["serve"] and "YONDER_DATA=/data" in config["Env"]


def test_it_has_the_program_its_libraries_certificates_and_nothing_else(members):
    files = {name for name, member in members.items() if member.isfile()}
    programs = {name for name in files if "/bin/" in name or "/sbin/" in name}
    assert programs == {"usr/bin/yonder"}
    others = files - programs - {"etc/ssl/certs/ca-certificates.crt", "etc/nsswitch.conf"}
    notes = {name for name in others if name.startswith("usr/share/doc/")}
    # The license of each library comes with it.
    own = {f"usr/share/doc/yonder/{name}" for name in ("copyright", "third-party-licenses.txt.gz")}
    assert {"usr/share/doc/libc6/copyright"} | own <= notes
    assert all(".so" in name and name.startswith("usr/lib") for name in others - notes), others - notes
    assert not any(member.mode & 0o6000 for member in members.values())
    volumes = {"data", "backups"}
    assert {(members[name].uid, members[name].mode) for name in volumes} == {(USER, 0o700)}
    assert {member.uid for name, member in members.items() if name not in volumes} == {0}


def test_a_second_one_has_the_same_bytes(image, tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(time_of(image)))
    [first], [second] = image.glob("*.tar"), make(tmp_path).glob("*.tar")
    assert first.name == second.name and first.read_bytes() == second.read_bytes()


def test_the_one_file_has_the_manifest_that_older_engines_load(image):
    [file] = image.glob("*.tar")
    with tarfile.open(file) as tar:
        [saved] = json.load(tar.extractfile("manifest.json"))
        assert all(tar.getmember(name).size for name in [saved["Config"], *saved["Layers"]])
    assert saved["RepoTags"] == [json.loads(yaml_text(image))["services"]["yonder"]["image"]]


def time_of(image):
    """The time of every file in it, in seconds since 1970."""
    return int(datetime.datetime.fromisoformat(configuration(image)["created"].replace("Z", "+00:00")).timestamp())


def yaml_text(image):
    """The compose file beside the image, as JSON."""
    return json.dumps(yaml.safe_load((image / "compose.yaml").read_text()))


def test_the_compose_file_is_one_after_the_published_schema(image):
    compose = json.loads(yaml_text(image))
    jsonschema_rs.Draft7Validator(json.loads(SCHEMA.read_text())).validate(compose)
    server = compose["services"]["yonder"]
    assert server["read_only"] and server["cap_drop"] == ["ALL"] and "ports" not in server
    # Neither lives in the other's network, which would go with it; Caddy finds the server by its name.
    assert not {"network_mode"} & (server.keys() | compose["services"]["caddy"].keys())
    assert compose["services"]["caddy"]["environment"]["UPSTREAM"] == "yonder:8080"
    assert (image / "Caddyfile").read_bytes() == (ROOT / "Packaging/Caddyfile").read_bytes()


def composed(folder, **variables):
    """What compose makes of the file in a folder, as all its commands read it."""
    environment = {name: value for name, value in os.environ.items() if name != "NAME"} | variables
    done = subprocess.run(["docker-compose", "config"], cwd=folder, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return yaml.safe_load(done.stdout)["services"]


def checked(services):
    """How the check of the settings ends, with the variables that compose gives it."""
    check = services["check"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("YONDER_")} | check["environment"]
    return subprocess.run([program(), *check["command"]], env=environment | {"YONDER_DATA": "/data"}, capture_output=True,
                          text=True, timeout=60)


def test_every_command_of_compose_reads_the_file_without_a_name_and_the_start_alone_refuses(image, tmp_path):
    shutil.copy(image / "compose.yaml", tmp_path)
    services = composed(tmp_path)
    assert services["yonder"]["depends_on"]["check"]["condition"] == "service_completed_successfully"
    assert services["caddy"]["depends_on"]["yonder"]["condition"] == "service_healthy"
    assert services["yonder"]["environment"] == services["check"]["environment"]
    refused = checked(services)
    assert refused.returncode != 0 and "write the server's name into the file .env as NAME=map.example.org" in refused.stderr


def test_a_name_in_the_file_env_is_the_origin_and_caddys(image, tmp_path):
    shutil.copy(image / "compose.yaml", tmp_path)
    (tmp_path / ".env").write_text("NAME=map.example.org\n")
    services = composed(tmp_path)
    assert services["yonder"]["environment"]["YONDER_ORIGIN"] == "https://map.example.org"
    assert services["caddy"]["environment"]["NAME"] == "map.example.org" and checked(services).returncode == 0


@contextlib.contextmanager
def bundle(image):
    """What umoci unpacks of the image, for runc: with a read-only root and without any capability."""
    with tempfile.TemporaryDirectory(prefix="yonder-image-") as parent:
        folder = pathlib.Path(parent, "bundle")
        version = next(image.glob("*.tar")).name.split("_")[1]
        as_root("umoci", "unpack", "--image", f"{image}/oci:{version}", folder)
        as_root("install", "-d", "-o", USER, "-g", USER, "-m", "0700", f"{parent}/data")
        try:
            yield folder
        finally:
            as_root("rm", "-rf", folder, f"{parent}/data")


def confine(folder, port):
    """Rewrites umoci's settings for runc."""
    config = json.loads(as_root("cat", folder / "config.json").stdout)
    config["root"]["readonly"] = True
    process = config["process"]
    process["terminal"] = False
    process["capabilities"] = {kind: [] for kind in ("bounding", "effective", "inheritable", "permitted", "ambient")}
    process["noNewPrivileges"] = True
    process["env"] += [f"YONDER_PORT={port}"]
    # The machine's network, at a free port of its own.
    config["linux"]["namespaces"] = [entry for entry in config["linux"]["namespaces"] if entry["type"] not in ("network", "cgroup")]
    config["mounts"] = [mount for mount in config["mounts"] if mount["destination"] in ("/proc", "/dev", "/dev/shm")] + [
        {"destination": "/tmp", "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "nodev", "noexec"]},
        {"destination": "/data", "type": "bind", "source": str(folder.parent / "data"), "options": ["bind", "rw"]},
    ]
    config["linux"].pop("resources", None)
    as_root("tee", folder / "config.json", typed=json.dumps(config))


class Container:
    """A server of the image under runc, which can be killed and started again on the same data."""

    def __init__(self, bundle):
        self.bundle, self.name = bundle, f"yonder-test-{os.getpid()}"
        self.runc = [*ROOT_COMMAND, "runc", "--root", bundle.parent / "state"]

    def start(self):
        self.server = subprocess.Popen(
            [*self.runc, "run", "--bundle", self.bundle, self.name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        until(lambda: self.inside("ready").returncode == 0, what="readiness in the container")

    def inside(self, *command):
        return subprocess.run(
            [*self.runc, "exec", self.name, "/usr/bin/yonder", *command], capture_output=True, text=True, timeout=60)

    def process(self):
        listed = subprocess.check_output([*self.runc, "list", "--format", "json"], text=True)
        return json.loads(listed)[0]["pid"]

    def end(self, signal):
        """Ends the server; answers its status."""
        subprocess.run([*self.runc, "kill", self.name, signal], timeout=60)
        self.server.communicate(timeout=60)
        subprocess.run([*self.runc, "delete", "--force", self.name], timeout=60, capture_output=True)
        return self.server.returncode


def test_its_first_minute_with_a_read_only_root_and_no_capability_as_root(image):
    port = free_port()
    with bundle(image) as folder:
        confine(folder, port)
        container = Container(folder)
        try:
            container.start()
            owner = Running(port).sign_in(LINK.search(container.inside("user", "link").stdout)[0])
            owner.token()
            ada = owner.add("Ada")
            owner.befriend(ada)
            chat = owner.start_chat([ada])
            number = owner.send(chat, "Text", "kept")
            status = as_root("cat", f"/proc/{container.process()}/status").stdout
            assert f"Uid:\t{USER}\t" in status and "CapEff:\t0000000000000000" in status and "CapBnd:\t0000000000000000" in status
            mounts = as_root("cat", f"/proc/{container.process()}/mountinfo").stdout.splitlines()
            assert any(line.split()[4] == "/" and line.split()[5].startswith("ro") for line in mounts)
            container.end("KILL")
            container.start()
            assert {entry["number"]: entry.get("content") for entry in owner.messages(chat)["messages"]}[number] == "kept"
            assert container.end("TERM") == 0
        finally:
            container.server.kill()
            subprocess.run([*container.runc, "delete", "--force", container.name], timeout=60, capture_output=True)
            as_root("rm", "-rf", folder.parent / "state")
