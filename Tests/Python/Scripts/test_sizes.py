"""A release's symbols in a file beside it, and the sizes of its parts from the linker's map."""

import importlib.machinery
import importlib.util
import subprocess

import pytest
from yonder import ROOT

MAP = """\
Discarded input sections

 .text.left     0x0000000000000000       0x99 /clone/.build/release/YonderHub.build/One.swift.o

Memory map

.text           0x00000000000cf600   0x8595be
 .text          0x00000000000cf600       0x2b /lib/x86_64-linux-gnu/Scrt1.o
 .text.$s9YonderHub3one
                0x00000000000cf640       0x10 /clone/.build/release/YonderHub.build/One.swift.o
 .text.two      0x00000000000cf650       0x20 /clone/.build/release/NIOCore.build/Two.swift.o
 swift5_typeref 0x00000000000cf670        0x8 /swift/usr/lib/swift_static/linux/libFoundationEssentials.a(Date.swift.o)
 .rodata        0x00000000000cf700   0x1000000 /clone/.build/release/CYonderWeb.build/data.c.o
 .debug_info    0x0000000000000000       0x50 /clone/.build/release/NIOCore.build/Two.swift.o
 .bss           0x0000000000aff000       0x50 /clone/.build/release/NIOCore.build/Two.swift.o
 ** eh_frame    0x0000000000bff000       0x50
"""


@pytest.fixture(scope="module")
def sizes():
    loader = importlib.machinery.SourceFileLoader("show_sizes", str(ROOT / "Scripts/show-sizes"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("show_sizes", loader))
    loader.exec_module(module)
    return module


def test_a_part_has_what_the_linker_took_of_its_files(sizes):
    found = sizes.parts(MAP, {"NIOCore": "swift-nio"})
    assert found["swift-nio"] == 0x20 and found["FoundationEssentials"] == 8 and found["the C library's and the linker's"] == 0x2b
    assert found[sizes.OURS] == 0x10


def test_embedded_files_are_parts_of_their_own(sizes):
    found = sizes.parts(MAP, {})
    gazetteer = (ROOT / "Data/gazetteer/places.sqlite").stat().st_size
    assert found["gazetteer"] == gazetteer
    assert sum(found[name] for name in ("the page", *sizes.EMBEDDED)) == 0x1000000


def compiled(folder, name):
    source = folder / "one.c"
    source.write_text("int main(void) { return 3; }\n")
    subprocess.run(["gcc", "-g", "-Wl,--build-id=none", "-o", folder / name, source], check=True)
    subprocess.run([ROOT / "Scripts/split-symbols", folder / name], check=True)
    return (folder / name).read_bytes(), (folder / f"{name}.debug").read_bytes()


def sections(file):
    return subprocess.check_output(["readelf", "--sections", "--wide", file], text=True)


def test_symbols_lie_beside_a_program_that_refers_to_them(tmp_path):
    compiled(tmp_path, "one")
    assert subprocess.run([tmp_path / "one"]).returncode == 3
    assert ".symtab" not in sections(tmp_path / "one") and ".debug_info" not in sections(tmp_path / "one")
    assert ".gnu_debuglink" in sections(tmp_path / "one") and ".debug_info" in sections(tmp_path / "one.debug")


def test_the_same_source_gives_the_same_bytes_and_a_second_call_changes_nothing(tmp_path):
    first = compiled(tmp_path, "one")
    assert compiled(tmp_path, "one") == first
    subprocess.run([ROOT / "Scripts/split-symbols", tmp_path / "one"], check=True)
    assert ((tmp_path / "one").read_bytes(), (tmp_path / "one.debug").read_bytes()) == first
