import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

@Suite struct HueTests {
    @Test func `the hues of a server begin at 26, and each is the farthest from those before`() {
        var free = FreeHues(of: [nil, nil], around: [])
        let hues = (0..<16).map { free.take(for: user($0)) }
        #expect(hues[..<8] == [26, 206, 116, 296, 71, 161, 251, 339])
        #expect(nearest(hues) == 11)
        #expect(hues.allSatisfy(Hue.given.contains))
    }

    @Test func `on a server of up to sixteen accounts all of them count, and on a larger one those around`() {
        let accounts = [26] + [Int?](repeating: nil, count: 15)
        var small = FreeHues(of: accounts, around: [206])
        #expect(small.take(for: user(1)) == 206)
        var large = FreeHues(of: accounts + [nil], around: [206])
        #expect(large.take(for: user(1)) == 26)
    }

    @Test func `a chosen hue outside of those given counts, too`() {
        var free = FreeHues(of: [359], around: [])
        #expect(free.take(for: user(1)) == 179)
    }

    @Test
    func `a user around whom no account has a hue gets one by the id, and seven others lie 43 degrees apart`()
    {
        let large = [Int?](repeating: 26, count: FreeHues.sample)
        var starts: Set<Int> = []
        for id in 0..<1_000 {
            var free = FreeHues(of: large, around: [])
            let hues = (0..<8).map { free.take(for: user($0 + id)) }
            starts.insert(hues[0])
            #expect(nearest(hues) >= 43, "id \(id)")
        }
        #expect(starts == [26, 71, 116, 161, 206, 251, 296, 339])
    }

    @Test func `on a server of many accounts without hues, pairs of strangers don't all get the same two`() {
        let starts = (0..<8).map { id in
            var free = FreeHues(of: Array(repeating: nil, count: FreeHues.sample), around: [])
            return free.take(for: user(id))
        }
        #expect(Set(starts).count == 8)
    }

    @Test func `where every hue is taken, many users still get many hues`() {
        var free = FreeHues(of: [], around: [])
        let hues = (0..<1_000).map { free.take(for: user($0)) }
        #expect(hues.allSatisfy(Hue.given.contains))
        #expect(Set(hues[..<314]).count == 314 && Set(hues[314...]).count == 314)
    }

    @Test
    func
        `in 1 000 drawn orders of joining, eight people are at least 35 degrees apart in 9 of 10, and never under 20`()
        async throws
    {
        var distances: [Int] = []
        for seed in UInt64(0)..<1_000 {
            var random = SeededGenerator(seed: seed)
            distances.append(nearest(try await joined(8, &random)))
        }
        #expect(distances.count { $0 >= 35 } >= 900)
        #expect(distances.min() ?? 0 >= 20)
    }

    /// The hues of the users of one server, after they became contacts of each other in a drawn order.
    private func joined(_ count: Int, _ random: inout SeededGenerator) async throws -> [Int] {
        let store = MemoryStore()
        let people = (0..<count).map { _ in UserID.random(using: &random) }
        for person in people {
            try await store.createAccount(
                Account(user: User(id: person, name: "N"), created: Timestamp(milliseconds: 0))
            )
        }
        var hues: [Int] = []
        while hues.count < count {
            let pair = people.shuffled(using: &random)[..<2]
            try await store.connect(pair[0], pair[1])
            hues = try await store.users(Set(people)).compactMap(\.hue)
        }
        return hues
    }

    private func nearest(_ hues: [Int]) -> Int {
        let pairs = hues.indices.flatMap { one in (0..<one).map { (hues[one], hues[$0]) } }
        return pairs.map(Hue.distance).min() ?? 360
    }

    private func user(_ number: Int) -> UserID {
        UserID(Int64(number + 1)) ?? .random()
    }
}
