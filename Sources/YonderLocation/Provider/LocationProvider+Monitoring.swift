import Synchronization

extension LocationProvider {
    /// A watch, which starts when it is iterated over and stops when that ends; see ``LocationWatch``.
    ///
    /// If somebody listens already, it begins with the position that came within the last second
    /// (``presentAge``), if one did. Where permission is denied it begins with that failure, and gets positions once
    /// it is granted.
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

    /// Waits until a watch has news or it is time to look whether it stalls.
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
