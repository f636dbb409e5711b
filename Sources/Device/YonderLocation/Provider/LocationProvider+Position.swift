import Synchronization
public import YonderGeodesy

// Single requests, which apps make by `SinglePositioning`. `LocationDesk` decides at once, or gives the request a number and
// a deadline; then the first of answer, deadline and cancellation ends it, and what comes later is ignored. Codes of the
// errors are promised: `timedOut`, `canceled`, `notAuthorized`, `servicesDisabled` and those of the source
// (`PositionRequestTests`, `Documentation/location-apps.md`). Durations are the desk's.
extension LocationProvider {
    /// Returns the device's position; see ``SinglePositioning/position(_:)``.
    ///
    /// While another listener is active, a position that arrived within the last second (``presentAge``) is
    /// returned at once, and an older one up to ``PositionRequest/maximumAge``.
    ///
    /// - Throws: ``LocationError``.
    public func position(_ request: PositionRequest) async throws(LocationError) -> Position {
        guard !Task.isCancelled else { throw .requestCanceled }
        let admission = state.withLock { $0.desk.request(request, at: time.now) }
        switch admission {
        case .answered(let result): return try result.get()
        case .waiting(let id, let deadline):
            command()
            return try await answer(to: id, until: deadline).get()
        }
    }

    private func answer(
        to id: LocationDesk.ListenerID,
        until deadline: Duration
    ) async -> Result<Position, LocationError> {
        await withTaskGroup { group in
            group.addTask { await self.timeOut(id, at: deadline) }
            defer { group.cancelAll() }
            return await withTaskCancellationHandler {
                await self.answer(to: id)
            } onCancel: {
                self.change { desk, _ in desk.cancel(id) }
            }
        }
    }

    private func timeOut(_ id: LocationDesk.ListenerID, at deadline: Duration) async {
        do {
            try await time.sleep(deadline)
            change { desk, _ in desk.timeOut(id) }
        } catch {
            // Already answered or canceled.
        }
    }

    private func answer(to id: LocationDesk.ListenerID) async -> Result<Position, LocationError> {
        await withCheckedContinuation { waiter in
            let result: Result<Position, LocationError>? = state.withLock { state in
                if case .answered(let result) = state.requests.removeValue(forKey: id) { return result }
                state.requests[id] = .waiting(waiter)
                return nil
            }
            if let result { waiter.resume(returning: result) }
        }
    }
}
