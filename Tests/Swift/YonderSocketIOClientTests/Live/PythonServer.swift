import Foundation
import TestSupport
import Testing
import YonderLink
import YonderModel

@testable import YonderSocketIOClient

/// A running `Tests/Python/Support/socket_io_server.py`: python-socketio 5 for generation 4, and 4 for generation 3.
struct PythonServer: Sendable {
    let url: String
    let generation: SocketIOSettings.Generation

    private static let root = URL(filePath: #filePath).appending(path: "../../../../..").standardized

    private static func python(_ generation: SocketIOSettings.Generation) -> String {
        let folder = generation == .engineIO4 ? ".build-python" : ".build-python-engineio3"
        return root.appending(path: "\(folder)/bin/python").path
    }

    /// The generations that are tried.
    ///
    /// By `make test-socket-io` alone: a busy machine makes these servers lose connections, and the recorded conversations need no server.
    static let generations: [SocketIOSettings.Generation] = [.engineIO3, .engineIO4]

    /// Runs a server beside `body`.
    static func running<Value>(
        _ generation: SocketIOSettings.Generation,
        ping: [String] = [],
        _ body: (PythonServer) async throws -> Value
    ) async throws -> Value {
        let (input, output) = (Pipe(), Pipe())
        let script = root.appending(path: "Tests/Python/Support/socket_io_server.py").path
        let process = try ChildProcess(
            [python(generation), script] + ping,
            input: input.fileHandleForReading.fileDescriptor,
            output: output.fileHandleForWriting.fileDescriptor
        )
        // The server ends at the end of its input.
        defer {
            try? input.fileHandleForWriting.close()
            process.wait()
        }
        try output.fileHandleForWriting.close()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let port = try #require(Int(line.filter(\.isNumber)), "\(line)")
        return try await body(PythonServer(url: "http://127.0.0.1:\(port)", generation: generation))
    }

    func settings(_ transports: SocketIOSettings.Transports) -> SocketIOSettings {
        var settings = SocketIOSettings()
        (settings.generation, settings.transports) = (generation, transports)
        (settings.minimumWait, settings.maximumWait) = (.milliseconds(1), .milliseconds(10))
        return settings
    }

    func client(_ settings: SocketIOSettings, _ recording: Recording = Recording()) throws -> SocketIOClient {
        let links = try Links(server: url, certificateAuthority: nil).recorded(in: recording)
        return try SocketIOClient(links: links, settings: settings)
    }
}

/// Runs a client beside `body`, and returns the error with which its run ended.
@discardableResult
func running(
    _ client: SocketIOClient,
    _ body: @escaping @Sendable () async throws -> Void
) async throws -> SharingError? {
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            do {
                try await body()
            } catch {
                // Else the client would run on.
                await client.disconnect()
                throw error
            }
        }
        do throws(SharingError) {
            try await client.run()
        } catch {
            try await group.waitForAll()
            return error
        }
        try await group.waitForAll()
        return nil
    }
}
