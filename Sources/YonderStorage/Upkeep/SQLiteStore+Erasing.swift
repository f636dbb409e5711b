import Dispatch
import GRDB
import Synchronization
import YonderModel
import YonderSQLite

// The removal of erased content from the files: `Documentation/decisions/0015-erased-is-gone.md`.
extension SQLiteStore {
    /// Call this when content was erased or replaced whose bytes may remain in the files.
    func noteErasure() {
        erasure.withLock { $0.note(at: .now) }
    }

    /// Runs `body` in a transaction that removes content.
    func erase<Value: Sendable>(
        _ body: @escaping @Sendable (Database, ChatWriter) throws -> Value
    ) async throws(SharingError) -> Value {
        defer { noteErasure() }
        return try await write(isErasing: true, body)
    }

    /// Removes leftovers of erased content if a round is due.
    func eraseIfDue() async {
        guard let since = erasure.withLock({ $0.begin(at: .now) }) else { return }
        guard await removeLeftovers() else { return erasure.withLock { $0.fail(since: since) } }
        erasure.withLock { $0.succeed(at: .now) }
    }

    /// Removes all erased content from the files: duplicate rows, the log, and leftovers in pages.
    ///
    /// - Returns: Whether all of it was removed; `false` if a reader holds the log, or the disk fails.
    func removeLeftovers() async -> Bool {
        do throws(SharingError) {
            try await write(isErasing: true) { database, writer in try writer.removeMoved(in: database) }
        } catch {
            return false
        }
        var (place, changed): (Int64?, Int) = (1, 0)
        while let first = place {
            guard let step = await scrub(from: first) else { return false }
            changed += step.changed
            place = step.next
        }
        report(.erased(pages: changed))
        return true
    }

    /// Overwrites leftovers in the next 64 MiB of pages, between two commits.
    private func scrub(from first: Int64) async -> (changed: Int, next: Int64?)? {
        await withCheckedContinuation { continuation in
            file.queue.async { [self] in
                continuation.resume(returning: try? scrubNow(from: first))
            }
        }
    }

    private func scrubNow(from first: Int64) throws -> (changed: Int, next: Int64?) {
        guard prepare(isErasing: true) else { throw SharingError.storeFailed }
        do {
            return try file.scrub(from: first, pages: 16_384)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            throw error
        } catch {
            fail(error)
            throw error
        }
    }
}
