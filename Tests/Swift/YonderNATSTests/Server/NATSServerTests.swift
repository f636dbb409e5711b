import Dispatch
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import YonderNATS

/// The client against the program `nats-server`.
@Suite(.enabled(if: NATSServer.program != nil, "needs nats-server"))
struct NATSServerTests {
    @Test func `messages reach other clients in order, by pattern, and not their sender`() async throws {
        let server = try await NATSServer()
        let (sender, receiver) = (try Listener(server.address), try Listener(server.address))
        try await receiver.listen("y.main.c.*")
        try await sender.listen("y.main.>")

        for number in 0..<3_000 { try sender.publish("y.main.c.\(number % 7)", "\(number)") }
        try sender.publish("y.main.other", "not for the receiver")
        try sender.publish("y.main.c.end", "end")

        await receiver.heard.wait(for: 3_001)
        let numbers = (0..<3_000).map { "\($0)" }
        #expect(receiver.texts == numbers + ["end"])
        for listener in [sender, receiver] { try await listener.client.flush() }
        #expect(sender.texts.isEmpty)
        // What one read has brought is counted once all of it is passed on: the answer to the flush comes with a later one.
        #expect(receiver.client.counts.received == 3_001)
        #expect(sender.client.counts.sent == 3_002)
        #expect(sender.client.unsentBytes == 0)
        await sender.client.close()
        await receiver.client.close()
    }

    @Test func `what is published after a subscription has returned is heard`() async throws {
        let server = try await NATSServer()
        let (sender, receiver) = (try Listener(server.address), try Listener(server.address))
        try await sender.listen("ready")
        for round in 0..<50 {
            let id = try await receiver.listen("a.\(round)")
            try sender.publish("a.\(round)", "\(round)")
            await receiver.heard.wait(for: round + 1)
            receiver.client.unsubscribe(id)
        }
        #expect(receiver.texts == (0..<50).map { "\($0)" })
        await sender.client.close()
        await receiver.client.close()
    }

    @Test func `a killed server that returns has every subscription again`() async throws {
        let server = try await NATSServer()
        let (sender, receiver) = (try Listener(server.address), try Listener(server.address))
        for subject in ["a", "b.*", "c.>"] { try await receiver.listen(subject) }
        try await sender.listen("ready")
        for round in 1...3 {
            await server.kill()
            await receiver.reported(.unavailable)
            try server.start()
            await sender.connected(again: round)
            await receiver.connected(again: round)
            for subject in ["a", "b.1", "c.1.2"] { try sender.publish(subject, "\(round)") }
            await receiver.heard.wait(for: 3 * round)
        }
        #expect(receiver.texts == ["1", "1", "1", "2", "2", "2", "3", "3", "3"])
        #expect(receiver.client.counts.reconnects == 3)
        await sender.client.close()
        await receiver.client.close()
    }

    @Test func `a client that reads too slowly loses its connection and reports another`() async throws {
        let server = try await NATSServer { _ in "max_pending: 1MB\n" }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let (sender, receiver) = (
            try Listener(server.address), try Listener(server.address, on: group.next())
        )
        let gate = DispatchSemaphore(value: 0)
        _ = try await receiver.client.subscribe(try #require(NATSSubject("a"))) { message in
            if message.payload.readableBytes == 1 { gate.wait() }
        }
        try await sender.listen("ready")

        try sender.publish("a", "1")
        let payload = String(repeating: "x", count: 65_536)
        for _ in 0..<64 {
            for _ in 0..<16 { #expect(try sender.publish("a", payload)) }
            try await sender.client.flush()
        }
        gate.signal()

        await receiver.connected(again: 1)
        #expect(sender.client.counts.reconnects == 0)
        #expect(receiver.client.counts.received < 1_025)
        await sender.client.close()
        await receiver.client.close()
        try await group.shutdownGracefully()
    }

    @Test func `the server's limit of a payload is kept`() async throws {
        let server = try await NATSServer { _ in "max_payload: 1000\n" }
        let (sender, receiver) = (try Listener(server.address), try Listener(server.address))
        try await receiver.listen("a")
        try await sender.listen("ready")
        #expect(try !sender.publish("a", String(repeating: "x", count: 1_001)))
        #expect(try sender.publish("a", String(repeating: "y", count: 1_000)))
        await receiver.heard.wait(for: 1)
        #expect(receiver.texts.first?.first == "y")
        await sender.events.wait { $0.contains(.dropped(1)) }
        await sender.client.close()
        await receiver.client.close()
    }
}

// Who may connect, and what for.
extension NATSServerTests {
    private static let seed = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY"
    private static let other = "SUAAAAICAMCAKBQHBAEQUCYMBUHA6EARCIJRIFIWC4MBSGQ3DQOR4H776Y"

