#if Postgres
import Synchronization
import YonderModel

@testable import YonderLibPQ
@testable import YonderPostgreSQL

/// Does several things at once.
///
/// - Returns: The codes of the refusals, `nil` for what was done; those first.
func race(_ work: [@Sendable () async throws -> Void]) async -> [SharingError.Code?] {
    let ends = await withTaskGroup(of: SharingError.Code?.self) { group in
        for each in work {
            group.addTask {
                do {
                    try await each()
                    return nil
                } catch {
                    return (error as? SharingError)?.code ?? .internalError
                }
            }
        }
        var ends: [SharingError.Code?] = []
        for await end in group { ends.append(end) }
        return ends
    }
    return ends.filter { $0 == nil } + ends.filter { $0 != nil }
}

/// Runs `work` several times at once; each run gets its number, from 0.
///
/// - Returns: As above.
func race(times: Int, _ work: @escaping @Sendable (Int) async throws -> Void) async -> [SharingError.Code?] {
    var all: [@Sendable () async throws -> Void] = []
    for time in 0..<times { all.append({ try await work(time) }) }
    return await race(all)
}

/// Does the same at once in two stores.
func race(
    _ one: PostgreSQLStore,
    _ other: PostgreSQLStore,
    _ work: @escaping @Sendable (PostgreSQLStore) async throws -> Void
) async -> [SharingError.Code?] {
    await race([{ try await work(one) }, { try await work(other) }])
}

/// A counter that any thread may raise.
final class Counter: Sendable {
    private let count = Mutex(0)

    /// The last number given, 0 before the first.
    var last: Int { count.withLock(\.self) }

    /// The next number, from 1.
    @discardableResult
    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
#endif
