import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Testing
import YonderBus
import YonderGeodesy
import YonderModel

@testable import YonderSocketIO
@testable import YonderTransport

/// A node with an Engine.IO server whose sessions send back what they receive.
private final class RelayNode: NodeListener {
    let link: NodeLink
    let engine: EngineServer

    init(on medium: InProcessBus.Medium) {
        link = NodeLink(
            bus: medium.join(),
            log: nil,
            silence: .seconds(3_600),
            now: { Timestamp(milliseconds: 0) },
            uptime: { .now },
            sleep: { try await ContinuousClock().sleep(for: $0 / 50) },
            logger: Logger(label: "test")
        )
        let relay = PollRelay(link)
        // Patient, so that no heartbeat is among the answers, however slow the machine is.
        var settings = EngineSettings()
        settings.pingInterval = .seconds(3_600)
        engine = EngineServer(
            settings: settings,
            group: MultiThreadedEventLoopGroup.singleton,
            relay: relay
        ) { Echo($0) }
        relay?.serve(engine)
        link.start(self)
    }

    func request(_ method: String, _ session: String?, _ body: String = "") async -> (
        status: UInt, text: String
    ) {
        let sid = session.map { "&sid=\($0)" } ?? ""
        let response = await engine.respond(
            to: EngineServer.PollRequest(
                method: .init(rawValue: method),
                query: "EIO=4&transport=polling\(sid)"
            ) { _ in ByteBuffer(string: body) }
        )
        return (response.status.code, String(buffer: response.body))
    }

    let hasStore = true
    func pass(unkept published: Published) {}
    func deliver(_ published: [Published]) {}

    func receive(_ content: BusContent, from node: UInt64) {}

    func gone(_ nodes: [UInt64]) {}

    func missedFrames() {}
}

private final class Echo: WebSocketDelegate {
    private let connection: EngineConnection

    init(_ connection: EngineConnection) {
        self.connection = connection
    }

    func received(text: ByteBuffer) {
        connection.send(text: Array(text.readableBytesView))
        connection.flush()
    }

    func received(binary: ByteBuffer) {}

    func writabilityChanged(isWritable: Bool) {}

    func closed() {}
}

@Suite(.timeLimit(.minutes(20))) struct PollRelayTests {
    /// Runs `body` with two nodes that know each other, and the key of a session of the first.
    private func run(_ body: (RelayNode, RelayNode, String) async throws -> Void) async throws {
        let medium = InProcessBus.Medium()
        let nodes = [RelayNode(on: medium), RelayNode(on: medium)]
        let running = nodes.map { node in Task { try? await node.link.run() } }
        while nodes.contains(where: { $0.link.others.isEmpty }) { await Task.yield() }
        let greeting = await nodes[0].request("GET", nil).text
        let key = try #require(greeting.split(separator: "\"").dropFirst(3).first)
        var failure: (any Error)?
        do { try await body(nodes[0], nodes[1], String(key)) } catch { failure = error }
        for task in running {
            task.cancel()
            await task.value
        }
        if let failure { throw failure }
    }

    @Test func `a session's key names its node, and its polls are answered on any`() async throws {
        try await run { first, second, key in
            #expect(PollRelay.node(of: key) == first.link.node)
            #expect(await second.request("POST", key, "4hello") == (200, "ok"))
            #expect(await second.request("GET", key) == (200, "4hello"))
            // The session's node answers a relayed poll only when it has a packet to send.
            async let poll = second.request("GET", key)
            #expect(await first.request("POST", key, "4again") == (200, "ok"))
            #expect(await poll == (200, "4again"))
        }
    }

    @Test func `a long answer comes back whole`() async throws {
        try await run { _, second, key in
            let long = String(repeating: "x", count: 60_000)
            for _ in 0..<10 { #expect(await second.request("POST", key, "4\(long)").status == 200) }
            let answer = await second.request("GET", key)
            #expect(answer.status == 200 && answer.text.utf8.count == 10 * 60_001 + 9)
        }
    }

    @Test func `a poll whose client is gone gives back its place on both nodes at once`() async throws {
        try await run { first, second, key in
            let client = ClientPresence()
            async let poll = ClientPresence.$current.withValue(client) { await second.request("GET", key) }
            while first.link.requests.answering == 0 { await Task.yield() }
            client.end()
            #expect(await poll.status == 400)
            // No heartbeat passes in this test.
            while first.link.requests.answering > 0 || first.engine.sessionCount > 0 { await Task.yield() }
        }
    }

    @Test func `a key that names no node, or one that is gone, is unknown`() async throws {
        try await run { first, second, key in
            let unknown = #"{"code":1,"message":"Session ID unknown"}"#
            for wrong in ["abc", "ffff.abc", ".abc", "\(String(first.link.node, radix: 16)).abc"] {
                let answer = await second.request("GET", wrong)
                #expect(answer == (400, unknown))
            }
            async let poll = second.request("GET", key)
            first.link.leave()
            #expect(await poll == (400, unknown))
        }
    }

    @Test func `what is relayed is read as it was written, and nothing else is`() throws {
        let poll = RelayedPoll(method: "POST", query: "EIO=4&sid=é", body: [0, 255])
        #expect(try RelayedPoll(poll.encoded()) == poll)
        let response = EngineServer.PollResponse(
            status: .badRequest,
            headers: ["A": "b", "C": "d"],
            body: ByteBuffer(string: "x")
        )
        let answer = RelayedAnswer(response)
        #expect(try RelayedAnswer(answer.encoded()) == answer)
        #expect(answer.response.status == .badRequest && answer.response.headers["C"] == ["d"])
        for bytes in [poll.encoded(), answer.encoded()] {
            for end in bytes.indices {
                #expect(throws: BusFault.self) { try RelayedPoll(Array(bytes[..<end])) }
                #expect(throws: BusFault.self) { try RelayedAnswer(Array(bytes[..<end])) }
            }
        }
        #expect(throws: BusFault.self) { try RelayedAnswer([9, 9] + answer.encoded().dropFirst(2)) }
    }
}
