import Synchronization
import Testing
import YonderModel
import YonderRules

@testable import YonderAccounts

@Suite struct PasswordTests {
    private static let low = PasswordCost(exponent: 4)

    @Test func `new hashes cost what is advised today, and all together take 256 MiB at most`() {
        #expect(PasswordHasher().cost == PasswordCost(exponent: 17, parallelism: 1))
        #expect(PasswordCost.full.memory == 128 << 20)
        #expect(PasswordHasher.memoryLimit == 256 << 20)
    }

    @Test func `a password is told from another, whatever cost it was hashed with`() async throws {
        let old = PasswordHasher(cost: PasswordCost(exponent: 3))
        let hash = try await old.hash("correct horse", for: .server)
        #expect(hash.hasPrefix("$scrypt$ln=3,r=8,p=1$"))
        let hasher = PasswordHasher(cost: PasswordCost(exponent: 4, parallelism: 2))
        #expect(
            try await hasher.verify("correct horse", against: hash, for: .stranger("net"))
                == .rightWithOldHash
        )
        #expect(try await hasher.verify("wrong horse", against: hash, for: .stranger("net")) == .wrong)
        #expect(try await hasher.verify("correct horse", against: nil, for: .stranger("net")) == .wrong)
        #expect(try await old.hash("correct horse", for: .server) != hash)
        let new = try await hasher.hash("correct horse", for: .server)
        #expect(new.hasPrefix("$scrypt$ln=4,r=8,p=2$"))
        #expect(try await hasher.verify("correct horse", against: new, for: .stranger("net")) == .right)
        let damaged = [
            "", "$scrypt$ln=99,r=8,p=1$AA$AA", "$scrypt$ln=4,r=8,p=99$AA$AA", "$scrypt$ln=4,r=9,p=1$AA$AA",
            String(hash.dropLast()), hash + "$",
        ]
        for text in damaged {
            #expect(try await hasher.verify("correct horse", against: text, for: .stranger("net")) == .wrong)
        }
    }

    @Test func `a hash made by another implementation of scrypt is read`() async throws {
        // Python: hashlib.scrypt(b"correct horse", salt=bytes(range(16)), n=2**15, r=8, p=1, maxmem=2**26, dklen=32)
        let hash = "$scrypt$ln=15,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$XGYmKKxOsQaKKH4qoqICriSOmNsE1h0zJ-c0LbbscJc"
        let hasher = PasswordHasher(cost: Self.low)
        #expect(
            try await hasher.verify("correct horse", against: hash, for: .stranger("net"))
                == .rightWithOldHash
        )
        #expect(try await hasher.verify("wrong horse", against: hash, for: .stranger("net")) == .wrong)
    }

    @Test(arguments: ["short", "", String(repeating: "x", count: 1_001)])
    func `a password that is too short or too long is refused`(password: String) async throws {
        let count = password.utf8.count
        let error = SharingError(.invalidField, "password must have 8 to 1000 bytes; it has \(count).")
        await #expect(throws: error) {
            try await PasswordHasher(cost: Self.low).hash(password, for: .server)
        }
    }

    @Test func `a wrong password takes as much work for an unknown name, an old hash and a new one`()
        async throws
    {
        let work = Mutex(0)
        let hasher = PasswordHasher(cost: PasswordCost(exponent: 7)) { password, salt, cost in
            work.withLock { $0 += cost.work }
            return PasswordHash.key(password, salt: salt, cost: cost)
        }
        var hashes: [String?] = [nil, "damaged", try await hasher.hash("correct horse", for: .server)]
        for exponent in 1...6 {
            hashes.append(
                try await PasswordHasher(cost: PasswordCost(exponent: exponent)).hash(
                    "correct horse",
                    for: .server
                )
            )
        }
        for hash in hashes {
            work.withLock { $0 = 0 }
            #expect(try await hasher.verify("wrong horse", against: hash, for: .stranger("net")) == .wrong)
            #expect(work.withLock(\.self) == 1 << 7, "\(hash ?? "none")")
        }
    }

    @Test(arguments: [
        (256, 17, 1), (128, 17, 1), (127, 16, 2), (64, 16, 2), (32, 15, 4), (16, 14, 8), (8, 13, 16),
        (1, 13, 16),
    ])
    func `less memory takes as much work`(mebibytes: Int, exponent: Int, parallelism: Int) {
        let cost = PasswordCost(within: mebibytes << 20)
        #expect(cost == PasswordCost(exponent: exponent, parallelism: parallelism))
        #expect(cost.work == PasswordCost.full.work)
    }

    @Test
    func `a hash that needs more memory than the limit isn't computed, and takes as much work as a new one`()
        async throws
    {
        let hash = try await PasswordHasher(cost: PasswordCost(exponent: 8)).hash(
            "correct horse",
            for: .server
        )
        let cost = PasswordCost(exponent: 7)
        let costs = Mutex<[PasswordCost]>([])
        let hasher = PasswordHasher(cost: cost, memoryLimit: cost.memory) { password, salt, cost in
            costs.withLock { $0.append(cost) }
            return PasswordHash.key(password, salt: salt, cost: cost)
        }
        for password in ["correct horse", "wrong horse"] {
            costs.withLock { $0 = [] }
            #expect(try await hasher.verify(password, against: hash, for: .stranger("net")) == .notChecked)
            #expect(costs.withLock(\.self).map(\.work).reduce(0, +) == cost.work)
            #expect(costs.withLock(\.self).allSatisfy { $0.memory <= cost.memory })
        }
        costs.withLock { $0 = [] }
        #expect(try await hasher.verify("correct horse", against: hash, for: .server) == .notChecked)
        #expect(costs.withLock(\.self).isEmpty)
        #expect(hasher.excess(of: hash) == PasswordCost(exponent: 8).memory)
        #expect(hasher.excess(of: try await hasher.hash("correct horse", for: .server)) == nil)
        // A limit that leaves no room for one hash counts as the room for one.
        let least = PasswordHasher(memoryLimit: 1 << 20)
        #expect(least.cost == .least && least.memoryLimit == 8 << 20)
    }

    @Test(arguments: [
        (nil, 256), (24_000, 256), (1_024, 256), (512, 128), (481, 120), (128, 32), (96, 24), (32, 8),
        (16, 8),
    ])
    func `hashes may take a quarter of the memory, from 8 to 256 MiB`(mebibytes: Int?, limit: Int) {
        let found = PasswordHasher.memoryLimit(within: mebibytes.map { $0 << 20 })
        #expect(found >> 20 == limit)
    }

    @Test func `more than a few passwords at once wait, and too many are refused`() async throws {
        let cost = PasswordCost(exponent: 8)
        let hasher = PasswordHasher(cost: cost, memoryLimit: cost.memory, waitingLimit: 2)
        let outcomes = await withTaskGroup(of: SharingError.Code?.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    do throws(SharingError) {
                        _ = try await hasher.hash("correct horse", for: .server)
                        return nil
                    } catch {
                        return error.code
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.contains(nil))
        #expect(outcomes.allSatisfy { $0 == nil || $0 == .tooManyRequests })
        #expect(try await hasher.hash("correct horse", for: .server).isEmpty == false)
    }
}

