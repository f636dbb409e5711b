import Foundation
import NIOCore
import NIOPosix
import TestSupport

/// The program `nats-server`, on a free port of loopback, until this value goes.
final class NATSServer {
    /// Where the program is, or `nil` if it isn't installed.
    static let program = ["/usr/sbin", "/usr/local/bin", "/usr/bin", "/opt/homebrew/bin"].map {
        "\($0)/nats-server"
    }
    .first(where: FileManager.default.isExecutableFile)

    let port: Int
    let folder = TemporaryFolder()
    private let path: String
    private var process: ChildProcess?

    /// Starts a server with more lines of configuration.
    init(_ configuration: (_ folder: String) async throws -> String = { _ in "" }) async throws {
        path = try folder.made()
        port = try await Self.freePort()
        let text = "host: 127.0.0.1\nport: \(port)\n" + (try await configuration(path))
        try text.write(toFile: "\(path)/server.conf", atomically: true, encoding: .utf8)
        try start()
    }

    deinit {
        process?.send(SIGKILL)
    }

    var address: String { "nats://127.0.0.1:\(port)" }

    /// Starts the server again, on the same port.
    func start() throws {
        let program = Self.program ?? "nats-server"
        process = try ChildProcess([program, "--config", "\(path)/server.conf", "--log", "\(path)/log"])
    }

    /// Ends the server as a crash does.
    func kill() async {
        process?.send(SIGKILL)
        await process?.ended()
    }

    /// Makes a key and a certificate that signs itself, as `NAME.key` and `NAME.pem`.
    static func certify(_ names: String, as name: String, in folder: String) async throws {
        let nothing = try FileHandle(forWritingTo: URL(filePath: "/dev/null"))
        let process = try ChildProcess(
            [
                "/usr/bin/env", "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                "ec_paramgen_curve:prime256v1",
                "-nodes", "-days", "2", "-subj", "/CN=test", "-addext", "subjectAltName=\(names)",
                "-keyout", "\(folder)/\(name).key", "-out", "\(folder)/\(name).pem",
            ],
            complaints: nothing.fileDescriptor
        )
        await process.ended()
        guard process.hasSucceeded else { throw CocoaError(.executableLoad) }
    }

    /// A free port below the range of outgoing connections, so that no connection takes the port before the server binds it.
    private static func freePort() async throws -> Int {
        while true {
            let port = Int.random(in: 12_000..<32_000)
            let channel = try? await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .bind(host: "127.0.0.1", port: port).get()
            guard let channel else { continue }
            try await channel.close()
            return port
        }
    }
}
