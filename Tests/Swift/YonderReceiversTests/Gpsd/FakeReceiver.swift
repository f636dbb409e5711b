import Foundation
import TestSupport
import Testing

/// A real gpsd that gpsfake feeds a recorded log through a pseudo terminal, and what a client of gpsd's own sees.
///
/// In its mode as a pipe, gpsfake prints what its client is told and ends itself after the log.
final class FakeReceiver {
    let port: Int
    private let arguments: [String]
    private var process: ChildProcess?
    private let folder: URL

    /// Prepares gpsfake; `cycle` is its pause after each sentence, in seconds.
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
        arguments =
            [program, "-1", "-q", "-p", "-c", "\(cycle)", "-P", "\(port)", try Fixtures.path(log)]
    }

    deinit {
        if let process, process.isRunning {
            // The daemon ends cleanly; gpsfake, asked to, may wait for it forever.
            for daemon in Self.children(of: process.id) { kill(daemon, SIGTERM) }
            process.send(SIGKILL)
        }
        try? FileManager.default.removeItem(at: folder)
    }

    func start() throws {
        let told = try FileHandle(forWritingTo: folder.appendingPathComponent("told"))
        let complaints = try FileHandle(forWritingTo: folder.appendingPathComponent("complaints"))
        process = try ChildProcess(
            arguments,
            variables: ["TMPDIR": folder.path],
            output: told.fileDescriptor,
            complaints: complaints.fileDescriptor
        )
        try told.close()
        try complaints.close()
    }

    /// What gpsd's own client was told, once gpsfake has ended with its log; `nil` if it gave up.
    ///
    /// It does so if its daemon doesn't listen yet when it has made its control socket, or was given a port that
    /// somebody else took meanwhile.
    func told() async throws -> [[UInt8]]? {
        await process?.ended()
        guard let process, process.hasSucceeded else { return nil }
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
