import Foundation
import TestSupport
import YonderLink

@testable import YonderSocketIOClient

/// A conversation with a server, line by line, as the files of `Tests/Fixtures/socket-io` have it.
///
///     > poll PATH             the client asks for packets
///     < poll STATUS BODY      the server's answer
///     > post PATH BODY        the client sends packets
///     < post STATUS BODY      the server's answer
///     > open PATH             the client opens a WebSocket
///     < opened                it is open
///     > write TEXT            the client sends a text over it
///     < text TEXT             the server sends one
///     = emit ID JSON          the app sends an event, with an acknowledgement
///     = leave                 the app disconnects
///     ~ acknowledged ID JSON  the app gets the acknowledgement
///     ~ event JSON            the app gets an event
///
/// Bodies and texts are JSON strings; behind the word `bytes`, each character stands for a byte.
final class Recording: Sendable {
    private let recorded = Recorder<String>()

    /// How a recording is made: `SOCKET_IO_RECORD=1` with the tests of live servers.
    static let isWanted = ProcessInfo.processInfo.environment["SOCKET_IO_RECORD"] != nil

    var lines: [String] { recorded.values }

    func add(_ line: String) { recorded.record(line) }

    /// Waits until so many lines are as a test wants them.
    func wait(for count: Int, _ isWanted: @escaping @Sendable (String) -> Bool) async {
        await recorded.wait { $0.count(where: isWanted) >= count }
    }

    static func quoted(_ text: [UInt8]) -> String {
        guard let read = String(validating: text, as: UTF8.self) else {
            let characters = text.map { Character(Unicode.Scalar($0)) }
            return "bytes " + quoted(Array(String(characters).utf8))
        }
        return String(decoding: (try? SocketIOArgument.json(of: read)) ?? [], as: UTF8.self)
    }

    /// What ``quoted(_:)`` has written.
    static func unquoted(_ text: some StringProtocol) -> [UInt8]? {
        guard text.hasPrefix("bytes ") else {
            return SocketIOArgument(json: text.utf8).string.map { Array($0.utf8) }
        }
        let characters = SocketIOArgument(json: text.dropFirst(6).utf8).string
        return characters?.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }

    static func file(_ name: String) -> URL {
        URL(filePath: #filePath).appending(path: "../../../../Fixtures/socket-io/\(name).txt").standardized
    }

    func save(_ name: String, about: String) throws {
        let text = (["# \(about)"] + lines).joined(separator: "\n") + "\n"
        try Data(text.utf8).write(to: Self.file(name))
    }
}

/// Carries requests over another link, and records them.
struct RecordingRequests: RequestLink {
    let link: any RequestLink
    let recording: Recording

    func answer(to request: LinkRequest) async throws(LinkClosure) -> LinkAnswer {
        let kind = request.method == .get ? "poll" : "post"
        let body = request.method == .get ? "" : " " + Recording.quoted(request.body)
        recording.add("> \(kind) \(request.path)\(body)")
        let answer = try await link.answer(to: request)
        recording.add("< \(kind) \(answer.status) \(Recording.quoted(answer.body))")
        return answer
    }
}

/// A WebSocket that is recorded, and which a test can cut.
struct RecordingLink: StreamLink {
    let link: any StreamLink
    let recording: Recording

    func next() async throws(LinkClosure) -> [[UInt8]] {
        let frames = try await link.next()
        for frame in frames { recording.add("< text \(Recording.quoted(frame))") }
        return frames
    }

    func write(_ text: [UInt8]) {
        recording.add("> write \(Recording.quoted(text))")
        link.write(text)
    }

    var isWritable: Bool { link.isWritable }
    func close() { link.close() }
}

extension Links {
    /// These links, recorded.
    func recorded(in recording: Recording) -> Links {
        Links(address: address, requests: RecordingRequests(link: requests, recording: recording)) {
            (target, headers) async throws(OpenFailure) in
            recording.add("> open \(target.path)")
            let link = try await webSocket(target, headers)
            recording.add("< opened")
            return RecordingLink(link: link, recording: recording)
        }
    }
}
