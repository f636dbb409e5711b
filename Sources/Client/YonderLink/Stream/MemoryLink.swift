import Synchronization

/// One end of a connection within the process, for tests and for previews of apps.
///
/// A fake server of tests has one end, and the client the other, which it gets from `Links`. A write after the close is lost,
/// as on a network; reading throws the reason after the frames before it. Nothing is bounded and nothing takes time.
/// `ConnectionLoopTests` and the fake servers depend on that order. A second reader isn't supported.
///
/// A bound, or a delay, may be added for tests that need one; both ends must stay alike.
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
            change { state in
                if state.closure == nil { state.received.append(text) }
            }
        }

        func end(_ closure: LinkClosure) {
            change { $0.closure = $0.closure ?? closure }
        }

        func next() async -> Result<[[UInt8]], LinkClosure> {
            await withTaskCancellationHandler {
                await withCheckedContinuation { waiter in
                    change { $0.waiter = waiter }
                }
            } onCancel: {
                end(.lost("Cancelled."))
            }
        }

        /// Changes the state, and resumes the waiter if there is an answer.
        ///
        /// Not under the lock: a canceled task's handler runs under a lock of the task that resuming takes, too.
        private func change(_ body: (inout State) -> Void) {
            let due = state.withLock { state in
                body(&state)
                return Self.answer(&state)
            }
            if let (waiter, answer) = due { waiter.resume(returning: answer) }
        }

        private static func answer(_ state: inout State) -> (
            CheckedContinuation<Result<[[UInt8]], LinkClosure>, Never>, Result<[[UInt8]], LinkClosure>
        )? {
            guard let waiter = state.waiter, !state.received.isEmpty || state.closure != nil else {
                return nil
            }
            defer { (state.waiter, state.received) = (nil, []) }
            guard state.received.isEmpty, let closure = state.closure else {
                return (waiter, .success(state.received))
            }
            return (waiter, .failure(closure))
        }
    }
}
