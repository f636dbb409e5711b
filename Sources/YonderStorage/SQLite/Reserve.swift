#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A file that holds room on the disk, given up when the disk is full so that erasing and closing still work.
///
/// Making it is the probe of a disk that failed: a disk that takes it makes files grow, and flushes.
struct Reserve: Sendable {
    /// How large it is: 1 MiB.
    static let size = 1 << 20

    private let path: String
    private let folder: String

    init(folder: String) {
        self.folder = folder
        path = "\(folder)/reserve"
    }

    /// Gives its room back.
    func release() {
        unlink(path)
    }

    /// Makes it, unless it is there already, and flushes it and the folder.
    ///
    /// The bytes are written: room that is only promised can't be relied on with every file system.
    ///
    /// - Returns: Whether the disk has taken it all.
    func make() -> Bool {
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
