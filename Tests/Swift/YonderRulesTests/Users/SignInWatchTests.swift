import Synchronization
import Testing
import YonderRules
import YonderModel

struct SignInWatchTests {
    private final class Record: Sendable {
        let pages = Mutex<[Int]>([])
        let ended = Mutex<Set<SecretHash>>([])
        let renewed = Mutex<[SecretHash: Set<Int64>]>([:])
    }

    private static func hash(_ number: Int) throws -> SecretHash {
        try #require(SecretHash((0..<32).map { UInt8(truncatingIfNeeded: number >> ($0 % 4 * 8)) }))
    }

    @Test
    func `sessions whose credential is gone end, those of a changed account connect again, the others stay`()
        async throws
    {
        let all = try (0..<2_500).map(Self.hash)
        let removed = Set([all[0], all[1_200], all[2_499]])
        let record = Record()
        let watch = SignInWatch(
            open: { Dictionary(uniqueKeysWithValues: all.map { ($0, $0 == all[9] ? [2, 3] : [3]) }) },
            good: { page throws(SharingError) in
                record.pages.withLock { $0.append(page.count) }
                let good = page.filter { !removed.contains($0) }
                let versions = good.map { secret in
                    (secret, secret == all[7] ? Int64(4) : secret == all[1_500] ? 2 : 3)
                }
                return Dictionary(uniqueKeysWithValues: versions)
            },
            end: { credentials in record.ended.withLock { $0.formUnion(credentials) } },
            renew: { known in record.renewed.withLock { $0.merge(known) { one, _ in one } } }
        )
        _ = try await watch.look()
        #expect(record.ended.withLock(\.self) == removed)
        #expect(record.renewed.withLock(\.self) == [all[7]: [3], all[1_500]: [3], all[9]: [2]])
        #expect(record.pages.withLock(\.self) == [1_000, 1_000, 500])
    }

    @Test func `a look without sessions asks the store all the same`() async throws {
        let watch = SignInWatch(
            open: { [:] },
            good: { _ throws(SharingError) in throw SharingError(.unavailable, "away") },
            end: { _ in },
            renew: { _ in }
        )
        await #expect(throws: SharingError.self) { _ = try await watch.look() }
    }

    @Test func `without an answer of the store no session ends`() async throws {
        let one = try Self.hash(1)
        let record = Record()
        let watch = SignInWatch(
            open: { [one: [3]] },
            good: { _ throws(SharingError) in throw SharingError(.unavailable, "away") },
            end: { credentials in record.ended.withLock { $0.formUnion(credentials) } },
            renew: { known in record.renewed.withLock { $0.merge(known) { one, _ in one } } }
        )
        await #expect(throws: SharingError.self) { _ = try await watch.look() }
        #expect(record.ended.withLock(\.self).isEmpty && record.renewed.withLock(\.self).isEmpty)
    }
}
