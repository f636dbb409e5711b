import Testing

@testable import YonderNATS

/// The decisions of a client, as lines of calls.
struct NATSSessionTests {
    private let subject = NATSSubject("y.main.>").unsafelyUnwrapped

    @Test func `a connection is greeted, gets its subscriptions, and is ready with the answer`() throws {
        var session = try Self.session()
        #expect(session.start() == [.connect(try NATSAddress("nats://127.0.0.1"))])
        let (id, actions) = try session.subscribe(subject)
        #expect(actions.isEmpty)
        #expect(session.connected() == [.wait(.seconds(5))])
        #expect(!session.accepts(Self.message(id)))
        #expect(
            session.received(.info(NATSServerInfo())) == [
                .limit(payload: 1_048_576),
                .send([.connect(NATSGreeting(name: "test")), .subscribe(subject, id: id), .ping]),
            ]
        )
        #expect(session.accepts(Self.message(id)))
        #expect(!session.isReady)
        #expect(
            session.received(.pong) == [
                .confirm(id), .report(.connected(again: false)), .drain, .wait(.seconds(10)),
            ]
        )
        #expect(session.isReady)
    }

    @Test func `a subscription is confirmed by the answer to the ping behind it`() throws {
        var session = try Self.ready()
        let (first, actions) = try session.subscribe(subject)
        let (second, _) = try session.subscribe(subject)
        #expect(actions == [.send([.subscribe(subject, id: first), .ping])])
        #expect(session.flush(9) == [.drain, .send([.ping])])
        #expect(session.received(.pong) == [.confirm(first)])
        #expect(session.received(.pong) == [.confirm(second)])
        #expect(session.received(.pong) == [.flushed(9)])
        #expect(session.received(.pong) == [])
    }

    @Test func `subscriptions made during the greeting are sent behind it`() throws {
        var session = try Self.session()
        _ = session.start() + session.connected() + session.received(.info(NATSServerInfo()))
        let (id, actions) = try session.subscribe(subject)
        #expect(actions == [.send([.subscribe(subject, id: id), .ping])])
        #expect(!session.received(.pong).contains(.confirm(id)))
        #expect(session.received(.pong) == [.confirm(id)])
    }

    @Test func `after a lost connection the next one gets the same subscriptions`() throws {
        var session = try Self.ready("nats://127.0.0.1:1,nats://127.0.0.1:2")
        let (kept, _) = try session.subscribe(subject)
        let (gone, _) = try session.subscribe(subject)
        _ = session.received(.pong)
        #expect(session.unsubscribe(gone) == [.send([.unsubscribe(id: gone)])])
        #expect(session.flush(1).count == 2)
        let error = NATSError(.unavailable, "lost")

        #expect(
            session.ended(error) == [
                .disconnect, .unflushed(1, error), .report(.disconnected(error)), .retry(.milliseconds(50)),
            ]
        )
        #expect(session.waited() == [.connect(try NATSAddress("nats://127.0.0.1:2"))])
        _ = session.connected()
        let greeted = session.received(.info(NATSServerInfo()))
        #expect(
            greeted.contains(
                .send([.connect(NATSGreeting(name: "test")), .subscribe(subject, id: kept), .ping])
            )
        )
        #expect(session.received(.pong).contains(.report(.connected(again: true))))
    }

    @Test func `without an answer to two pings the server counts as gone`() throws {
        var session = try Self.ready()
        #expect(session.waited() == [.send([.ping]), .wait(.seconds(10))])
        #expect(session.received(.pong) == [])
        #expect(session.waited().contains(.send([.ping])))
        #expect(session.waited().contains(.send([.ping])))
        let actions = session.waited()
        guard case .report(.disconnected(let error)) = actions.dropFirst().first else {
            Issue.record("\(actions)")
            return
        }
        #expect(error.code == .unresponsive)
    }

    @Test func `a server that doesn't greet in time is left`() throws {
        var session = try Self.session()
        _ = session.start() + session.connected()
        #expect(Self.failure(session.waited()) == .unresponsive)
        _ = session.waited()
        _ = session.connected() + session.received(.info(NATSServerInfo()))
        #expect(Self.failure(session.waited()) == .unresponsive)
    }

    @Test func `TLS begins where the server or the address wants it`() throws {
        var required = NATSServerInfo()
        (required.requiresTLS, required.offersTLS) = (true, true)
        var offered = NATSServerInfo()
        offered.offersTLS = true

        #expect(try Self.greeted("nats://127.0.0.1", required).contains(.secure))
        #expect(try Self.greeted("nats://bus.example", required).contains(.secure))
        #expect(try Self.greeted("tls://127.0.0.1", offered).contains(.secure))
        #expect(try Self.greeted("nats://bus.example", offered).contains(.secure))
        #expect(try !Self.greeted("nats://127.0.0.1", offered).contains(.secure))
    }

    @Test func `without TLS nothing is sent off this machine, nor to an address that demands it`() throws {
        for address in ["nats://bus.example", "nats://10.0.0.1", "tls://127.0.0.1"] {
            let actions = try Self.greeted(address, NATSServerInfo())
            #expect(Self.failure(actions) == .insecure)
            #expect(!actions.contains { if case .send = $0 { true } else { false } })
        }
    }

    @Test func `the nonce is signed where there is a key`() throws {
        var info = NATSServerInfo()
        info.nonce = "DhXdTMAeiHhLDig"
        var settings = try Self.settings("nats://127.0.0.1")
        let key = try NKey(seed: "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY")
        settings.key = key
        var session = NATSSession(settings)
        _ = session.start() + session.connected()
        let actions = session.received(.info(info))
        guard case .send(let commands) = actions.last, case .connect(let greeting) = commands.first else {
            Issue.record("\(actions)")
            return
        }
        #expect(greeting.signature?.publicKey == key.publicKey)
    }

    @Test(arguments: [
        ("Authorization Violation", NATSError.Code.notAuthorized),
        ("User Authentication Expired", .notAuthorized),
        ("Slow Consumer", .slowConsumer), ("Maximum Payload Violation", .tooLarge),
        ("Stale Connection", .unresponsive),
        ("Unknown Protocol Operation", .refused),
    ])
    func `a complaint before the answer ends the attempt, and later is the reason for the end`(
        text: String,
        code: NATSError.Code
    ) throws {
        var session = try Self.session()
        _ = session.start() + session.connected() + session.received(.info(NATSServerInfo()))
        #expect(Self.failure(session.received(.error(text))) == code)

        session = try Self.ready()
        let error = NATSError(complaint: text)
        #expect(session.received(.error(text)) == [.report(.complained(error))])
        #expect(session.ended(nil).contains(.report(.disconnected(error))))
    }

    @Test func `a subscription that the server refuses ends alone`() throws {
        var session = try Self.ready()
        let (refused, _) = try session.subscribe(subject)
        let (kept, _) = try session.subscribe(try #require(NATSSubject("y.other")))
        let text = "Permissions Violation for Subscription to \"y.main.>\""
        let error = NATSError(complaint: text)
        #expect(error.code == .notAuthorized)
        #expect(session.received(.error(text)) == [.refuse(refused, error), .report(.complained(error))])
        #expect(session.received(.pong) == [])
        #expect(session.received(.pong) == [.confirm(kept)])
        #expect(!session.accepts(Self.message(refused)))
    }

    @Test func `closing sends what waits and ends with the answer`() throws {
        var session = try Self.ready()
        let (id, _) = try session.subscribe(subject)
        #expect(session.close() == [.drain, .send([.ping]), .wait(.seconds(2))])
        #expect(session.close() == [])
        #expect(session.received(.pong) == [.confirm(id)])
        let closed = NATSError(.closed, "The NATS client was closed.")
        #expect(session.received(.pong) == [.cancelWait, .disconnect, .refuse(id, closed), .finish])
        #expect(session.flush(1) == [.unflushed(1, closed)])
        #expect(throws: closed) { try session.subscribe(subject) }
        #expect(session.ended(nil) == [])
        #expect(session.start() == [])
    }

    @Test func `closing ends at once without a connection, and after a time with a silent one`() throws {
        var session = try Self.session()
        _ = session.start()
        #expect(session.close() == [.cancelWait, .disconnect, .finish])
        session = try Self.ready()
        _ = session.close()
        #expect(session.waited() == [.cancelWait, .disconnect, .finish])
    }

    @Test func `subscriptions are limited`() throws {
        var settings = try Self.settings("nats://127.0.0.1")
        settings.subscriptionLimit = 1
        var session = NATSSession(settings)
        let (id, _) = try session.subscribe(subject)
        #expect { try session.subscribe(subject) } throws: { ($0 as? NATSError)?.code == .tooLarge }
        _ = session.unsubscribe(id)
        #expect(throws: Never.self) { try session.subscribe(subject) }
    }

    @Test func `a ping is answered at once`() throws {
        var session = try Self.ready()
        #expect(session.received(.ping) == [.send([.pong])])
    }
}

extension NATSSessionTests {
    private static func settings(_ addresses: String) throws -> NATSSettings {
        try #require(NATSSettings(try NATSAddress.list(addresses), name: "test"))
    }

    private static func session(_ addresses: String = "nats://127.0.0.1") throws -> NATSSession {
        NATSSession(try settings(addresses))
    }

    private static func ready(_ addresses: String = "nats://127.0.0.1") throws -> NATSSession {
        var session = try session(addresses)
        _ =
            session.start() + session.connected() + session.received(.info(NATSServerInfo()))
            + session.received(.pong)
        return session
    }

    private static func greeted(_ address: String, _ info: NATSServerInfo) throws -> [NATSSession.Action] {
        var session = try session(address)
        _ = session.start() + session.connected()
        return session.received(.info(info))
    }

    private static func message(_ id: UInt64) -> NATSMessageHead {
        NATSMessageHead(subject: "y.main.c.1", subscription: id, length: 0)
    }

    private static func failure(_ actions: [NATSSession.Action]) -> NATSError.Code? {
        for case .report(.failed(let error)) in actions { return error.code }
        return nil
    }
}
