import Synchronization

/// Whether the client of an HTTP connection is still connected, for a request that takes long.
///
/// Hummingbird doesn't notify a waiting handler. Its own method to find out ends the connection with the
/// response; this one keeps the connection for the next request.
///
/// `ClientConnections` makes one for a connection; endpoints that read for long run their work under ``whileThere(_:)``,
/// polls of Engine.IO wait under ``watching(_:onEnd:)``. Work that is canceled ends with its own error, which nobody
/// receives. Outside of a connection, as on the control socket, the client counts as there. That `onEnd` is called at
/// most once must stay (`ClientPresenceTests`).
package final class ClientPresence: Sendable {
    private struct State {
        var isOver = false
        var nextWatcher = 0
        var watchers: [Int: @Sendable () -> Void] = [:]
    }

    /// The presence of the client whose request is being answered; `nil` outside of a connection.
    @TaskLocal package static var current: ClientPresence?

    private let state = Mutex(State())

    init() {}

    /// Runs `body`, and calls `onEnd` if the client closes its end meanwhile.
    package func watching<Result>(
        onEnd: @escaping @Sendable () -> Void,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        let watcher = add(onEnd)
        defer { remove(watcher) }
        return try await body()
    }

    /// Runs `body`, and cancels it if the client closes its end meanwhile: for long work that only this
    /// client needs.
    package static func whileThere<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard let current else { return try await body() }
        // A separate task, because the callback needs a reference to the work that it cancels.
        let task = Task { () async -> Result<Value, Failure> in
            do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
        }
        let result = await withTaskCancellationHandler {
            await current.watching(onEnd: { task.cancel() }) { await task.value }
        } onCancel: {
            task.cancel()
        }
        return try result.get()
    }

    /// Call this when the client has closed its end.
    func end() {
        let watchers = state.withLock { state in
            state.isOver = true
            defer { state.watchers.removeAll() }
            return Array(state.watchers.values)
        }
        for watcher in watchers { watcher() }
    }

    private func add(_ onEnd: @escaping @Sendable () -> Void) -> Int {
        let (watcher, isOver) = state.withLock { state in
            state.nextWatcher += 1
            if !state.isOver { state.watchers[state.nextWatcher] = onEnd }
            return (state.nextWatcher, state.isOver)
        }
        if isOver { onEnd() }
        return watcher
    }

    private func remove(_ watcher: Int) {
        state.withLock { state in state.watchers[watcher] = nil }
    }
}