    @Test func `an nkey is accepted, for its subjects alone`() async throws {
        let key = try NKey(seed: Self.seed)
        let server = try await NATSServer { _ in
            """
            authorization { users = [ { nkey: \(key.publicKey), permissions: { publish: "y.main.>", subscribe: "y.main.>" } } ] }
            """
        }
        let listener = try Listener(server.address) { $0.key = key }
        try await listener.listen("y.main.>")
        await #expect { try await listener.listen("y.other.>") } throws: {
            ($0 as? NATSError)?.code == .notAuthorized
        }
        try listener.publish("y.other.c", "x")
        try await listener.client.flush()
        // A server that is still starting can't be reached.
        let codes = listener.events.values.compactMap(\.error).map(\.code).filter { $0 != .unavailable }
        #expect(codes == [.notAuthorized, .notAuthorized])
        #expect(listener.client.counts.reconnects == 0)
        await listener.client.close()
    }

    @Test func `an unknown nkey, another proof and none are refused`() async throws {
        let key = try NKey(seed: Self.seed)
        let server = try await NATSServer { _ in "authorization { users = [ { nkey: \(key.publicKey) } ] }\n"
        }
        let stranger = try NKey(seed: Self.other)
        for proof in [stranger, nil] {
            let listener = try Listener(server.address) { $0.key = proof }
            await listener.reported(.notAuthorized)
            #expect(!listener.events.values.contains(.connected(again: false)))
            await listener.client.close()
        }
    }

    @Test func `a name with a password and a token are accepted in the address`() async throws {
        let server = try await NATSServer { _ in "authorization { user: yonder, password: \"p@ss\" }\n" }
        var listener = try Listener("nats://yonder:p%40ss@127.0.0.1:\(server.port)")
        try await listener.listen("a")
        await listener.client.close()
        listener = try Listener("nats://yonder:wrong@127.0.0.1:\(server.port)")
        await listener.reported(.notAuthorized)
        await listener.client.close()

        let tokens = try await NATSServer { _ in "authorization { token: s3cret }\n" }
        listener = try Listener("nats://s3cret@127.0.0.1:\(tokens.port)")
        try await listener.listen("a")
        await listener.client.close()
    }
}

// TLS.
extension NATSServerTests {
    private static func secureServer(_ names: String) async throws -> NATSServer {
        try await NATSServer { folder in
            try await NATSServer.certify(names, as: "server", in: folder)
            try await NATSServer.certify(names, as: "other", in: folder)
            return "tls { cert_file: \"\(folder)/server.pem\", key_file: \"\(folder)/server.key\" }\n"
        }
    }

    @Test(arguments: ["nats://127.0.0.1", "tls://127.0.0.1", "tls://localhost"])
    func `a certificate that the file signs is accepted, for its names and addresses`(address: String)
        async throws
    {
        let server = try await Self.secureServer("IP:127.0.0.1,IP:::1,DNS:localhost")
        let file = server.folder.path + "server.pem"
        let listener = try Listener("\(address):\(server.port)") { $0.certificateAuthority = file }
        let sender = try Listener("\(address):\(server.port)") { $0.certificateAuthority = file }
        try await listener.listen("a")
        let payload = String(repeating: "x", count: 500_000)
        for _ in 0..<4 { try sender.publish("a", payload) }
        await listener.heard.wait(for: 4)
        #expect(listener.texts.allSatisfy { $0 == payload })
        await listener.client.close()
        await sender.client.close()
    }

    @Test func `a certificate that another signed, or of another name, is refused`() async throws {
        let server = try await Self.secureServer("IP:127.0.0.1,DNS:localhost")
        var file = server.folder.path + "other.pem"
        var listener = try Listener("tls://127.0.0.1:\(server.port)") { $0.certificateAuthority = file }
        await listener.reported(.insecure)
        await listener.client.close()

        let elsewhere = try await Self.secureServer("IP:192.0.2.1,DNS:bus.example")
        file = elsewhere.folder.path + "server.pem"
        for host in ["127.0.0.1", "localhost"] {
            listener = try Listener("tls://\(host):\(elsewhere.port)") { $0.certificateAuthority = file }
            await listener.reported(.insecure)
            #expect(!listener.events.values.contains(.connected(again: false)))
            await listener.client.close()
        }
    }

    @Test func `on loopback a certificate isn't verified without a file`() async throws {
        let server = try await Self.secureServer("DNS:bus.example")
        let listener = try Listener(server.address)
        try await listener.listen("a")
        await listener.client.close()
    }

    @Test func `an address that demands TLS isn't served without it`() async throws {
        let server = try await NATSServer()
        let listener = try Listener("tls://127.0.0.1:\(server.port)")
        await listener.reported(.insecure)
        await listener.client.close()
    }
}
