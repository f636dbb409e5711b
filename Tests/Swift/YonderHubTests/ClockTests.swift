import Logging
import NIOPosix
import TestSupport
import Synchronization
import Testing
import YonderGeodesy
import YonderModel
import YonderRules
import YonderWire

@testable import YonderHub

/// The exchange has no clock of its own.
@Suite(.timeLimit(.minutes(20))) struct ClockTests {
    private let moment = Timestamp(milliseconds: 1_764_000_000_000)
    private let store = MemoryStore()
    private let group = MultiThreadedEventLoopGroup.singleton

    private func exchange(
        sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in throw CancellationError() }
    ) async throws -> Exchange {
        let moment = moment
        return try await Exchange.start(
            chats: store,
            accounts: store,
            group: group,
            now: { moment },
            sleep: sleep,
            logger: Logger(label: "test")
        )
    }

    private func user(_ number: Int64) async throws -> User {
        let user = User(id: try #require(UserID(number)), name: "Person \(number)")
        try await store.createAccount(Account(user: user, isOperator: false, created: moment))
        return user
    }

    @Test func `frames are dated by the clock that the exchange was given`() async throws {
        let ada = try await user(1)
        let exchange = try await exchange()
        let client = try await FakeClient(ada, to: exchange, on: group.next(), bound: 65_536)
        try await client.send(#"{"type":"ping"}"#)
        #expect(try await client.next(\.pong) == moment)
    }

    @Test func `what expires is looked at once a second, as the sleep that was given counts it`() async throws
    {
        let waits = Waits()
        let exchange = try await exchange { try waits.wait($0) }
        await #expect(throws: CancellationError.self) { try await exchange.tick() }
        #expect(waits.durations.withLock(\.self) == [.seconds(1), .seconds(1), .seconds(1)])
        waits.durations.withLock { $0 = [] }
        await #expect(throws: CancellationError.self) { try await exchange.tidy() }
        #expect(waits.durations.withLock(\.self) == [.seconds(1), .seconds(1), .seconds(1)])
    }

    @Test func `what expires is emptied although the store refuses to erase kept positions`() async throws {
        let waits = Waits()
        let gated = GatedStore(store)
        gated.refuseErasing()
        let exchange = try await Exchange.start(
            chats: gated,
            accounts: store,
            group: group,
            now: { [moment] in moment },
            sleep: { try waits.wait($0) },
            logger: Logger(label: "test")
        )
        await #expect(throws: CancellationError.self) { try await exchange.tidy() }
        #expect(gated.expired == 2)
    }

    @Test func `a share ends in time while the store is busy with other upkeep`() async throws {
        try await ExchangeHarness.run { harness in
            let watcher = try await harness.connect(1)
            try await watcher.send(
                #"{"type":"subscribe","id":1,"query":"freshness","chat":"\#(harness.chat)"}"#
            )
            try await watcher.until(\.isCurrent)
            let sharer = try await harness.connect(0)
            let until = Timestamp.now.milliseconds + 60_000
            try await sharer.send(
                #"{"type":"share","key":"s","chat":"\#(harness.chat)","until":\#(until)}"#
            )
            _ = try await sharer.next(\.shared)
            harness.gate.holdExpiry()
            let running = Task { try await harness.exchange.run() }
            while harness.gate.waiting == 0 { await Task.yield() }
            harness.skipUnseen(.seconds(61))
            _ = try await watcher.next { frame in
                frame.freshness?.contains { $0.share.end != nil } ?? false ? true : nil
            }
            running.cancel()
            harness.gate.open()
            _ = await running.result
        }
    }

    @Test func `the end of a share is submitted once, however long the store takes`() async throws {
        try await ExchangeHarness.run { harness in
            let sharer = try await harness.connect(0)
            let until = Timestamp.now.milliseconds + 60_000
            try await sharer.send(
                #"{"type":"share","key":"s","chat":"\#(harness.chat)","until":\#(until)}"#
            )
            _ = try await sharer.next(\.shared)
            harness.gate.holdSubmissions()
            let before = harness.gate.submitted
            for _ in 1...5 { harness.skip(.seconds(61)) }
            #expect(harness.gate.submitted == before + 1)
            harness.gate.releaseSubmissions()
            harness.skip(.seconds(1))
            #expect(harness.gate.submitted == before + 1)
            #expect(try await harness.store.shares().map(\.end?.ending) == [.expired])
        }
    }

    /// Counts waits, and is cancelled at the third.
    private final class Waits: Sendable {
        let durations = Mutex<[Duration]>([])

        func wait(_ duration: Duration) throws {
            let count = durations.withLock { durations in
                durations.append(duration)
                return durations.count
            }
            if count == 3 { throw CancellationError() }
        }
    }
}
