import Synchronization

/// Reports for a reader, the newest of them kept until it reads.
///
/// Readers at the same time share the reports. A reader whose task is canceled ends its own stream; what it hasn't read stays for
/// the next stream.
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
        state.withLock { state in
            if let reader = state.readers.keys.min() {
                state.readers.removeValue(forKey: reader)?.resume(returning: element)
                return
            }
            if state.waiting.count == capacity { state.waiting.removeFirst() }
            state.waiting.append(element)
        }
    }

    /// Ends the streams of now, and those that begin before ``reopen()``, once they have what is waiting.
    func end() {
        state.withLock { state in
            state.isOver = true
            for reader in state.readers.values { reader.resume(returning: nil) }
            state.readers = [:]
        }
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
                state.withLock { state in
                    guard !Task.isCancelled else { return continuation.resume(returning: nil) }
                    if !state.waiting.isEmpty {
                        return continuation.resume(returning: state.waiting.removeFirst())
                    }
                    if state.isOver { return continuation.resume(returning: nil) }
                    state.readers[reader] = continuation
                }
            }
        } onCancel: {
            state.withLock { $0.readers.removeValue(forKey: reader)?.resume(returning: nil) }
        }
    }
}