@Suite struct PasswordQueueTests {
    private static let hash = 128 << 20
    private static let stranger = TurnTaker.stranger("192.0.2.1")

    private func outcome(_ admission: PasswordQueue<Int>.Admission) -> String {
        switch admission {
        case .run: "runs"
        case .wait: "waits"
        case .displace(let other): "waits, not \(other)"
        case .refuse: "refused"
        }
    }

    @Test func `all hashes together stay within the limit, and one that needs more runs alone`() {
        var queue = PasswordQueue<Int>(memoryLimit: 2 * Self.hash, waitingLimit: 9)
        for (ticket, memory, expected) in [
            (1, 1, "runs"), (2, 1, "runs"), (3, 1, "waits"), (4, 4, "waits"), (5, 1, "waits"),
        ] {
            let admission = queue.enter(memory * Self.hash, of: Self.stranger, ticket: ticket)
            #expect(outcome(admission) == expected)
        }
        #expect(queue.leave(Self.hash) == [3])
        #expect(queue.leave(Self.hash) == [])
        #expect(queue.leave(Self.hash) == [4])
        #expect(queue.leave(4 * Self.hash) == [5])
        #expect(queue.leave(Self.hash) == [])
    }

    @Test func `known people and strangers take turns, however many of either wait`() throws {
        let ann = try #require(UserID(1))
        var queue = PasswordQueue<Int>(memoryLimit: Self.hash, waitingLimit: 32)
        #expect(outcome(queue.enter(Self.hash, of: .person(ann), ticket: 0)) == "runs")
        for ticket in 1...32 { _ = queue.enter(Self.hash, of: .person(ann), ticket: ticket) }
        #expect(outcome(queue.enter(Self.hash, of: .person(ann), ticket: 33)) == "refused")
        for ticket in 101...132 { _ = queue.enter(Self.hash, of: Self.stranger, ticket: ticket) }
        #expect((0..<6).flatMap { _ in queue.leave(Self.hash) } == [1, 101, 2, 102, 3, 103])
    }

    @Test func `a person with many hashes neither delays nor keeps out another one`() throws {
        let (ann, ben) = (try #require(UserID(1)), try #require(UserID(2)))
        var queue = PasswordQueue<Int>(memoryLimit: Self.hash, waitingLimit: 4)
        for ticket in 0...4 { _ = queue.enter(Self.hash, of: .person(ann), ticket: ticket) }
        #expect(outcome(queue.enter(Self.hash, of: .person(ben), ticket: 9)) == "waits, not 4")
        #expect((0..<4).flatMap { _ in queue.leave(Self.hash) } == [1, 9, 2, 3])
    }
}
