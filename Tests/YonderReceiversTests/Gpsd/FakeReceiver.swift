import Foundation
import Testing

/// A real gpsd that gpsfake feeds a recorded log through a pseudo terminal, and what a client of gpsd's own sees.
///
/// In its mode as a pipe, gpsfake prints what its client is told and ends itself after the log.
final class FakeReceiver {
    let port: Int
    private let process = Process()
    private let folder: URL
    private let (ended, end) = AsyncStream.makeStream(of: Never.self)

    /// Test threads block signals, and programs inherit that: gpsfake couldn't end its daemon.
    private static let unblockingSignals =
        "import os, signal, sys; signal.pthread_sigmask(signal.SIG_SETMASK, []); os.execv(sys.argv[1], sys.argv[1:])"

    /// Starts gpsfake; `cycle` is its pause after each sentence, in seconds.
    init(_ log: String, cycle: Double) throws {
        let program = "/usr/bin/gpsfake"
        try #require(
            FileManager.default.isExecutableFile(atPath: program),
            "gpsd isn't installed; `make setup-tests` does it."
        )
        // gpsfake takes a number only; it is free unless somebody is given it this instant.
        let free = try LoopbackSocket()
        port = free.port
        close(free.descriptor)
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("yonder-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        for name in ["told", "complaints"] { try Data().write(to: folder.appendingPathComponent(name)) }
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments =
            ["-c", Self.unblockingSignals, program]
            + ["-1", "-q", "-p", "-c", "\(cycle)", "-P", "\(port)", try Fixtures.path(log)]
        process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder.path]) { $1 }
        process.standardOutput = try FileHandle(forWritingTo: folder.appendingPathComponent("told"))
        process.standardError = try FileHandle(forWritingTo: folder.appendingPathComponent("complaints"))
        process.standardInput = FileHandle.nullDevice
        process.terminationHandler = { [end] _ in end.finish() }
    }

    deinit {
        if process.isRunning {
            // The daemon ends cleanly; gpsfake, asked to, may wait for it forever.
            for daemon in Self.children(of: process.processIdentifier) { kill(daemon, SIGTERM) }
            kill(process.processIdentifier, SIGKILL)
        }
        try? FileManager.default.removeItem(at: folder)
    }

    func start() throws {
        try process.run()
    }

    /// What gpsd's own client was told, once gpsfake has ended with its log; `nil` if it gave up.
    ///
    /// It does so if its daemon doesn't listen yet when it has made its control socket, or was given a port that
    /// somebody else took meanwhile.
    func told() async throws -> [[UInt8]]? {
        for await _ in ended {}
        guard !process.isRunning, process.terminationStatus == 0 else { return nil }
        let data = try Data(contentsOf: folder.appendingPathComponent("told"))
        return data.split(separator: 0x0A).map { Array($0) }.filter { $0.first == UInt8(ascii: "{") }
    }

    /// What the daemon and gpsfake complained of.
    var complaints: String {
        (try? String(contentsOf: folder.appendingPathComponent("complaints"), encoding: .utf8)) ?? ""
    }

    private static func children(of process: Int32) -> [Int32] {
        let path = "/proc/\(process)/task/\(process)/children"
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split(separator: " ").compactMap { Int32($0) }
    }
}
