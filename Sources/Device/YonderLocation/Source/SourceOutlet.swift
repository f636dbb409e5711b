import Synchronization

/// Sends a source's events to its receiver one after another, from any number of threads.
///
/// An event sent while another is being delivered, also from within the receiver, is delivered after it, on
/// the same thread. As receivers return at once, the queue holds no more events than there are threads
/// sending.
///
/// `CoreLocationSource`, `TrackSource` and `MemorySource` have one each, and send all events by it; the provider sets the
/// receiver once. It can't fail. That events come one after another and in order, also from several threads and from within
/// the receiver, is what `LocationSource` promises (`SourceOutletTests`). The receiver isn't called under the lock, which
/// must stay: it may call the source.
package final class SourceOutlet: Sendable {
    private struct State {
        var receiver: (@Sendable (LocationSourceEvent) -> Void)?
        var waiting: [LocationSourceEvent] = []
        var isTelling = false
    }

    private let state = Mutex(State())

    package init() {}

    /// Sets the receiver of events.
    package func setReceiver(_ receiver: @escaping @Sendable (LocationSourceEvent) -> Void) {
        state.withLock { $0.receiver = receiver }
    }

    /// Sends an event; an event sent before there is a receiver is dropped.
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
