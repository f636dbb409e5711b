import Synchronization
import YonderModel
import YonderWire

/// The refusals that a client's subscriptions are given in place of the server, and what a client makes the server refuse.
final class ModelFaults: Sendable {
    private struct State {
        var planned: [SharingError] = []
        var found: [String] = []
    }

    private let state = Mutex(State())

    /// The mistakes of the client.
    var found: [String] { state.withLock(\.found) }

    /// Has the next subscriptions refused.
    func plan(_ refusals: [SharingError]) {
        state.withLock { $0.planned += refusals }
    }

    /// Has no more subscriptions refused.
    func clear() {
        state.withLock { $0.planned = [] }
    }

    /// The refusal of the next subscription, or `nil`.
    func refusal() -> SharingError? {
        state.withLock { $0.planned.isEmpty ? nil : $0.planned.removeFirst() }
    }

    /// Notes what the server refused.
    func refused(_ refusal: FrameRefusal) {
        guard let id = refusal.id, [.duplicateSubscription, .tooMany].contains(refusal.error.code) else {
            return
        }
        state.withLock { $0.found.append("the server refused subscription \(id): \(refusal.error.code)") }
    }
}
