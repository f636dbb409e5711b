import Testing
import YonderGeodesy
import YonderModel
import YonderWire

@testable import YonderClient

@Suite struct StopsTests {
    private typealias Action = Stops<String>.Action

    private static let share: ShareID = Sample.identifier(5)
    private static let other: ChatID = Sample.identifier(78)
    private static let busy = SharingError(.tooManyRequests, "Too fast.", retryAfter: .seconds(2))
    private static let tap = Sample.time + .seconds(10)

    private static func connected(isKeeping: Bool = false) -> Stops<String> {
        var stops = Stops<String>(isKeeping: isKeeping)
        _ = stops.connected(as: Sample.ada, serverTime: Sample.time, at: Sample.time)
        return stops
    }

    private static func dated(_ key: String, _ chat: ChatID? = nil, share: ShareID? = nil) -> Action {
        .write(.stopShares(key: key, ShareStop(chat: chat, share: share, before: tap)))
    }

    private static func position(_ seconds: Int, share: ShareID? = nil) throws -> MessageDraft {
        let time = (Sample.time + .seconds(seconds)).milliseconds
        let named = share.map { #","share":"\#($0)""# } ?? ""
        let text = #"{"latitude":1,"longitude":2,"timestamp":\#(time)\#(named)}"#
        return MessageDraft(tag: .location, data: try MessageData(Array(text.utf8)))
    }

    @Test
    func `invariant 1 of Stops: a stop with a connection is sent before it is kept, and ends what runs`()
        throws
    {
        var stops = Self.connected(isKeeping: true)
        #expect(stops.nextWork() == .setUser(Sample.ada))
        _ = stops.worked(isDone: true)
        let actions = try stops.add("a", chat: Sample.chat, share: Self.share, for: "w", at: Self.tap)
        #expect(actions == [.write(.stopShare(key: "a", chat: Sample.chat, Self.share)), .work, .show])
        #expect(try stops.add("b", at: Self.tap).first == .write(.stopShares(key: "b", ShareStop())))
    }

    @Test
    func
        `invariant 1 of Stops: a stop is sent on each connection until it is answered, with the time of the tap`()
        throws
    {
        var stops = Stops<String>(isKeeping: false)
        #expect(try stops.add("a", for: "w", at: Self.tap) == [.show])
        for _ in 0..<2 {
            let actions = stops.connected(as: Sample.ada, serverTime: Self.tap, at: Self.tap)
            #expect(actions == [Self.dated("a"), .show])
            stops.disconnected()
        }
        _ = stops.connected(as: Sample.ada, serverTime: Self.tap, at: Self.tap)
        #expect(!stops.isIdle)
        #expect(stops.answered("a", .stopped([])) == [.resume("w", .success(.stopped([]))), .show])
        #expect(
            stops.isIdle && stops.connected(as: Sample.ada, serverTime: Self.tap, at: Self.tap) == [.show]
        )
    }

    @Test
    func `a stop that is refused for now is sent again, and one without a session at the next connection`()
        throws
    {
        var stops = Self.connected()
        _ = try stops.add("a", for: "w", at: Self.tap)
        guard case .pause(let pause, .seconds(2))? = stops.refused("a", Self.busy).first else {
            Issue.record("The stop doesn't wait.")
            return
        }
        #expect(stops.resume(pause) == [Self.dated("a")])
        #expect(stops.resume(pause).isEmpty)
        let refusal = SharingError(.notSignedIn, "Sign in.")
        #expect(stops.refused("a", refusal) == [.resume("w", .failure(refusal))])
        stops.disconnected()
        #expect(stops.connected(as: Sample.ada, serverTime: Self.tap, at: Self.tap).first == Self.dated("a"))
    }

    @Test(arguments: [SharingError.Code.unknownShare, .shareEnded])
    func `a stop of what is over is done`(code: SharingError.Code) throws {
        var stops = Self.connected()
        _ = try stops.add("a", chat: Sample.chat, share: Self.share, for: "w", at: Self.tap)
        let error = SharingError(code, "It is over.")
        #expect(stops.refused("a", error) == [.resume("w", .failure(error)), .show])
        #expect(stops.isIdle)
    }

