#if Postgres
import TestSupport
import Testing
import YonderRules
import YonderGeodesy
import YonderModel
import YonderTables

@testable import YonderLibPQ
@testable import YonderPostgreSQL

/// The limits that the servers of one database count together.
@Suite(.serialized, .enabled(if: TestDatabase.isInstalled, "PostgreSQL isn't installed"))
struct SharedLimitTests {
    private static var disabling: AccountChange {
        var change = AccountChange()
        change.isDisabled = true
        return change
    }

    private let slow = RateLimit(burst: 3, interval: .seconds(3_600))

    /// Passes two servers' ledgers to `body`: of one memory, or of one database.
    private func withLedgers(
        _ isMemory: Bool,
        _ body: (any AttemptLedger, any AttemptLedger) async throws -> Void
    ) async throws {
        guard !isMemory else {
            let memory = AttemptMemory()
            return try await body(memory, memory)
        }
        try await TestDatabase.withTwoStores { try await body($0, $1) }
    }

    @Test(arguments: [true, false])
    func `attempts on any server use up one limit, and a success gives them back`(isMemory: Bool) async throws
    {
        try await withLedgers(isMemory) {
            (one: any AttemptLedger, other: any AttemptLedger) async throws -> Void in
            let units = [AttemptUnit("account ada", limit: slow)]
            #expect(try await one.take(units) == nil)
            #expect(try await other.take(units) == nil)
            #expect(try await one.take(units) == nil)
            let wait = try #require(try await other.take(units))
            #expect(wait > .seconds(3_000) && wait <= .seconds(3_600))
            await other.giveBack(units)
            #expect(try await one.take(units) == nil)
            #expect(try await one.take(units) != nil)
            #expect(try await one.take([AttemptUnit("account bob", limit: slow)]) == nil)
        }
    }

    @Test(arguments: [true, false])
    func `an attempt that one limit refuses uses nothing of another`(isMemory: Bool) async throws {
        try await withLedgers(isMemory) {
            (one: any AttemptLedger, other: any AttemptLedger) async throws -> Void in
            let (ada, address) = (
                AttemptUnit("account ada", limit: slow), AttemptUnit("address a", limit: slow)
            )
            for _ in 0..<3 { #expect(try await one.take([ada]) == nil) }
            for _ in 0..<5 { #expect(try await other.take([ada, address]) != nil) }
            for _ in 0..<3 { #expect(try await one.take([address]) == nil) }
            #expect(try await one.take([address]) != nil)
        }
    }

    @Test func `of attempts at once on two servers as many pass as the limit has`() async throws {
        try await TestDatabase.withTwoStores { one, other in
            let limit = RateLimit(burst: 10, interval: .seconds(3_600))
            let units = ["b", "a"].map { AttemptUnit($0, limit: limit) }
            let passed = try await withThrowingTaskGroup { group in
                for number in 0..<60 {
                    let store = number % 2 == 0 ? one : other
                    let order = number % 3 == 0 ? units : units.reversed()
                    group.addTask { try await store.take(order) == nil }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(passed == 10)
        }
    }

    @Test func `full limits and old nonces leave the tables`() async throws {
        try await TestDatabase.with { database in
            try await database.withStore { store in
                let quick = RateLimit(burst: 3, interval: .milliseconds(1))
                #expect(try await store.take([AttemptUnit("a", limit: quick)]) == nil)
                #expect(try await store.take([AttemptUnit("b", limit: slow)]) == nil)
                let now = try await store.clockSample().time
                #expect(try await store.useNonce([1], until: now + .seconds(-700)))
                #expect(try await store.useNonce([2], until: now + .seconds(-500)))
                repeat {
                    try await store.trimLimits()
                } while try await database.run("SELECT count(*) FROM attempt") != ["1"]
                #expect(try await database.run("SELECT encode(mark, 'hex') FROM nonce") == ["02"])
            }
        }
    }

    @Test func `a nonce that one server took is used on every other`() async throws {
        try await TestDatabase.withTwoStores { one, other in
            let end = try await one.clockSample().time + .seconds(300)
            #expect(try await one.useNonce([1, 2, 3], until: end))
            #expect(try await !other.useNonce([1, 2, 3], until: end))
            #expect(try await other.useNonce([1, 2, 4], until: end))
            #expect(try await !one.useNonce([1, 2, 4], until: end))
        }
    }

    @Test func `the tables outlast a crash of the database`() async throws {
        try await TestDatabase.with { database in
            let kinds = try await database.run(
                "SELECT DISTINCT relpersistence::text FROM pg_class WHERE relname IN ('nonce', 'attempt', 'pace')"
            )
            #expect(kinds == ["p"])
        }
    }

    @Test func `two servers together take turns in the pace of one`() async throws {
        try await TestDatabase.withTwoStores { one, other in
            let (hour, day) = (Duration.seconds(3_600), Duration.seconds(86_400))
            #expect(try await one.takeTurn("g", every: hour, patience: day) == .zero)
            let second = try #require(try await other.takeTurn("g", every: hour, patience: day))
            let third = try #require(try await one.takeTurn("g", every: hour, patience: day))
            #expect(second > .seconds(3_000) && second <= hour)
            #expect(third > .seconds(6_600) && third <= hour * 2)
            #expect(try await other.takeTurn("g", every: hour, patience: hour) == nil)
            #expect(try await other.takeTurn("h", every: hour, patience: hour) == .zero)
        }
    }

    @Test func `a credential is gone when it is removed, or its user is disabled`() async throws {
        try await TestDatabase.withTwoStores { one, other in
            let now = try await one.clockSample().time
            var hashes: [SecretHash] = []
            for index in 1...Int64(3) {
                let user = User(id: try #require(UserID(index)), name: "Person \(index)")
                try await one.createAccount(Account(user: user, isOperator: index == 1, created: now))
                let hash = try #require(SecretHash([UInt8](repeating: UInt8(index), count: 32)))
                let token = Credential(
                    secret: hash,
                    kind: .token,
                    user: user.id,
                    label: "",
                    created: now,
                    expires: nil
                )
                try await one.createCredential(token)
                hashes.append(hash)
            }
            #expect(try await other.versions(of: hashes) == [hashes[0]: 0, hashes[1]: 0, hashes[2]: 0])
            try await one.removeCredential(hashes[1], of: try #require(UserID(2)))
            #expect(try await other.versions(of: hashes) == [hashes[0]: 0, hashes[2]: 0])
            let unknown = try #require(SecretHash([UInt8](repeating: 9, count: 32)))
            #expect(try await other.versions(of: [unknown]).isEmpty)
            try await one.setPassword(try #require(UserID(1)), hash: "hash")
            _ = try await one.change(try #require(UserID(3)), Self.disabling)
            #expect(try await other.versions(of: [hashes[0], hashes[2]]) == [hashes[0]: 1])
        }
    }

    @Test func `the database's time is measured with its round trip`() async throws {
        try await TestDatabase.withStore { store in
            let sample = try await store.clockSample()
            #expect(sample.sent <= sample.received)
            let clock = try #require(SharedClock([sample], at: sample.received))
            #expect(clock.state(at: sample.received).uncertainty == sample.roundTrip / 2)
        }
    }
}
#endif
