import Synchronization

/// The number of open WebSockets, so that one task can wait until all are closed.
///
/// A task for each would need kilobytes for as long as it waits; a WebSocket itself needs no task.
///
/// `ClientConnections` has one and `Heartbeat` counts, on any thread; the server waits when it ends. Each ``opened()``
/// needs one ``closed()``, or the end waits until the process is killed. A second waiter returns at once: there is one
/// server.
///
/// `UpgradeTests` and `DrainTests` wait with it.
final class OpenWebSockets: Sendable {
    private struct State {
        var count = 0
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    init() {}

    func opened() {
        state.withLock { $0.count += 1 }
    }

    func closed() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.count -= 1
            guard state.count == 0 else { return nil }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Waits until none is open; returns at once if another task is already waiting.
    func allClosed() async {
        await withCheckedContinuation { continuation in
            let isWaiting = state.withLock { state in
                guard state.count > 0, state.waiter == nil else { return false }
                state.waiter = continuation
                return true
            }
            if !isWaiting { continuation.resume() }
        }
    }
}