    @Test func `a server that knows no time of a stop is sent it without`() throws {
        var stops = Stops<String>(isKeeping: false)
        _ = try stops.add("a", at: Self.tap)
        _ = stops.connected(as: Sample.ada, serverTime: Self.tap, at: Self.tap)
        let refusal = SharingError(.invalidField, "before is unknown.")
        #expect(stops.refused("a", refusal) == [.write(.stopShares(key: "a", ShareStop()))])
        #expect(stops.refused("a", refusal) == [.report(refusal), .show])
    }

    @Test func `a named share that a dated stop left running is ended all the same`() throws {
        var stops = Stops<String>(isKeeping: false)
        _ = try stops.add("a", chat: Sample.chat, share: Self.share, for: "w", at: Self.tap)
        let actions = stops.connected(as: Sample.ada, serverTime: Self.tap, at: Self.tap)
        #expect(actions.first == Self.dated("a", Sample.chat, share: Self.share))
        let frame = ClientFrame.stopShare(key: "a", chat: Sample.chat, Self.share)
        #expect(stops.answered("a", .stopped([])) == [.write(frame)])
    }

    @Test func `the time of a stop is the server's, and never before what the server has stored`() throws {
        var stops = Stops<String>(isKeeping: false)
        _ = stops.connected(as: Sample.ada, serverTime: Sample.time + .seconds(60), at: Sample.time)
        _ = try stops.add("a", at: Sample.time + .seconds(10))
        stops.heard(Sample.time + .seconds(75))
        _ = try stops.add("b", at: Sample.time + .seconds(11))
        #expect(stops.waiting.map(\.stop.before) == [70, 75].map { Sample.time + .seconds($0) })
        #expect(stops.waiting.map(\.stop.time) == [10, 11].map { Sample.time + .seconds($0) })
    }

    @Test func `invariant 2 of Stops: the stop of another person waits for that person`() throws {
        var stops = Stops<String>(isKeeping: true)
        let theirs = UnsentStop(
            id: "a",
            user: Sample.bea,
            chat: nil,
            share: nil,
            time: Self.tap,
            before: Self.tap
        )
        _ = stops.loaded([theirs], user: Sample.bea)
        #expect(try stops.refusal(of: Self.position(11), in: Sample.chat, at: Self.tap) != nil)
        #expect(stops.connected(as: Sample.ada, serverTime: Self.tap, at: Self.tap) == [.work, .show])
        #expect(stops.isIdle && stops.waiting.isEmpty)
        #expect(try stops.refusal(of: Self.position(11), in: Sample.chat, at: Self.tap) == nil)
        stops.disconnected()
        #expect(stops.connected(as: Sample.bea, serverTime: Self.tap, at: Self.tap).contains(Self.dated("a")))
    }

    @Test func `invariant 2 of Stops: a stop from before the first connection is kept as its user's`() throws
    {
        var stops = Stops<String>(isKeeping: true)
        _ = stops.loaded([], user: Sample.bea)
        _ = try stops.add("a", at: Self.tap)
        guard case .keep(let first)? = stops.nextWork() else { throw CancellationError() }
        #expect(first.user == Sample.bea)
        _ = stops.worked(isDone: true)
        #expect(stops.connected(as: Sample.ada, serverTime: Self.tap, at: Self.tap).contains(Self.dated("a")))
        guard case .keep(let second)? = stops.nextWork() else { throw CancellationError() }
        #expect(second.id == "a" && second.user == Sample.ada)
    }

