import Testing

@testable import YonderLink

/// What follows from each state and error of Network.framework, without the framework.
@Suite struct StreamEventsTests {
    /// Events until the connection is open.
    private static func opened() -> StreamEvents {
        var events = StreamEvents(at: .zero)
        #expect(events.take(.opens, at: .zero) == [])
        #expect(events.take(.ready(subprotocol: "yonder.v1"), at: .seconds(1)) == [.opened, .receive])
        return events
    }

    @Test(arguments: [nil, "chat"] as [String?])
    func `a WebSocket that offers no subprotocol is open whatever the server chose`(_ chosen: String?) {
        var events = StreamEvents(at: .zero, subprotocol: nil)
        _ = events.take(.opens, at: .zero)
        #expect(events.take(.ready(subprotocol: chosen), at: .zero) == [.opened, .receive])
    }

    private static let lost = LinkClosure.lost("gone")

    @Test(
        arguments: [
            (.failed(.unreachable("gone")), [.notOpened(.closed(lost)), .cancel]),
            (.failed(.other("gone")), [.notOpened(.notUpgraded), .cancel]),
            (.cancelled, [.notOpened(.closed(.lost("Closed."))), .cancel]),
            (.closes, [.notOpened(.closed(.lost("Closed."))), .cancel]),
            (.ready(subprotocol: "yonder.v1"), [.opened, .receive]),
            (
                .ready(subprotocol: nil),
                [.notOpened(.closed(.lost("The server didn't choose the subprotocol yonder.v1."))), .cancel]
            ),
            (.tick, []), (.pong, []), (.reads, []),
        ] as [(StreamEvents.Event, [StreamEvents.Step])]
    )
    func `before the connection is open each state has its steps`(
        _ event: StreamEvents.Event,
        _ steps: [StreamEvents.Step]
    ) {
        var events = StreamEvents(at: .zero)
        #expect(events.take(event, at: .seconds(1)) == steps)
    }

