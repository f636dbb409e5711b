import Synchronization

/// One end of a connection within the process, for tests and for previews of apps.
package final class MemoryLink: StreamLink {
    fileprivate struct State {
        var received: [[UInt8]] = []
        var closure: LinkClosure?
        var waiter: CheckedContinuation<Result<[[UInt8]], LinkClosure>, Never>?
    }

    private let mine: Inbox
    private let theirs: Inbox

    private init(_ mine: Inbox, _ theirs: Inbox) {
        self.mine = mine
        self.theirs = theirs
    }

    /// Returns the two ends of a new connection.
    package static func pair() -> (MemoryLink, MemoryLink) {
        let (one, other) = (Inbox(), Inbox())
        return (MemoryLink(one, other), MemoryLink(other, one))
    }

    package func next() async throws(LinkClosure) -> [[UInt8]] {
        try await mine.next().get()
    }

    package func write(_ text: [UInt8]) {
        theirs.put(text)
    }

    package var isWritable: Bool { true }

    package func close() {
        close(.lost("Closed."))
    }

    /// Closes both ends, with the reason.
    package func close(_ closure: LinkClosure) {
        mine.end(closure)
        theirs.end(closure)
    }

    private final class Inbox: Sendable {
        private let state = Mutex(State())

        func put(_ text: [UInt8]) {
            state.withLock { state in
                guard state.closure == nil else { return }
                state.received.append(text)
                Self.wake(&state)
            }
        }

        func end(_ closure: LinkClosure) {
            state.withLock { state in
                state.closure = state.closure ?? closure
                Self.wake(&state)
            }
        }

        func next() async -> Result<[[UInt8]], LinkClosure> {
            await withTaskCancellationHandler {
                await withCheckedContinuation { waiter in
                    state.withLock { state in
                        state.waiter = waiter
                        Self.wake(&state)
                    }
                }
            } onCancel: {
                end(.lost("Cancelled."))
            }
        }

        private static func wake(_ state: inout State) {
            guard let waiter = state.waiter else { return }
            if !state.received.isEmpty {
                let received = state.received
                state.received = []
                state.waiter = nil
                waiter.resume(returning: .success(received))
            } else if let closure = state.closure {
                state.waiter = nil
                waiter.resume(returning: .failure(closure))
            }
        }
    }
}
