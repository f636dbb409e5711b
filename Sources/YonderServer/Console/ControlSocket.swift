#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
import YonderModel

/// The socket in a data folder over which the command line asks a running server.
///
/// The address of a socket in the file system has 107 bytes at most; a longer folder is reached by its descriptor.
final class ControlSocket: Sendable {
    /// The socket's name in the data folder.
    static let name = "control"

    /// The longest path that a socket's address holds.
    private static let longest = 100

    /// Where the socket is, in a path that its address holds, as long as this object lives.
    let path: String

    private let descriptor: CInt?

    /// Finds the socket's place in a folder.
    ///
    /// - Throws: `unavailable` if the folder can't be reached by a path that is short enough.
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

    /// Lets its owner alone connect; who connects is looked at, too.
    func restrict() { _ = chmod(path, 0o600) }

    /// Removes it.
    func remove() { _ = unlink(path) }
}
