import Foundation
import Network
import Synchronization
import Testing
import YonderModel

@testable import YonderLink

/// The stream over Network.framework, against a connection whose peer the test plays.
@Suite(.serialized, .timeLimit(.minutes(20))) struct NetworkStreamLinkTests {
    private static let address = try? ServerAddress("https://yonder.example/prefix")

    /// Connects; the test plays each connection that is started.
    private static func connect(
        _ play: @escaping @Sendable (NWConnection) -> Void
    ) async throws -> (link: any StreamLink, connection: NWConnection) {
        let made = Mutex<NWConnection?>(nil)
        NWConnection.onStart.withLock {
            $0 = { connection in
                made.withLock { $0 = connection }
                play(connection)
            }
        }
        let link = try await NetworkStreamLink.connect(
            try #require(address),
            .stream,
            [LinkHeader("Cookie", "a=b")]
        )
        let connection = made.withLock { $0 }
        return (link, try #require(connection))
    }

    private static func text(_ text: String) -> (Data, NWProtocolWebSocket.Metadata) {
        (Data(text.utf8), NWProtocolWebSocket.Metadata(opcode: .text))
    }

    @Test func `the upgrade asks for the stream's path, as the person, without losing a frame`() async throws
    {
        let (link, connection) = try await Self.connect { connection in
            connection.becomeReady("yonder.v1")
            for number in 1...3 {
                let (data, metadata) = Self.text("\(number)")
                connection.deliver(data, metadata)
            }
        }
        #expect(connection.endpoint == .url(URL(string: "wss://yonder.example/prefix/v1/stream")!))
        #expect(connection.parameters.isSecure)
        let options =
            connection.parameters.defaultProtocolStack.applicationProtocols.first
            as? NWProtocolWebSocket.Options
        #expect(options?.subprotocols == ["yonder.v1"] && options?.autoReplyPing == true)
        #expect(
            options?.headers.map { "\($0.name): \($0.value)" } == [
                "Cookie: a=b", "User-Agent: yonder-client",
            ]
        )
        var frames: [[UInt8]] = []
        while frames.count < 3 { frames += try await link.next() }
        #expect(frames == ["1", "2", "3"].map { Array($0.utf8) })

        link.write(Array("hi".utf8))
        #expect(connection.sent.map(\.content) == [Data("hi".utf8)] && connection.sent[0].opcode == .text)
        link.close()
        await #expect(throws: LinkClosure.lost("Closed.")) { try await link.next() }
        #expect(connection.isCanceled)
    }

    @Test func `a connection takes no more while too much is on its way`() async throws {
        let (link, connection) = try await Self.connect { $0.becomeReady("yonder.v1") }
        link.write(Array(repeating: 0x20, count: 70_000))
        #expect(!link.isWritable)
        connection.sent[0].complete()
        #expect(link.isWritable)
        link.write([0x20])
        connection.sent[1].complete(.posix(.EPIPE))
        await #expect(throws: LinkClosure.self) { try await link.next() }
    }

    @Test(
        arguments: [
            (.failed(.posix(.EPROTO)), .notUpgraded), (.failed(.dns(-65_554)), nil),
            (.failed(.tls(-9_808)), nil),
            (.waiting(.posix(.ENETDOWN)), nil), (.failed(.posix(.ECONNREFUSED)), nil),
            (.waiting(.posix(.ECONNABORTED)), .notUpgraded), (.cancelled, nil),
        ] as [(NWConnection.State, OpenFailure?)]
    )
    func `what fails before the upgrade says whether the server is to be asked why`(
        _ state: NWConnection.State,
        _ failure: OpenFailure?
    ) async throws {
        let error = await #expect(throws: OpenFailure.self) { try await Self.connect { $0.become(state) } }
        if let failure { #expect(error == failure) } else { #expect(error != .notUpgraded) }
    }

    @Test func `a server that chose no subprotocol is refused`() async throws {
        let error = await #expect(throws: OpenFailure.self) { try await Self.connect { $0.becomeReady(nil) } }
        #expect(error != .notUpgraded)
    }

    @Test func `a close frame says why`() async throws {
        let (link, connection) = try await Self.connect { $0.becomeReady("yonder.v1") }
        let metadata = NWProtocolWebSocket.Metadata(opcode: .close)
        metadata.closeCode = .protocolCode(.policyViolation)
        connection.deliver(Data("notSignedIn".utf8), metadata)
        await #expect(throws: LinkClosure.refused(SharingError(.notSignedIn, "The session ended."))) {
            try await link.next()
        }
    }

    @Test func `a task that is canceled while it connects or reads is told at once`() async throws {
        let started = AsyncStream.makeStream(of: Void.self)
        let connecting = Task { try await Self.connect { _ in started.continuation.yield() } }
        for await _ in started.stream { break }
        connecting.cancel()
        await #expect(throws: OpenFailure.self) { try await connecting.value }

        let (link, _) = try await Self.connect { $0.becomeReady("yonder.v1") }
        let reading = Task { try await link.next() }
        reading.cancel()
        await #expect(throws: LinkClosure.self) { try await reading.value }
    }
}
