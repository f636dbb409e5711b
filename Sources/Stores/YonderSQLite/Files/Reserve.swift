#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A file that reserves room on the disk, deleted when the disk is full so that erasing and closing still
/// work.
///
/// Creating it again tests a disk that failed: success means that files can grow and be flushed.
///
/// `SQLiteStore` makes it when it opens or recovers, and releases it at the first failed write, so that erasing has
/// room; `StoreHealth` doesn't count the store as healthy before it is there again. Nothing throws: `false` means that
/// the disk has no room or fails. ``size`` must be more than a round of erasing needs, and may be raised (decision 16,
/// `StoreFailureTests`).
package struct Reserve: Sendable {
    /// The size of the file: 1 MiB.
    package static let size = 1 << 20

    private let path: String
    private let folder: String

    package init(folder: String) {
        self.folder = folder
        path = "\(folder)/reserve"
    }

    /// Deletes the file.
    package func release() {
        unlink(path)
    }

    /// Creates the file unless it exists, and flushes the file and the folder.
    ///
    /// The bytes are actually written: not every file system guarantees room that is only allocated.
    ///
    /// - Returns: Whether the file is complete and flushed.
    package func make() -> Bool {
        if isThere { return true }
        let descriptor = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        let isWritten = fill(descriptor) && fsync(descriptor) == 0
        let isClosed = close(descriptor) == 0
        guard isWritten, isClosed, FolderFlush.flush(folder) else {
            release()
            return false
        }
        return true
    }

    private var isThere: Bool {
        var status = stat()
        return stat(path, &status) == 0 && Int(status.st_size) == Self.size
    }

    private func fill(_ descriptor: CInt) -> Bool {
        let block = [UInt8](repeating: 0, count: 64 << 10)
        var left = Self.size
        while left > 0 {
            let written = write(descriptor, block, min(left, block.count))
            guard written > 0 else { return false }
            left -= written
        }
        return true
    }
}
