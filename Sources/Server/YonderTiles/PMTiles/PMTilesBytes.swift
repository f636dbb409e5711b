import NIOCore
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Where an archive's bytes are: in memory that lives as long as the program, or in a file.
///
/// `PMTilesArchive` reads every section through it, on any thread. An archive that was cut or replaced while the server
/// runs gives an error or another file's bytes, which the next check of a header or directory notices; nothing traps.
/// That a length of a stranger's file is checked before memory is taken must stay (`PMTilesArchiveTests`).
// Safe because the memory is never written or freed, and a file is read at offsets of the caller's.
enum PMTilesBytes: @unchecked Sendable {
    case memory(UnsafeRawBufferPointer)
    case file(OpenFile)

    /// A file that is closed with its last user.
    final class OpenFile: Sendable {
        let descriptor: CInt
        let length: UInt64

        init(path: String) throws(PMTilesError) {
            descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw .unreadable(errno) }
            let end = lseek(descriptor, 0, SEEK_END)
            guard end >= 0 else {
                let reason = errno
                close(descriptor)
                throw .unreadable(reason)
            }
            length = UInt64(end)
        }

        deinit {
            close(descriptor)
        }
    }

    var length: UInt64 {
        switch self {
        case .memory(let bytes): UInt64(bytes.count)
        case .file(let file): file.length
        }
    }

    /// A copy of a section.
    ///
    /// - Throws: ``PMTilesError/tooLong(length:)`` beyond `limit` bytes, ``PMTilesError/outOfBounds(offset:length:)``
    ///   where the archive has ended, ``PMTilesError/unreadable(_:)``.
    func read(_ section: PMTilesHeader.Section, limit: Int) throws(PMTilesError) -> ByteBuffer {
        guard section.length <= UInt64(limit) else { throw .tooLong(length: section.length) }
        _ = try PMTilesHeader.Section(offset: 0, length: length).part(
            offset: section.offset,
            length: section.length
        )
        switch self {
        case .memory(let bytes):
            let start = Int(section.offset)
            return ByteBuffer(
                bytes: UnsafeRawBufferPointer(rebasing: bytes[start..<start + Int(section.length)])
            )
        case .file(let file):
            return try Self.read(section, from: file)
        }
    }

    private static func read(
        _ section: PMTilesHeader.Section,
        from file: OpenFile
    ) throws(PMTilesError) -> ByteBuffer {
        let wanted = Int(section.length)
        var buffer = ByteBuffer()
        while buffer.readableBytes < wanted {
            let position = off_t(section.offset) + off_t(buffer.readableBytes)
            let got = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: wanted - buffer.readableBytes)
            {
                max(0, pread(file.descriptor, $0.baseAddress, min($0.count, wanted), position))
            }
            guard got > 0 else { throw .outOfBounds(offset: section.offset, length: section.length) }
        }
        return buffer
    }
}
