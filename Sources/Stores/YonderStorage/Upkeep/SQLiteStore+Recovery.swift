import Dispatch
import Synchronization
package import YonderGeodesy
import YonderModel
import YonderSQLite

// The store's reactions to a failing disk.
// `transact`, checkpoints and rounds of erasing call ``SQLiteStore/fail(_:)``; every write calls
// ``SQLiteStore/prepare(isErasing:)`` first. After a failed flush nothing in memory is trusted: the file is reopened and
// flushed before the next write, which must stay (decision 16, `StoreFailureTests`, `test_killed.py`). The half second
// of ``SQLiteStore/maintain(pause:)`` may be changed; the pauses between attempts are `StoreHealth`'s.
extension SQLiteStore {
    /// Records a failed write or flush, on the writer; every write is refused from now on.
    func fail(_ error: any Error) {
        let isFirst = health.withLock { $0.fail(StoreTrouble(error)) }
        reserve.release()
        if isFirst { report(.failed(code: Self.code(of: error))) }
    }

    /// Whether the writer may write content now, or only erase; on the writer.
    ///
    /// A store that failed tries to recover, unless it has just tried.
    func prepare(isErasing: Bool) -> Bool {
        if health.withLock({ $0.attempt(at: .now) }) { recover() }
        return health.withLock { $0.mayWrite(isErasing: isErasing) }
    }

    /// Tries to recover if the store has failed and an attempt is due.
    func recoverIfDue() async {
        guard health.withLock({ $0.state }) != .healthy else { return }
        await withCheckedContinuation { continuation in
            file.queue.async { [self] in
                _ = prepare(isErasing: false)
                continuation.resume()
            }
        }
    }

    /// Why content can't be written, as ``StoreTrouble`` says it; `nil` if it can.
    package func trouble() async -> String? {
        await recoverIfDue()
        let (state, trouble) = health.withLock { ($0.state, $0.trouble) }
        guard state == .healthy else { return trouble.text }
        do throws(SharingError) {
            _ = try await file.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") }
            return nil
        } catch {
            return StoreTrouble.unreadable.text
        }
    }

    private func recover() {
        let before = health.withLock { $0.state }
        do {
            if file.isBroken {
                try file.reopen()
                try resume()
            } else {
                health.withLock { $0.recover(hasReserve: reserve.make()) }
            }
        } catch {
            // The next attempt follows; a failed transaction in `resume` has been recorded.
            return
        }
        switch health.withLock({ $0.state }) {
        case .healthy: report(.recovered)
        case .short where before != .short: report(.short)
        case .short, .failed: break
        }
    }

    private static func code(of error: any Error) -> String {
        guard let error = error as? DatabaseError else { return "\(error)" }
        return "\(error.extendedResultCode.rawValue) \(error.message ?? "")"
    }
}

// The store's background work.
extension SQLiteStore {
    /// Recovers after failures, reads pages that may have leftovers, clears what earlier versions left, and erases content
    /// from the files, until the task is canceled.
    ///
    /// Without it, the store recovers at the next write, and erased content leaves the files only when pages
    /// are rewritten.
    ///
    /// - Parameters:
    ///   - now: The server's time.
    ///   - pause: Waits between two checks; half a second by default.
    package func maintain(
        now: @escaping @Sendable () -> Timestamp,
        pause: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .milliseconds(500)) }
    ) async {
        while (try? await pause()) != nil, !Task.isCancelled {
            await recoverIfDue()
            await scrubIfDue()
            await clearIfDue(at: now())
            await eraseIfDue()
        }
    }
}