    @Test(
        arguments: [
            (.failed(.unreachable("gone")), lost), (.failed(.other("gone")), lost),
            (.ended("gone"), lost), (.ended(nil), .lost("The server closed the connection.")),
            (.cancelled, .lost("Closed.")), (.closes, .lost("Closed.")),
            (.closed(code: 1008, reason: "notSignedIn"), LinkClosure(code: 1008, reason: "notSignedIn")),
            (.closed(code: 1001, reason: "x"), LinkClosure(code: 1001, reason: "x")),
            (.sent(0, failure: "gone"), lost),
        ] as [(StreamEvents.Event, LinkClosure)]
    )
    func `an open connection ends once, whether the reader waits or comes later`(
        _ event: StreamEvents.Event,
        _ closure: LinkClosure
    ) {
        for waits in [true, false] {
            var events = Self.opened()
            if waits { #expect(events.take(.reads, at: .seconds(2)) == []) }
            #expect(events.take(event, at: .seconds(3)) == (waits ? [.end(closure), .cancel] : [.cancel]))
            #expect(events.take(.reads, at: .seconds(4)) == [.end(closure)])
            #expect(events.take(.text([1]), at: .seconds(5)) == [])
            #expect(events.take(.tick, at: .seconds(500)) == [])
        }
    }

    @Test func `frames reach the reader in order, and before the reason of the end`() {
        var events = Self.opened()
        #expect(events.take(.text([1]), at: .seconds(2)) == [.receive])
        #expect(events.take(.text([2]), at: .seconds(2)) == [.receive])
        #expect(events.take(.reads, at: .seconds(2)) == [.deliver([[1], [2]])])
        #expect(events.take(.reads, at: .seconds(2)) == [])
        #expect(events.take(.text([3]), at: .seconds(2)) == [.deliver([[3]]), .receive])
        #expect(events.take(.text([4]), at: .seconds(2)) == [.receive])
        #expect(events.take(.ended("gone"), at: .seconds(2)) == [.cancel])
        #expect(events.take(.reads, at: .seconds(2)) == [.deliver([[4]])])
        #expect(events.take(.reads, at: .seconds(2)) == [.end(Self.lost)])
    }

    @Test func `a reader that takes nothing stops the receiving at 256 frames`() {
        var events = Self.opened()
        for number in 1..<StreamEvents.capacity {
            #expect(events.take(.text([1]), at: .seconds(2)) == [.receive], "\(number)")
        }
        #expect(events.take(.text([1]), at: .seconds(2)) == [])
        let steps = events.take(.reads, at: .seconds(2))
        #expect(steps == [.deliver(Array(repeating: [1], count: StreamEvents.capacity)), .receive])
    }

    @Test func `a silent server is pinged after 40 s and given up after 40 more`() {
        var events = Self.opened()
        _ = events.take(.text([1]), at: .seconds(10))
        #expect(events.take(.tick, at: .seconds(49)) == [])
        #expect(events.take(.tick, at: .seconds(50)) == [.ping])
        #expect(events.take(.pong, at: .seconds(51)) == [])
        #expect(events.take(.tick, at: .seconds(90)) == [])
        #expect(events.take(.tick, at: .seconds(91)) == [.ping])
        #expect(events.take(.tick, at: .seconds(130)) == [])
        #expect(events.take(.tick, at: .seconds(131)) == [.cancel])
    }

    @Test func `a server isn't taken for silent while the reader takes nothing`() {
        var events = Self.opened()
        for _ in 0..<StreamEvents.capacity { _ = events.take(.text([1]), at: .seconds(2)) }
        for second in stride(from: 40, through: 400, by: 40) {
            #expect(events.take(.tick, at: .seconds(second)) == [])
        }
        #expect(events.take(.reads, at: .seconds(401)).count == 2)
        #expect(events.take(.tick, at: .seconds(439)) == [])
        #expect(events.take(.tick, at: .seconds(440)) == [.ping])
    }

    @Test func `a server has 15 s for the upgrade and the greeting`() {
        var events = StreamEvents(at: .zero)
        #expect(events.take(.tick, at: .seconds(14)) == [])
        #expect(events.take(.tick, at: .seconds(15)).last == .cancel)
        events = Self.opened()
        #expect(events.take(.tick, at: .seconds(14)) == [])
        #expect(events.take(.tick, at: .seconds(15)) == [.cancel])
    }

    @Test func `64 KiB on their way make it take no more until 32 KiB are left`() {
        var events = Self.opened()
        _ = events.take(.sending(65_535), at: .seconds(2))
        #expect(events.isWritable)
        _ = events.take(.sending(1), at: .seconds(2))
        #expect(!events.isWritable)
        _ = events.take(.sent(32_768, failure: nil), at: .seconds(2))
        #expect(!events.isWritable)
        _ = events.take(.sent(1, failure: nil), at: .seconds(2))
        #expect(events.isWritable)
    }

    @Test func `an owner that waits for a connection that is over already is told`() {
        var events = StreamEvents(at: .zero)
        _ = events.take(.closes, at: .zero)
        #expect(events.take(.opens, at: .zero) == [.notOpened(.closed(.lost("Closed.")))])
    }
}

@Suite struct AnswerPartsTests {
    @Test func `an answer is put together, each cookie by itself`() {
        var parts = AnswerParts(limit: 4)
        parts.take(
            status: 201,
            headers: [LinkHeader("Retry-After", "7"), LinkHeader("Set-Cookie", "a=1; Path=/, b=2")],
            cookies: [
                AnswerParts.Cookie(name: "a", value: "1", isOver: false),
                AnswerParts.Cookie(name: "b", value: "2", isOver: true),
            ]
        )
        let fits = [parts.take([1, 2]), parts.take([3, 4])]
        #expect(fits == [true, true])
        #expect(
            parts.end(nil)
                == .success(
                    LinkAnswer(
                        status: 201,
                        headers: [
                            LinkHeader("Retry-After", "7"), LinkHeader("Set-Cookie", "a=1"),
                            LinkHeader("Set-Cookie", "b=2; Max-Age=0"),
                        ],
                        body: [1, 2, 3, 4]
                    )
                )
        )
        let isMore = parts.take([5])
        #expect(!isMore)
        #expect(parts.end("canceled") == .failure(.lost("The answer is longer than 4 bytes.")))
    }

    @Test func `an answer that ends early is lost`() {
        var parts = AnswerParts(limit: 4)
        parts.take(status: 200, headers: [], cookies: [])
        #expect(parts.end("gone") == .failure(.lost("gone")))
    }

    @Test func `nothing is taken without an answer's beginning`() {
        var parts = AnswerParts(limit: 4)
        let fits = parts.take([1])
        #expect(!fits)
        #expect(parts.end(nil) == .failure(.lost("There was no answer.")))
    }
}
