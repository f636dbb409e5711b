#if !canImport(Security)
public import YonderModel
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A session in a file that only its user can read, for systems without a keychain.
///
/// An app or a program without a keychain gives one to its `RESTClient`, whose `SessionKeeper` alone calls it. A failure of
/// the disk throws `unavailable`. That others can't read the file, and that it is replaced in one step, must stay: a program
/// that can read it acts as the person. The JSON is `Session`'s, and files of earlier versions must be read
/// (`FileSessionStoreTests`).
public struct FileSessionStore: SessionStore {
    private let path: String

    /// Creates a store.
    ///
    /// - Parameter path: The file; its folder must exist.
    public init(path: String) {
        self.path = path
    }

    /// The session in the file, or `nil` without a file.
    ///
    /// - Throws: `unavailable` if the file can't be read, is not a session's, or can be read by others.
    public func session() throws(SharingError) -> Session? {
        var status = stat()
        guard stat(path, &status) == 0 || errno != ENOENT else { return nil }
        do {
            guard status.st_mode & 0o077 == 0 else { throw Unreadable.byOthers }
            return try JSONDecoder().decode(Session.self, from: Data(contentsOf: URL(filePath: path)))
        } catch {
            throw SharingError(.unavailable, "The session in \(path) can't be read: \(error)")
        }
    }

    /// Replaces the file, of mode 0600, in one step.
    public func keep(_ session: Session) throws(SharingError) {
        let new = path + ".new"
        do {
            let bytes = [UInt8](try JSONEncoder().encode(session))
            unlink(new)
            let file = open(new, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw POSIXError.last }
            let isWritten = write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
            guard close(file) == 0, isWritten, rename(new, path) == 0 else { throw POSIXError.last }
        } catch {
            unlink(new)
            throw SharingError(.unavailable, "The session can't be kept in \(path): \(error)")
        }
    }

    /// Removes the file.
    public func remove() throws(SharingError) {
        guard unlink(path) != 0, errno != ENOENT else { return }
        throw SharingError(.unavailable, "The session in \(path) can't be removed: \(POSIXError.last)")
    }

    private enum Unreadable: Error {
        case byOthers
    }
}

extension POSIXError {
    fileprivate static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
#endif
