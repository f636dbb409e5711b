import NIOCore
import TestSupport
import Testing

@testable import YonderNATS

/// The client against a server whose every byte the test sends.
struct NATSClientTests {
    @Test func `messages go out in order and come in to their subscription`() async throws {
        let server = try await ScriptedServer()
        let listener = try Listener("nats://127.0.0.1:\(server.port)")
        let peer = try await server.accept()
        await peer.welcome()
        async let subscribed = listener.listen("a.*")
        #expect(await peer.hear("SUB a.* 1\r\nPING\r\n") != nil)
        peer.send("PONG\r\nMSG a.b 1 c.d 3\r\none\r\nMSG a.b 99 4\r\nnone\r\nMSG a.c 1 0\r\n\r\n")
        #expect(try await subscribed == 1)
        for text in ["1", "2", "3"] { try listener.publish("x", text) }

        #expect(await peer.hear("PUB x 1\r\n1\r\nPUB x 1\r\n2\r\nPUB x 1\r\n3\r\n") != nil)
        await listener.heard.wait(for: 2)
        #expect(
            listener.heard.values == [
                NATSMessage(subject: "a.b", reply: "c.d", payload: ByteBuffer(string: "one")),
                NATSMessage(subject: "a.c", reply: nil, payload: ByteBuffer()),
            ]
        )
        #expect((listener.client.counts.sent, listener.client.counts.dropped) == (3, 0))
        await listener.client.close()
    }

    @Test func `a message that was published before the connection is sent with it`() async throws {
        let server = try await ScriptedServer()
        let listener = try Listener("nats://127.0.0.1:\(server.port)")
        try listener.publish("x", "early")
        let peer = try await server.accept()
        peer.send("INFO {}\r\n")
        let greeting = try #require(await peer.hear("PING\r\n"))
        #expect(!greeting.contains("PUB"))
        peer.send("PONG\r\n")
        #expect(await peer.hear("early\r\n") != nil)
        await listener.client.close()
    }

    @Test func `a lost connection is replaced, with its subscriptions`() async throws {
        let server = try await ScriptedServer()
        let listener = try Listener("nats://127.0.0.1:\(server.port)")
        try listener.follow("a")
        var peer = try await server.accept()
        await peer.welcome()
        for round in 1...3 {
            peer.close()
            peer = try await server.accept()
            peer.send("INFO {}\r\n")
            #expect(await peer.hear("SUB a 1\r\nPING\r\n") != nil)
            peer.send("PONG\r\nMSG a 1 1\r\n\(round)\r\n")
            await listener.heard.wait(for: round)
        }

        #expect(listener.texts == ["1", "2", "3"])
        await listener.connected(again: 3)
        #expect(listener.client.counts.reconnects == 3)
        await listener.client.close()
    }

    @Test func `the next address is tried when one is gone`() async throws {
        let (first, second) = (try await ScriptedServer(), try await ScriptedServer())
        await first.close()
        let listener = try Listener("nats://127.0.0.1:\(first.port),nats://127.0.0.1:\(second.port)")
        await (try await second.accept()).welcome()
        await listener.events.wait { $0.contains(.connected(again: false)) }
        #expect(listener.events.values.first?.error?.code == .unavailable)
        await listener.client.close()
    }

    @Test func `a server that doesn't answer pings is left for another connection`() async throws {
        let server = try await ScriptedServer()
        let listener = try Listener("nats://127.0.0.1:\(server.port)") { $0.timing.ping = .milliseconds(5) }
        await (try await server.accept()).welcome()
        await (try await server.accept()).welcome()
        await listener.connected(again: 1)
        await listener.reported(.unresponsive)
        await listener.client.close()
    }

    @Test(arguments: [
        "NONSENSE\r\n", "MSG a 1 1001\r\n", "MSG a 1 99999999999999999\r\n", "MSG a 1 1\r\nxyz",
        "\0\u{1}\u{2}\r\n",
        "INFO {\"max_payload\":\"many\"}\r\n", "HMSG a 1 1 1\r\nx\r\n",
    ])
    func `bytes that can't be read close the connection, and the next one is new`(bytes: String) async throws
    {
        let server = try await ScriptedServer()
        let listener = try Listener("nats://127.0.0.1:\(server.port)")
        let hostile = try await server.accept()
        await hostile.welcome()
        hostile.send(bytes)
        #expect(await hostile.hear("never") == nil)

        await (try await server.accept()).welcome()
        await listener.connected(again: 1)
        await listener.reported(.invalidProtocol)
        await listener.client.close()
    }

    @Test func `a control line without an end closes the connection`() async throws {
        let server = try await ScriptedServer()
        let listener = try Listener("nats://127.0.0.1:\(server.port)")
        let peer = try await server.accept()
        peer.send("INFO {\"a\":\"" + String(repeating: "x", count: 70_000))
        await listener.reported(.invalidProtocol)
        await listener.client.close()
    }

    @Test func `bytes behind an INFO that wants TLS close the connection before anything is sent`()
        async throws
    {
        let server = try await ScriptedServer()
        let listener = try Listener("nats://127.0.0.1:\(server.port)")
        let peer = try await server.accept()
        peer.send("INFO {\"tls_required\":true}\r\nMSG a 1 0\r\n\r\n")
        await listener.reported(.invalidProtocol)
        #expect(await peer.hear("CONNECT") == nil)
        await listener.client.close()
    }

    @Test func `messages before the greeting are passed to nobody`() async throws {
        let server = try await ScriptedServer()
        let listener = try Listener("nats://127.0.0.1:\(server.port)")
        try listener.follow("a")
        let peer = try await server.accept()
        peer.send("MSG a 1 5\r\nearly\r\nPONG\r\n")
        await peer.welcome()
        peer.send("MSG a 1 4\r\nlate\r\n")
        await listener.heard.wait(for: 1)
        #expect(listener.texts == ["late"])
        await listener.client.close()
    }

    @Test func `beyond the limit messages are dropped, counted and reported`() async throws {
        let server = try await ScriptedServer()
        let listener = try Listener("nats://127.0.0.1:\(server.port)") { $0.unsentLimit = 1_000 }
        let taken = try (0..<100).filter { _ in try listener.publish("x", String(repeating: "a", count: 100))
        }

        #expect((1...9).contains(taken.count))
        #expect(listener.client.unsentBytes <= 1_000)
        await listener.events.wait { events in
            let dropped = events.reduce(0) { if case .dropped(let count) = $1 { $0 + count } else { $0 } }
            return dropped == 100 - taken.count
        }
        await listener.client.close()
        #expect(listener.client.counts.dropped == 100)
    }

    @Test func `a message over the server's limit isn't sent`() async throws {
        let server = try await ScriptedServer()
        let listener = try Listener("nats://127.0.0.1:\(server.port)")
        await (try await server.accept()).welcome()
        await listener.events.wait { $0.contains(.connected(again: false)) }
        #expect(try !listener.publish("x", String(repeating: "a", count: 1_001)))
        #expect(try listener.publish("x", String(repeating: "a", count: 1_000)))
        await listener.client.close()
    }

    @Test func `closing sends what waits before it ends`() async throws {
        let server = try await ScriptedServer()
        let listener = try Listener("nats://127.0.0.1:\(server.port)")
        let peer = try await server.accept()
        await peer.welcome()
        await listener.events.wait { $0.contains(.connected(again: false)) }
        try listener.publish("x", "last")
        async let closed: Void = listener.client.close()
        #expect(await peer.hear("last\r\nPING\r\n") != nil)
        peer.send("PONG\r\n")
        await closed
        #expect(await peer.hear("never") == nil)
        await listener.client.close()
        #expect(try !listener.publish("x", "later"))
    }

    @Test func `a subscription that is waited for ends with its task, or with the client`() async throws {
        let server = try await ScriptedServer()
        let listener = try Listener("nats://127.0.0.1:\(server.port)")
        let task = Task { try await listener.listen("a") }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }

        let waiting = Task { try await listener.listen("b") }
        let peer = try await server.accept()
        peer.send("INFO {}\r\n")
        let greeting = await peer.hear("SUB b 2\r\nPING\r\n")
        #expect(greeting?.contains("SUB a") == false)
        await listener.client.close()
        await #expect { try await waiting.value } throws: { ($0 as? NATSError)?.code == .closed }
        await #expect { try await listener.client.flush() } throws: { ($0 as? NATSError)?.code == .closed }
    }

    @Test func `certificates that can't be read are refused at once`() throws {
        var settings = try #require(NATSSettings([try NATSAddress("tls://127.0.0.1")]))
        settings.certificateAuthority = "/nonexistent/ca.pem"
        #expect { try Listener("tls://127.0.0.1") { $0 = settings } } throws: {
            ($0 as? NATSError)?.code == .invalidCertificate
        }
    }
}
