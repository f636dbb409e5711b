/// What the buttons of a screen asked for, performed while its model runs.
///
/// A button's action is a plain function, so what takes time waits here. Chores are performed side by side: a stop doesn't wait
/// behind a start that has no connection.
///
/// `SharingModel`, `WorldModel`, `MessagesModel` and others have one each: buttons add, and `run()` performs, on the main
/// actor. It can't fail; what a chore throws, its model handles. ``limit`` may change. That an equal chore waits once, so
/// that a second tap does nothing, and that what waits outlives a screen, must stay (`ChoresTests`).
@MainActor
final class Chores<Chore: Hashable & Sendable> {
    /// The most chores that wait or are under way; a further one is dropped.
    static var limit: Int { 64 }

    private var waiting: [Chore] = []
    private var underWay = 0

    /// Signals to ``run(_:)`` that there are chores.
    private var signal: AsyncStream<Void>.Continuation?

    /// Adds a chore, unless an equal one waits already.
    func add(_ chore: Chore) {
        guard waiting.count + underWay < Self.limit, !waiting.contains(chore) else { return }
        waiting.append(chore)
        signal?.yield()
    }

    /// Performs chores until the task is canceled; those that wait then are performed by the next run.
    func run(_ perform: @escaping @MainActor (Chore) async -> Void) async {
        // A stream whose reader was canceled has ended, so each run has its own.
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.signal = signal
        signal.yield()
        await withDiscardingTaskGroup { group in
            for await _ in signals {
                let chores = waiting
                waiting = []
                underWay += chores.count
                for chore in chores {
                    group.addTask { await self.finish(chore, perform) }
                }
            }
            group.cancelAll()
        }
    }

    private func finish(_ chore: Chore, _ perform: @MainActor (Chore) async -> Void) async {
        await perform(chore)
        underWay -= 1
    }
}
