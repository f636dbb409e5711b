import Synchronization

/// A source's end of its receiver: passes events on one after another, from whichever threads they come.
///
/// An event that arrives while one is being told, also from within the receiver, is told after it by whoever tells
/// that one. As receivers return at once, no more wait here than threads that tell at the same time.
package final class SourceOutlet: Sendable {
    private struct State {
        var receiver: (@Sendable (LocationSourceEvent) -> Void)?
        var waiting: [LocationSourceEvent] = []
        var isTelling = false
    }

    private let state = Mutex(State())

    package init() {}

    /// Sets who is told.
    package func setReceiver(_ receiver: @escaping @Sendable (LocationSourceEvent) -> Void) {
        state.withLock { $0.receiver = receiver }
    }

    /// Tells the receiver; what is told before there is one is lost.
    package func send(_ event: LocationSourceEvent) {
        let isFirst = state.withLock { state in
            state.waiting.append(event)
            defer { state.isTelling = true }
            return !state.isTelling
        }
        guard isFirst else { return }
        while let (event, receiver) = next() { receiver?(event) }
    }

    private func next() -> (LocationSourceEvent, (@Sendable (LocationSourceEvent) -> Void)?)? {
        state.withLock { state in
            state.isTelling = !state.waiting.isEmpty
            return state.isTelling ? (state.waiting.removeFirst(), state.receiver) : nil
        }
    }
}