    @Test func `invariant 3 of Stops: a position recorded after the tap is refused until a share is started`()
        throws
    {
        var stops = Self.connected()
        _ = try stops.add("a", chat: Sample.chat, at: Self.tap)
        let refused = { (stops: Stops<String>, seconds: Int, chat: ChatID) throws in
            try stops.refusal(of: Self.position(seconds), in: chat, at: Self.tap)?.code == .shareEnded
        }
        #expect(try !refused(stops, 10, Sample.chat) && refused(stops, 11, Sample.chat))
        #expect(try !refused(stops, 11, Self.other))
        #expect(stops.refusal(of: MessageDraft(tag: .text), in: Sample.chat, at: Self.tap) == nil)
        #expect(
            stops.refusal(of: MessageDraft(tag: .location), in: Sample.chat, at: Self.tap + .seconds(1))
                != nil
        )
        stops.starting(OutgoingKey(key: "s", chat: Sample.chat), in: Sample.chat, at: Self.tap + .seconds(20))
        #expect(try refused(stops, 29, Sample.chat) && !refused(stops, 30, Sample.chat))
        _ = stops.answered("a", .stopped([]))
        #expect(try !refused(stops, 29, Sample.chat))
    }

    @Test func `invariant 3 of Stops: a stop of a share lets positions of another one go`() throws {
        var stops = Self.connected()
        _ = try stops.add("a", chat: Sample.chat, share: Self.share, at: Self.tap)
        let refusal = { (draft: MessageDraft) in stops.refusal(of: draft, in: Sample.chat, at: Self.tap) }
        #expect(try refusal(Self.position(11, share: Self.share)) != nil && refusal(Self.position(11)) != nil)
        #expect(try refusal(Self.position(11, share: Sample.identifier(6))) == nil)
    }

    @Test func `invariant 4 of Stops: a start of before the stop is withdrawn, or ended by its answer`()
        throws
    {
        var stops = Self.connected()
        let keys = [Sample.chat, Self.other].map { OutgoingKey(key: "s", chat: $0) }
        for key in keys { stops.starting(key, in: try #require(key.chat), at: Sample.time) }
        #expect(try stops.add("a", chat: Sample.chat, at: Self.tap).contains(.withdraw(keys[0])))
        let shares = keys.map {
            Share(id: Self.share, chat: $0.chat ?? Self.other, user: Sample.ada, started: Self.tap)
        }
        let actions = stops.started(keys[0], shares[0], stopID: "b", at: Self.tap)
        #expect(actions.first == .write(.stopShare(key: "b", chat: Sample.chat, Self.share)))
        #expect(stops.started(keys[1], shares[1], stopID: "c", at: Self.tap).isEmpty)
        #expect(stops.started(keys[0], shares[0], stopID: "d", at: Self.tap).isEmpty)
    }

    @Test
    func `invariant 5 of Stops: the store has one call at a time, and what is answered first is never kept`()
        throws
    {
        var stops = Stops<String>(isKeeping: true)
        _ = try stops.add("a", at: Self.tap)
        _ = try stops.add("b", at: Self.tap)
        _ = stops.connected(as: Sample.ada, serverTime: Self.tap, at: Self.tap)
        guard case .keep(let first)? = stops.nextWork() else { throw CancellationError() }
        #expect(first.id == "a" && stops.nextWork() == nil)
        _ = stops.answered("a", .stopped([]))
        _ = stops.answered("b", .stopped([]))
        #expect(stops.worked(isDone: true).isEmpty)
        #expect(stops.nextWork() == .setUser(Sample.ada))
        _ = stops.worked(isDone: true)
        #expect(stops.nextWork() == .remove("a"))
        _ = stops.worked(isDone: true)
        #expect(stops.nextWork() == nil)
    }

    @Test
    func `a stop outlives the process when it is kept, and what couldn't be kept is tried at the next run`()
        throws
    {
        var stops = Stops<String>(isKeeping: true)
        _ = try stops.add("a", at: Self.tap)
        _ = stops.nextWork()
        #expect(stops.worked(isDone: false) == [.show])
        #expect(stops.waiting.map(\.outlivesProcess) == [false])
        #expect(stops.keepAgain() == [.work])
        _ = stops.nextWork()
        _ = stops.worked(isDone: true)
        #expect(stops.waiting.map(\.outlivesProcess) == [true])
        #expect(stops.keepAgain().isEmpty)
    }

    @Test func `a caller is resumed when its task is canceled or the client ends, and the stop stays`() throws
    {
        var stops = Stops<String>(isKeeping: false)
        _ = try stops.add("a", for: "w", at: Self.tap)
        _ = try stops.add("b", for: "v", at: Self.tap)
        #expect(stops.canceled("a").count == 1 && stops.canceled("a").isEmpty)
        #expect(stops.end(Self.busy) == [.resume("v", .failure(Self.busy))])
        #expect(
            stops.connected(as: Sample.ada, serverTime: Self.tap, at: Self.tap).prefix(2) == [
                Self.dated("a"), Self.dated("b"),
            ]
        )
    }

    @Test func `no more than a thousand stops wait`() throws {
        var stops = Stops<String>(isKeeping: false)
        for number in 0..<UnsentStop.limit { _ = try stops.add("\(number)", at: Self.tap) }
        let error = #expect(throws: SharingError.self) { try stops.add("a", at: Self.tap) }
        #expect(error?.code == .tooMany)
    }
}
