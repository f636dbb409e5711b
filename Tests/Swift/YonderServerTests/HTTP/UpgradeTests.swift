import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTesting
import NIOCore
import NIOPosix
import Testing
import YonderTransport

@testable import YonderServer

/// One port for HTTP and WebSocket, seen byte by byte from a client.
@Suite(.timeLimit(.minutes(20))) struct UpgradeTests {
    @Test func `an ordinary request is answered by the router, and the next one too`() async throws {
        try await serving { client in
            for _ in 0..<3 {
                try await client.send("GET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(try await client.receive(through: "hello!").hasPrefix("HTTP/1.1 200"))
            }
        }
    }

    @Test func `an accepted request becomes a WebSocket, with the subprotocol that was agreed`() async throws
    {
        try await serving { client in
            try await client.send(request("/socket", "Sec-WebSocket-Protocol: other, yonder.v1\r\n"))
            let head = try await client.receive(through: "\r\n\r\n")
            #expect(head.hasPrefix("HTTP/1.1 101"))
            #expect(head.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
            #expect(head.contains("Sec-WebSocket-Protocol: yonder.v1\r\n"))
            try await client.send(clientFrame(1, Array("hi".utf8)))
            #expect(try await client.receive(count: 4) == [0x81, 2] + Array("hi".utf8))
        }
    }

    @Test func `a frame sent together with the request is not lost`() async throws {
        try await serving { client in
            try await client.send(Array(request("/socket").utf8) + clientFrame(1, Array("early".utf8)))
            _ = try await client.receive(through: "\r\n\r\n")
            #expect(try await client.receive(count: 7) == [0x81, 5] + Array("early".utf8))
        }
    }

    @Test func `a refused request is answered by the router, and that ends the connection`() async throws {
        try await serving { client in
            try await client.send(request("/nowhere"))
            let all = try await client.receiveAll()
            #expect(all.hasPrefix("HTTP/1.1 404"))
            #expect(all.lowercased().contains("connection: close"))
        }
    }

    @Test func `a request for another protocol is served as plain HTTP, and that ends the connection`()
        async throws
    {
        try await serving { client in
            try await client.send(
                "GET /hello HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n"
            )
            #expect(try await client.receiveAll().hasSuffix("hello!"))
        }
    }

    @Test func `an upgrade asked for later is made, for connections are used again`() async throws {
        try await serving { client in
            for _ in 0..<2 {
                try await client.send("GET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
                _ = try await client.receive(through: "hello!")
            }
            try await client.send(request("/socket"))
            #expect(try await client.receive(through: "\r\n\r\n").hasPrefix("HTTP/1.1 101"))
            try await client.send(clientFrame(1, Array("hi".utf8)))
            #expect(try await client.receive(count: 4) == [0x81, 2] + Array("hi".utf8))
            try await client.send(clientFrame(8, [0x03, 0xE8]))
            #expect(try await client.receive(count: 4) == [0x88, 2, 0x03, 0xE8])
            #expect(try await client.receiveAll().isEmpty)
        }
    }

    @Test func `a refused upgrade asked for later is answered by the router`() async throws {
        try await serving { client in
            try await client.send("GET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
            _ = try await client.receive(through: "hello!")
            try await client.send(request("/nowhere"))
            #expect(try await client.receiveAll().hasPrefix("HTTP/1.1 404"))
        }
    }

    @Test func `an upgrade among pipelined requests is left to the router, after what was asked before`()
        async throws
    {
        try await serving { client in
            try await client.send("GET /hello HTTP/1.1\r\nHost: x\r\n\r\n" + request("/socket"))
            let all = try await client.receiveAll()
            #expect(all.hasPrefix("HTTP/1.1 200"))
            #expect(all.contains("HTTP/1.1 404"))
        }
    }

    @Test(arguments: ["Sec-WebSocket-Version: 8", "Sec-WebSocket-Key: c2hvcnQ=", "Sec-WebSocket-Key: \u{7f}"])
    func `a malformed handshake is left to the router`(line: String) async throws {
        try await serving { client in
            let name = line.prefix { $0 != ":" }
            let lines = request("/socket").split(separator: "\r\n").filter { !$0.hasPrefix(name) }
            try await client.send(lines.joined(separator: "\r\n") + "\r\n" + line + "\r\n\r\n")
            let all = try await client.receiveAll()
            #expect(all.hasPrefix("HTTP/1.1 404") || all.hasPrefix("HTTP/1.1 400"))
        }
    }

    @Test func `garbage is a bad request`() async throws {
        try await serving { client in
            try await client.send("\u{1}\u{2}garbage\r\n\r\n")
            #expect(try await client.receiveAll().hasPrefix("HTTP/1.1 400"))
        }
    }

    @Test func `a head that is too long is refused`() async throws {
        for length in [40_000, 400_000] {
            try await serving { client in
                let line = "X: " + String(repeating: "x", count: length)
                try await client.send("GET /hello HTTP/1.1\r\n\(line)\r\n\r\n")
                let answer = try await client.receiveAll()
                #expect(answer.hasPrefix("HTTP/1.1 431"))
                #expect(answer.contains(#"{"error":{"code":"tooLarge""#))
            }
        }
    }

    @Test func `a URI that is too long is refused with a code`() async throws {
        try await serving { client in
            try await client.send("GET /\(String(repeating: "x", count: 40_000)) HTTP/1.1\r\nHost: x\r\n\r\n")
            let answer = try await client.receiveAll()
            #expect(answer.hasPrefix("HTTP/1.1 431"))
            #expect(answer.contains(#"{"error":{"code":"tooLarge""#))
        }
    }

    @Test(arguments: ["", "Host: x\r\nHost: x\r\n", "Host: x\r\nhost: y\r\n"])
    func `a request without a host, or with two, is refused`(hosts: String) async throws {
        for line in ["GET /hello", "GET /socket"] {
            try await serving { client in
                try await client.send("\(line) HTTP/1.1\r\n\(hosts)\r\n")
                let answer = try await client.receiveAll()
                #expect(answer.hasPrefix("HTTP/1.1 400"))
                #expect(answer.contains(#"{"error":{"code":"invalidFrame""#))
            }
        }
    }

    @Test func `HTTP/1.0 needs no host`() async throws {
        try await serving { client in
            try await client.send("GET /hello HTTP/1.0\r\n\r\n")
            #expect(try await client.receive(through: "hello!").hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test(arguments: ["GET /hello HTTP/1.1\r\n\r\n", "\u{1}garbage\r\n\r\n"])
    func `a refusal behind other requests is sent after their answers`(last: String) async throws {
        try await serving { client in
            let fine = "GET /hello HTTP/1.1\r\nHost: x\r\n\r\n"
            try await client.send(fine + fine + last + fine)
            let answers = try await client.receiveAll().components(separatedBy: "HTTP/1.1 ")
            #expect(answers.map { String($0.prefix(3)) } == ["", "200", "200", "400"])
            #expect(answers[3].contains(#"{"error":{"code":"invalidFrame""#))
        }
    }

    @Test func `a body whose framing has no end is answered, and that ends the connection`() async throws {
        try await serving { client in
            try await client.send(
                "POST /length HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1;"
                    + String(repeating: "x", count: 500_000)
            )
            let answer = try await client.receiveAll()
            #expect(answer.hasPrefix("HTTP/1.1 400"))
            #expect(answer.lowercased().contains("connection: close"))
        }
    }

    @Test func `a head that doesn't come in time ends the connection`() async throws {
        var settings = ClientConnections.Settings.patient
        settings.headerTimeout = .milliseconds(50)
        do {
            try await serving(settings) { client in
                try await client.send("GET /hello HTT")
                #expect(try await client.receiveAll().isEmpty)
            }
        } catch is IOError {
            // It ended with what was sent unread: the peer sees a reset.
        } catch is ChannelError {
            // It ended before the client had anything sent.
        } catch is NIOAsyncWriterError {
            // It ended while the client sent.
        }
    }

    @Test func `a body that doesn't come in time ends the connection`() async throws {
        var settings = ClientConnections.Settings.patient
        settings.bodyPace.grace = .milliseconds(50)
        do {
            try await serving(settings) { client in
                try await client.send("POST /length HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nx")
                #expect(try await client.receiveAll().isEmpty)
            }
        } catch is IOError {
            // It ended with what was sent unread: the peer sees a reset.
        }
    }

    @Test func `a WebSocket answers a ping and a close, then ends`() async throws {
        try await serving { client in
            try await client.send(request("/socket"))
            _ = try await client.receive(through: "\r\n\r\n")
            try await client.send(clientFrame(9, Array("p".utf8)) + clientFrame(8, [0x03, 0xE8]))
            #expect(try await client.receive(count: 7) == [0x8A, 1, 0x70, 0x88, 2, 0x03, 0xE8])
            #expect(try await client.receiveAll().isEmpty)
        }
    }

    @Test func `a violation is closed with its code`() async throws {
        try await serving { client in
            try await client.send(request("/socket"))
            _ = try await client.receive(through: "\r\n\r\n")
            try await client.send(clientFrame(1, [0xFF]) + clientFrame(1, [0x41]))
            #expect(try await client.receive(count: 4).suffix(2) == [0x03, 0xEF])
        }
    }

    @Test func `a silent WebSocket is pinged, then closed`() async throws {
        var settings = ClientConnections.Settings.patient
        settings.pingInterval = .milliseconds(64)
        try await serving(settings) { client in
            try await client.send(request("/socket"))
            _ = try await client.receive(through: "\r\n\r\n")
            #expect(try await client.receive(count: 2) == [0x89, 0])
            #expect(try await client.receiveAll().isEmpty)
        }
    }

    // MARK: The server

    private func request(_ path: String, _ more: String = "") -> String {
        """
        GET \(path) HTTP/1.1\r
        Host: x\r
        Upgrade: websocket\r
        Connection: keep-alive, Upgrade\r
        Sec-WebSocket-Version: 13\r
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
        \(more)\r

        """
    }

    private func serving(
        _ settings: ClientConnections.Settings = .patient,
        _ body: @escaping @Sendable (inout RawClient.Conversation) async throws -> Void
    ) async throws {
        let router = Router()
        router.get("hello") { _, _ in "hello!" }
        router.post("length") { request, _ -> String in
            guard let body = try? await request.body.collect(upTo: 1_000_000) else {
                throw HTTPError(.badRequest)
            }
            return "\(body.readableBytes)"
        }
        let application = Application(
            router: router,
            server: .upgradable(settings: settings) { request in
                guard request.path == "/socket" else { return .refuse }
                let agreed = request.offers("yonder.v1") ? "yonder.v1" : nil
                return .accept(UpgradeDecision.Acceptance(subprotocol: agreed) { EchoDelegate($0) })
            }
        )
        try await application.test(.live) { client in
            try await RawClient.connected(to: client.port ?? 0, body)
        }
    }
}

private final class EchoDelegate: WebSocketDelegate {
    private let connection: WebSocketConnection

    init(_ connection: WebSocketConnection) {
        self.connection = connection
    }

    func received(text: ByteBuffer) {
        connection.write(OutboundFrame.text(text))
        connection.flush()
    }

    func received(binary: ByteBuffer) {}
    func writabilityChanged(isWritable: Bool) {}
    func closed() {}
}
