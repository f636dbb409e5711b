import Synchronization

/// Reports for a reader, the newest of them kept until it reads.
///
/// Readers at the same time share the reports. A reader whose task is canceled ends its own stream; what it hasn't read stays for
/// the next stream.
///
/// `SharingClient` has one for refusals and one for questions, `RegionBrowser` one for its updates; each puts reports from
/// its actor, and an app reads the stream. It can't fail: beyond the capacity the oldest report is dropped. That what isn't
/// read stays for the next stream must stay, since a screen that was left comes back (`MailboxTests`).
final class Mailbox<Element: Sendable>: Sendable {
    private struct State {
        var waiting: [Element] = []
        var readers: [Int: CheckedContinuation<Element?, Never>] = [:]
        var lastReader = 0
        var isOver = false
    }

    /// The most reports kept; an older one gives way.
    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// A new stream of what isn't read yet, and of what comes.
    var stream: AsyncStream<Element> {
        AsyncStream { [weak self] in await self?.next() }
    }

    /// Adds a report.
    func put(_ element: Element) {
        let reader = state.withLock { state -> CheckedContinuation<Element?, Never>? in
            if let reader = state.readers.keys.min() { return state.readers.removeValue(forKey: reader) }
            if state.waiting.count == capacity { state.waiting.removeFirst() }
            state.waiting.append(element)
            return nil
        }
        // Not under the lock: a canceled task's handler runs under a lock of the task that resuming takes, too.
        reader?.resume(returning: element)
    }

    /// Ends the streams of now, and those that begin before ``reopen()``, once they have what is waiting.
    func end() {
        let readers = state.withLock { state in
            state.isOver = true
            defer { state.readers = [:] }
            return Array(state.readers.values)
        }
        for reader in readers { reader.resume(returning: nil) }
    }

    /// Reports may come again.
    func reopen() {
        state.withLock { $0.isOver = false }
    }

    private func next() async -> Element? {
        let reader = state.withLock { state in
            state.lastReader += 1
            return state.lastReader
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Element?? in
                    if Task.isCancelled { return .some(nil) }
                    if !state.waiting.isEmpty { return state.waiting.removeFirst() }
                    if state.isOver { return .some(nil) }
                    state.readers[reader] = continuation
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            state.withLock { $0.readers.removeValue(forKey: reader) }?.resume(returning: nil)
        }
    }
}
