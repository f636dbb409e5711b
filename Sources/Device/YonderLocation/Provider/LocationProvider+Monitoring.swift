import Synchronization

// Watching, for `LocationWatch`: each iteration opens a listener at the desk and asks it for events. `LocationDesk` decides
// what the reader gets, and when the source starts and stops; this file waits. Nothing throws. A task that is canceled, or an
// iterator that is released, closes its listener, also while it waits; closing twice does nothing. That the source stops
// after the last listener must stay (`WatchPowerTests`, `SourceConformanceTests`).
extension LocationProvider {
    /// Returns a watch, which starts with an iteration and stops when the iteration ends; see
    /// ``LocationWatch``.
    ///
    /// If another listener is active, the watch begins with a position that arrived within the last second
    /// (``presentAge``), if there is one. If permission is denied it begins with that failure, and delivers
    /// positions once permission is granted.
    public func monitor(_ configuration: MonitoringConfiguration) -> LocationWatch {
        LocationWatch(configuration) { configuration in
            let id = self.state.withLock { $0.desk.watch(configuration, at: self.time.now) }
            self.command()
            return LocationWatch.Listener(
                next: { await self.next(for: id) },
                update: { configuration in self.change { desk, _ in desk.update(id, configuration) } },
                end: { self.close(id) }
            )
        }
    }

    private func close(_ id: LocationDesk.ListenerID) {
        change { desk, _ in desk.close(id) }
    }

    private func next(for id: LocationDesk.ListenerID) async -> MonitoringEvent? {
        while !Task.isCancelled {
            switch state.withLock({ $0.desk.take(id, at: time.elapsed()) }) {
            case .event(let event): return event
            case .ended: return nil
            case .wait(let deadline): await news(for: id, until: deadline)
            }
        }
        close(id)
        return nil
    }

    /// Waits until a watch has an event, or until it is time to check whether it stalls.
    private func news(for id: LocationDesk.ListenerID, until deadline: Duration?) async {
        await withTaskCancellationHandler {
            guard let deadline else { return await news(for: id) }
            await withTaskGroup { group in
                group.addTask {
                    try? await self.time.sleep(deadline)
                    self.change { _, _ in [.wake(id)] }
                }
                await self.news(for: id)
                group.cancelAll()
            }
        } onCancel: {
            self.close(id)
        }
    }

    private func news(for id: LocationDesk.ListenerID) async {
        await withCheckedContinuation { waiter in
            let hasNews = state.withLock { state in
                guard !state.desk.hasNews(id, at: time.elapsed()) else { return true }
                state.watchers[id, default: []].append(waiter)
                return false
            }
            if hasNews { waiter.resume() }
        }
    }
}
