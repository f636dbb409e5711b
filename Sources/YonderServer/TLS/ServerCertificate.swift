import Foundation
package import NIOSSL
import Synchronization

/// The certificate that new connections are shown, read anew when its files change.
///
/// Connections that are open keep what they began with.
package final class ServerCertificate: Sendable {
    /// What a look at the files found.
    package enum Outcome: Sendable {
        /// Nothing new, or what is wrong was found before.
        case unchanged
        /// A new certificate is in use.
        case renewed
        /// The files changed and can't be used; the certificate before stays in use.
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
    /// - Throws: What is wrong with them.
    package init(_ files: ServerSettings.Certificate) throws {
        self.files = files
        let paths = [files.chain, files.key]
        let watch = FileWatch(FileIdentity.of(paths))
        state = Mutex(State(context: try Self.context(files), watch: watch))
    }

    /// What TLS needs, for a connection that begins now.
    package var context: NIOSSLContext {
        state.withLock { $0.context }
    }

    /// Looks whether the files have changed, and reads them if they have.
    ///
    /// What can't be used is tried again at every look, as certificate and key are seldom replaced in one step.
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
        // RFC 8996: nobody speaks TLS 1.0 or 1.1 any more.
        configuration.minimumTLSVersion = .tlsv12
        return try NIOSSLContext(configuration: configuration)
    }
}

/// Whether files should be read, by what they look like from outside.
struct FileWatch {
    /// What to do.
    enum Action: Equatable {
        case nothing
        /// Read them: they have changed since the last look.
        case load
        /// Read them once more: they have not changed since they couldn't be used.
        case retry
    }

    private var used: [FileIdentity?]
    private var seen: [FileIdentity?]

    /// Begins with files that were read as they are.
    init(_ files: [FileIdentity?]) {
        (used, seen) = (files, files)
    }

    /// Takes how the files look now.
    mutating func look(_ files: [FileIdentity?]) -> Action {
        defer { seen = files }
        if files == used { return .nothing }
        return files == seen ? .retry : .load
    }

    /// The files were read, and looked like that before.
    mutating func loaded(_ files: [FileIdentity?]) {
        used = files
    }
}

/// What a file's status says about which contents it has.
struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let number: UInt64
    let size: Int64
    let modified: Int64

    /// The files behind these paths, links followed; `nil` for one that isn't there.
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
