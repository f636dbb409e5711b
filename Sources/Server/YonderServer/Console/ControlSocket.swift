#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
import YonderModel

/// The socket in a data folder through which the command line sends requests to a running server.
///
/// A Unix domain socket's address has 107 bytes at most; a longer folder path is reached through its
/// descriptor.
///
/// `ConsoleService` listens on it, `SocketConsole` connects. It lies in the data folder under the name that both know,
/// which must stay while a command and a server may be of two versions. A folder whose path can't be made short enough
/// has no socket, and the server runs without (`ConsoleTests`).
final class ControlSocket: Sendable {
    /// The socket's name in the data folder.
    static let name = "control"

    /// The longest path that a socket's address holds.
    private static let longest = 100

    /// A path to the socket that fits into an address, valid while this object exists.
    let path: String

    private let descriptor: CInt?

    /// Determines the socket's path in a folder.
    ///
    /// - Throws: `unavailable` if no path to the folder is short enough.
    init(in folder: String) throws(SharingError) {
        let whole = "\(folder)/\(Self.name)"
        guard whole.utf8.count > Self.longest else {
            path = whole
            descriptor = nil
            return
        }
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0, access("/proc/self/fd/\(descriptor)", X_OK) == 0 else {
            if descriptor >= 0 { close(descriptor) }
            throw SharingError(
                .unavailable,
                "\(folder): its path has more than \(Self.longest) bytes; give a shorter or a relative one."
            )
        }
        self.descriptor = descriptor
        path = "/proc/self/fd/\(descriptor)/\(Self.name)"
    }

    deinit {
        if let descriptor { close(descriptor) }
    }

    /// Permits only the file's owner to connect; ``PeerUser`` checks each peer, too.
    func restrict() { _ = chmod(path, 0o600) }

    /// Removes the socket's file.
    func remove() { _ = unlink(path) }
}
