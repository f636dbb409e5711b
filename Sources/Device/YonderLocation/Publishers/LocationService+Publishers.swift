public import YonderGeodesy

// The service's operations as publishers, for apps with Combine; on Linux they are OpenCombine's. Each subscription asks
// anew, and canceling it cancels the request or ends the watch. Only `positionPublisher` fails, with the error of
// `position(_:)`. Values may arrive on any thread: an app's view adds `receive(on:)`. Names are public API
// (`make check-api`), behavior is tried by `PublisherTests`; how values are passed is in `TaskPublisher`.
extension LocationServicesChecking {
    /// Whether location services are on, checked anew for each subscription: one value, then the end.
    public var servicesEnabledPublisher: AnyPublisher<Bool, Never> {
        TaskPublisher(isSingle: true) { { await self.areLocationServicesEnabled() } }.eraseToAnyPublisher()
    }
}

extension LocationAuthorizing {
    /// The permission of this program, then every change of it.
    ///
    /// A slow subscriber gets the newest. The publisher never ends.
    public var authorizationPublisher: AnyPublisher<LocationAuthorization, Never> {
        TaskPublisher {
            let updates = self.authorizationUpdates
            return {
                // All iterators of an `AsyncStream` share one buffer.
                var iterator = updates.makeAsyncIterator()
                return await iterator.next(isolation: nil)
            }
        }
        .eraseToAnyPublisher()
    }

    /// Requests permission anew for each subscription; see ``requestAuthorization(_:)``.
    ///
    /// Sends one value, then ends.
    public func authorizationRequestPublisher(
        _ request: AuthorizationRequest
    ) -> AnyPublisher<LocationAuthorization, Never> {
        TaskPublisher(isSingle: true) { { await self.requestAuthorization(request) } }.eraseToAnyPublisher()
    }
}

extension SinglePositioning {
    /// The device's position, requested anew for each subscription; see ``position(_:)``.
    ///
    /// Sends one value and ends, or fails. Canceling the subscription cancels the request.
    public func positionPublisher(
        _ request: PositionRequest = PositionRequest()
    ) -> AnyPublisher<Position, LocationError> {
        TaskPublisher(isSingle: true) {
            { () async throws(LocationError) -> Position? in try await self.position(request) }
        }
        .eraseToAnyPublisher()
    }
}

extension PositionMonitoring {
    /// Positions as they arrive, anew for each subscription; see ``LocationWatch/publisher``.
    public func monitoringPublisher(
        _ configuration: MonitoringConfiguration = MonitoringConfiguration()
    ) -> AnyPublisher<MonitoringEvent, Never> {
        monitor(configuration).publisher
    }
}

extension LocationWatch {
    /// The events of the watch; each subscription is an iteration of its own.
    ///
    /// The iteration begins with the subscription and ends when the subscription is canceled. The publisher
    /// never fails: failures are values. The queue is bounded as for any slow reader: the newest position and
    /// the newest failure.
    public var publisher: AnyPublisher<MonitoringEvent, Never> {
        TaskPublisher {
            let iterator = self.makeAsyncIterator()
            return { await iterator.next(isolation: nil) }
        }
        .eraseToAnyPublisher()
    }
}
