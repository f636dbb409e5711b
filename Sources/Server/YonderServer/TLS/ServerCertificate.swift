package import NIOSSL
import Synchronization
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The certificate for new connections, read again when its files change.
///
/// Open connections keep the certificate with which they began.
///
/// `ServerAssembly` reads it at the start, where an error ends the start. `ChildChannel` takes ``context`` for each
/// connection, on any thread; `CertificateRenewal` calls ``refresh()`` now and then, and logs its outcome. Files that
/// can't be read later leave the old certificate in use.
///
/// That TLS 1.2 is the least version must stay. How a change of the files is noticed is ``FileWatch``
/// (`FileWatchTests`).
package final class ServerCertificate: Sendable {
    /// The result of checking the files.
    package enum Outcome: Sendable {
        /// The files are unchanged, or their fault was already reported.
        case unchanged
        /// A new certificate is in use.
        case renewed
        /// The files changed but are invalid; the previous certificate stays in use.
        case unusable(any Error)
    }

    private struct State {
        var context: NIOSSLContext
        var watch: FileWatch
    }

    private let files: ServerSettings.Certificate
    private let state: Mutex<State>

    /// Reads the files.
    ///
    /// - Throws: The error of reading or parsing the files.
    package init(_ files: ServerSettings.Certificate) throws {
        self.files = files
        let paths = [files.chain, files.key]
        let watch = FileWatch(FileIdentity.of(paths))
        state = Mutex(State(context: try Self.context(files), watch: watch))
    }

    /// The TLS context for a new connection.
    package var context: NIOSSLContext {
        state.withLock { $0.context }
    }

    /// Checks whether the files have changed, and reads them if they have.
    ///
    /// Invalid files are read again at every check, because certificate and key are seldom replaced in one
    /// step.
    package func refresh() -> Outcome {
        let found = FileIdentity.of([files.chain, files.key])
        let action = state.withLock { $0.watch.look(found) }
        guard action != .nothing else { return .unchanged }
        do {
            let context = try Self.context(files)
            state.withLock { state in
                state.context = context
                state.watch.loaded(found)
            }
            return .renewed
        } catch {
            return action == .load ? .unusable(error) : .unchanged
        }
    }

    private static func context(_ files: ServerSettings.Certificate) throws -> NIOSSLContext {
        let chain = try NIOSSLCertificate.fromPEMFile(files.chain)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: files.key, format: .pem))
        )
        // RFC 8996: TLS 1.0 and 1.1 are deprecated.
        configuration.minimumTLSVersion = .tlsv12
        return try NIOSSLContext(configuration: configuration)
    }
}

/// Decides when to read files, by their status.
struct FileWatch {
    /// The action to take.
    enum Action: Equatable {
        case nothing
        /// Read the files: they have changed since the last check.
        case load
        /// Read the files again: they were invalid and haven't changed since.
        case retry
    }

    private var used: [FileIdentity?]
    private var seen: [FileIdentity?]

    /// Begins with files that were just read.
    init(_ files: [FileIdentity?]) {
        (used, seen) = (files, files)
    }

    /// Compares the files' present status.
    mutating func look(_ files: [FileIdentity?]) -> Action {
        defer { seen = files }
        if files == used { return .nothing }
        return files == seen ? .retry : .load
    }

    /// Call this when the files with this status were read successfully.
    mutating func loaded(_ files: [FileIdentity?]) {
        used = files
    }
}

/// The parts of a file's status that identify its contents.
struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let number: UInt64
    let size: Int64
    let modified: Int64

    /// The identities of the files at these paths, following links; `nil` for a missing file.
    static func of(_ paths: [String]) -> [FileIdentity?] {
        paths.map { path in
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            return FileIdentity(
                device: UInt64(truncatingIfNeeded: status.st_dev),
                number: UInt64(status.st_ino),
                size: Int64(status.st_size),
                modified: Self.nanoseconds(status)
            )
        }
    }

    #if canImport(Darwin)
    private static func nanoseconds(_ status: stat) -> Int64 {
        Int64(status.st_mtimespec.tv_sec) * 1_000_000_000 + Int64(status.st_mtimespec.tv_nsec)
    }
    #else
    private static func nanoseconds(_ status: stat) -> Int64 {
        Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    }
    #endif
}
