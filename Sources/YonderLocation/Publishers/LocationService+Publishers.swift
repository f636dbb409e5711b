public import YonderGeodesy

extension LocationServicesChecking {
    /// Whether location services are on, asked anew for each subscription: one value, then the end.
    public var servicesEnabledPublisher: AnyPublisher<Bool, Never> {
        TaskPublisher(isSingle: true) { { await self.areLocationServicesEnabled() } }.eraseToAnyPublisher()
    }
}

extension LocationAuthorizing {
    /// What this program may do now, then every change of it.
    ///
    /// A slow subscriber gets the newest. It never ends.
    public var authorizationPublisher: AnyPublisher<LocationAuthorization, Never> {
        TaskPublisher {
            let updates = self.authorizationUpdates
            return {
                // All iterators of an `AsyncStream` take from one buffer.
                var iterator = updates.makeAsyncIterator()
                return await iterator.next(isolation: nil)
            }
        }
        .eraseToAnyPublisher()
    }

    /// Asks for permission anew for each subscription; see ``requestAuthorization(_:)``.
    ///
    /// One value, then the end.
    public func authorizationRequestPublisher(
        _ request: AuthorizationRequest
    ) -> AnyPublisher<LocationAuthorization, Never> {
        TaskPublisher(isSingle: true) { { await self.requestAuthorization(request) } }.eraseToAnyPublisher()
    }
}

extension SinglePositioning {
    /// Where the device is, asked anew for each subscription; see ``position(_:)``.
    ///
    /// One value and the end, or a failure. Canceling the subscription cancels the request.
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
    /// Positions as they come, for each subscription anew; see ``LocationWatch/publisher``.
    public func monitoringPublisher(
        _ configuration: MonitoringConfiguration = MonitoringConfiguration()
    ) -> AnyPublisher<MonitoringEvent, Never> {
        monitor(configuration).publisher
    }
}

extension LocationWatch {
    /// What the watch tells, to each subscription as to an iteration of its own.
    ///
    /// It begins with the subscription and is over when that is canceled. It never fails: failures are values. What
    /// the subscriber hasn't asked for is bounded like any slow reader's: the newest position and the newest failure.
    public var publisher: AnyPublisher<MonitoringEvent, Never> {
        TaskPublisher {
            let iterator = self.makeAsyncIterator()
            return { await iterator.next(isolation: nil) }
        }
        .eraseToAnyPublisher()
    }
}
