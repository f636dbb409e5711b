import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import YonderNATS

/// A client with everything that it reports and hears.
struct Listener: Sendable {
    let client: NATSClient
    let events = Recorder<NATSEvent>()
    let heard = Recorder<NATSMessage>()

    /// Makes a client of one or several addresses, and starts it.
    init(
        _ addresses: String,
        on eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next(),
        settings change: (inout NATSSettings) -> Void = { _ in }
    ) throws {
        var settings = try #require(NATSSettings(try NATSAddress.list(addresses), name: "test"))
        settings.timing.shortestBackoff = .milliseconds(5)
        settings.timing.longestBackoff = .milliseconds(100)
        // All suites run at once, so that the other side may take long to answer.
        settings.timing.connecting = .seconds(60)
        settings.timing.greeting = .seconds(600)
        change(&settings)
        let events = events
        client = try NATSClient(settings, on: eventLoop) {
            events.record($0)
        }
        client.start()
    }

    /// Subscribes, and records what comes.
    @discardableResult func listen(_ subject: String) async throws -> UInt64 {
        let heard = heard
        return try await client.subscribe(try #require(NATSSubject(subject))) { heard.record($0) }
    }

    /// Subscribes before any server can answer, so that the first connection gets the subscription with its greeting.
    func follow(_ subject: String) throws {
        let heard = heard
        client.follow(try #require(NATSSubject(subject)), refused: {}, { heard.record($0) })
    }

    @discardableResult func publish(_ subject: String, _ text: String) throws -> Bool {
        client.publish(try #require(NATSSubject(subject)), ByteBuffer(string: text))
    }

    /// Waits for a connection after the first so many.
    func connected(again count: Int) async {
        await events.wait { $0.filter { $0 == .connected(again: true) }.count >= count }
    }

    /// Waits for a failed attempt, a lost connection or a complaint with one of these codes.
    @discardableResult func reported(_ codes: NATSError.Code...) async -> [NATSEvent] {
        await events.wait { $0.contains { $0.error.map { codes.contains($0.code) } ?? false } }
    }

    /// The texts of the messages that came.
    var texts: [String] { heard.values.map { String(buffer: $0.payload) } }
}

extension NATSEvent {
    var error: NATSError? {
        switch self {
        case .disconnected(let error), .failed(let error), .complained(let error): error
        case .connected, .dropped: nil
        }
    }
}
