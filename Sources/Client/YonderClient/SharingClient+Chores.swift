import Logging
import YonderModel

// What the client does later, or beside the connection, while it runs. `SharingClient` runs ``work(_:)`` in its `run()`, and
// adds chores from its actions; each has a task of its own, so a pause holds nothing up. Nothing throws: a message that the
// outbox can't remove is logged, and sent again by a later process under its key. What waits when the client ends is dropped,
// as its values begin anew (`SharingClientTests`). A further delayed action is a case here.
extension SharingClient {
    /// A task to perform later, while the client runs.
    enum Chore: Sendable {
        case resumeSending(Outgoing.Pause, after: Duration)
        case resumeStop(Stops<Waiter>.Pause, after: Duration)
        case resubscribe(Subscriptions.Wait, after: Duration)
        case forget(OutgoingKey)
        case restPin
        case keepStops
    }

    /// Has a chore done while the client runs.
    ///
    /// - Returns: `false` if it doesn't run.
    @discardableResult
    func later(_ chore: Chore) -> Bool {
        chores?.yield(chore) != nil
    }

    /// Performs chores until the task is canceled.
    func work(_ chores: AsyncStream<Chore>) async {
        await withDiscardingTaskGroup { group in
            for await chore in chores {
                group.addTask { await self.perform(chore) }
            }
        }
    }

    private func perform(_ chore: Chore) async {
        switch chore {
        case .resumeSending(let pause, let wait):
            try? await clock.sleep(for: wait)
            perform(requests.resume(pause))
        case .resumeStop(let pause, let wait):
            try? await clock.sleep(for: wait)
            perform(stops.resume(pause))
        case .resubscribe(let wait, let time):
            try? await clock.sleep(for: time)
            write(subscriptions.resubscribe(wait))
        case .restPin:
            try? await clock.sleep(for: OwnPin.interval)
            perform(pin.rested(isWritable: isWritable))
        case .forget(let id): await forget(id)
        case .keepStops: await keepStops()
        }
    }

    private func forget(_ id: OutgoingKey) async {
        guard let chat = id.chat else { return }
        do throws(SharingError) {
            try await outbox.remove(key: id.key, from: chat)
        } catch {
            // After a restart it is sent again, and the server returns the same number.
            logger.warning(
                "The outbox keeps a message that was sent.",
                metadata: ["error": "\(error.message)"]
            )
        }
    }
}
