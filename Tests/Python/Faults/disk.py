"""What a disk holds after a failed flush: everything written since the last good one is lost, for good.

Linux marks the pages of a failed flush as clean. They are read from memory for a while, and the next flush answers that
all is well; but what is on the disk is what was there before. The preloaded library records each write and flush, and
`restore` makes the files of a killed server hold what such a disk would.
"""

import pathlib
import shutil
import struct

HEADER = struct.Struct("=IIIIQQQ")
MAGIC = 0x594E444A
NAME, WRITE, TRUNCATE, FLUSHED, LOST, REMOVE, RENAME = range(1, 8)


class File:
    """One file: what its disk holds, and the writes since that no flush has covered."""

    def __init__(self, content=b""):
        self.durable = bytearray(content)
        self.waiting = []
        self.has_lost = False

    def flushed(self, position):
        covered = [change for change in self.waiting if change[0] < position]
        self.waiting = [change for change in self.waiting if change[0] >= position]
        for _, operation, offset, content in covered:
            apply(self.durable, operation, offset, content)

    def lost(self, position):
        self.has_lost = self.has_lost or any(change[0] < position for change in self.waiting)
        self.waiting = [change for change in self.waiting if change[0] >= position]

    def content(self, is_cut_off):
        """What is there after the process was killed or, if `is_cut_off`, the power was."""
        content = bytearray(self.durable)
        for _, operation, offset, written in [] if is_cut_off else self.waiting:
            apply(content, operation, offset, written)
        return bytes(content)


def apply(content, operation, offset, written):
    if operation == TRUNCATE:
        del content[offset:]
    if len(content) < offset:
        content.extend(bytes(offset - len(content)))
    if operation == WRITE:
        content[offset:offset + len(written)] = written


class Disk:
    """A folder as its disk holds it, from a copy made before the server started."""

    def __init__(self, folder, copy):
        self.folder = pathlib.Path(folder)
        self.copy = pathlib.Path(copy)

    def begin(self, journal):
        """Takes the files as they are for what the disk holds, and begins a new journal."""
        shutil.rmtree(self.copy, ignore_errors=True)
        if self.folder.exists():
            shutil.copytree(self.folder, self.copy, ignore=sockets)
        pathlib.Path(journal).unlink(missing_ok=True)

    def files(self, journal):
        """The files of the journal by path, as far as they are still there."""
        by_number, by_path = {}, {}
        for operation, number, position, offset, content in records(journal):
            if operation == NAME:
                path = content.decode()
                by_number[number] = by_path[path] = by_path.get(path) or File(self.before(path))
            elif operation in (WRITE, TRUNCATE):
                by_number[number].waiting.append((position, operation, offset, content))
            elif operation == FLUSHED:
                by_number[number].flushed(position)
            elif operation == LOST:
                by_number[number].lost(position)
            elif operation == REMOVE:
                by_path.pop(content.decode(), None)
            elif operation == RENAME:
                old, new = content.decode().split("\0")
                if old in by_path:
                    by_path[new] = by_path.pop(old)
        return by_path

    def before(self, path):
        try:
            return (self.copy / pathlib.Path(path).relative_to(self.folder)).read_bytes()
        except (OSError, ValueError):
            return b""

    def restore(self, journal, is_cut_off=False):
        """Puts the old bytes back, as of a failed flush; if `is_cut_off`, also those of writes that no flush covered.

        Answers the paths that were changed by it.
        """
        changed = []
        for path, file in self.files(journal).items():
            place = pathlib.Path(path)
            if not place.is_file() or not (file.has_lost or is_cut_off):
                continue
            content = file.content(is_cut_off)
            if place.read_bytes() != content:
                place.write_bytes(content)
                changed.append(path)
        return changed


def sockets(folder, names):
    return [name for name in names if (pathlib.Path(folder) / name).is_socket()]


def records(journal):
    """The records of a journal; one that a kill cut short is left out."""
    journal = pathlib.Path(journal)
    content = journal.read_bytes() if journal.exists() else b""
    place = 0
    while place + HEADER.size <= len(content):
        magic, operation, number, _, position, offset, length = HEADER.unpack_from(content, place)
        assert magic == MAGIC, f"the journal is damaged at {place}"
        start = place + HEADER.size
        carried = 0 if operation in (TRUNCATE, FLUSHED, LOST) else length
        if start + carried > len(content):
            return
        yield operation, number, position, offset, content[start:start + carried]
        place = start + carried
