import Synchronization
package import YonderGeodesy
import YonderModel
package import YonderRules

/// The inboxes of the event loops that watch the index.
///
/// `ObjectFeed` of each event loop calls it, under the index's lock. Nothing fails. `visit` must hold the lock while
/// frames are written, so that positions and events are of one moment, and must therefore be short: other loops and
/// changes wait. An inbox must be removed with the numbers that it still holds, or they are never reused
/// (`ObjectFeedTests`; decision 10).
extension ObjectIndex {
    /// Adds an inbox for an event loop.
    ///
    /// - Parameter wake: Called, on any thread, when the inbox has events again.
    /// - Returns: The inbox's number.
    package func addInbox(wake: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            defer { state.nextInbox += 1 }
            state.inboxes.append(IndexInbox(number: state.nextInbox, wake: wake))
            return state.nextInbox
        }
    }

    /// Returns the events in an inbox, in order, and empties the inbox.
    package func takeEvents(from inbox: Int) -> [IndexEvent] {
        state.withLock { $0.takeEvents(from: inbox) }
    }

    /// Empties an inbox, and calls `body` under the lock with the positions, the events of the inbox, which
    /// the positions already include, and the objects by number.
    ///
    /// Keep `body` short: no other thread can read or change the index meanwhile. `body` must not keep the
    /// objects: a copy makes the next change of the index copy what both share.
    package func visit(_ inbox: Int, _ body: (borrowing PointIndex, [IndexEvent], ObjectRoll) -> Void) {
        state.withLock { state in
            let events = state.takeEvents(from: inbox)
            body(state.points, events, state.roll)
        }
    }

    /// Call this when an event loop no longer refers to removed objects with these numbers.
    package func acknowledge(_ numbers: [PointIndex.ID]) {
        state.withLock { state in
            for number in numbers { state.roll.acknowledge(number) }
        }
    }

    /// Removes an inbox.
    ///
    /// Acknowledges the numbers in `departed`, and those of the removals that are still in the inbox.
    package func removeInbox(_ inbox: Int, acknowledging departed: [PointIndex.ID]) {
        state.withLock { state in
            for number in departed { state.roll.acknowledge(number) }
            for case .removed(let number, _) in state.takeEvents(from: inbox) {
                state.roll.acknowledge(number)
            }
            state.inboxes.removeAll { $0.number == inbox }
        }
    }
}

extension ObjectIndex.State {
    fileprivate mutating func takeEvents(from inbox: Int) -> [IndexEvent] {
        guard let index = inboxes.firstIndex(where: { $0.number == inbox }) else { return [] }
        return inboxes[index].take()
    }
}
