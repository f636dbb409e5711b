import YonderGeodesy
import YonderLocation

/// Makes a `LocationService` the device of an `IONGLOCManagerWrapper`: passes the wrapper's calls to the service, and the
/// service's positions and failures to the wrapper, its `owner`.
///
/// The wrapper calls it on the main thread alone, and every task that touches its state runs there; each task ends with this
/// object or with the call that replaces it. Nothing throws: a failed position, and a failure while monitoring, call the
/// owner's `deviceFailed()`; a stalled source is no failure. Monitoring that the source ends may be started again. Starting
/// twice watches once; a second single request takes the place of the first.
///
/// A service's timeout is set to a day, because the wrapper's countdown ends requests. `ServiceWrapperTests` holds this
/// behavior; it must be that of `CoreLocationDevice`, as far as an app sees it.
final class ServiceDevice: PositionDevice, @unchecked Sendable {
    // Safe because all mutable state is read and changed on the main thread alone.
    private let service: any LocationService
    private weak var owner: IONGLOCManagerWrapper?
    private var configuration = MonitoringConfiguration(stallInterval: nil)
    private var areServicesEnabled = true
    private var permission: Task<Void, Never>?
    private var check: Task<Void, Never>?
    private var monitoring: (watch: LocationWatch, task: Task<Void, Never>)?
    private var request: Task<Void, Never>?

    init(_ service: any LocationService) {
        self.service = service
    }

    deinit {
        permission?.cancel()
        stopMonitoring()
        giveUp()
    }

    var authorisation: IONGLOCAuthorisation {
        IONGLOCAuthorisation(service.authorization)
    }

    func setOwner(_ owner: IONGLOCManagerWrapper) {
        self.owner = owner
        let updates = service.authorizationUpdates
        permission = Task { @MainActor [weak self] in
            for await authorization in updates {
                self?.changed(IONGLOCAuthorisation(authorization))
            }
        }
        checkServices()
    }

    /// The result of the check before, `true` until the first has ended; each call begins a new check.
    func areLocationServicesEnabled() -> Bool {
        checkServices()
        return areServicesEnabled
    }

    func requestAuthorisation(_ type: IONGLOCAuthorisationRequestType) {
        Task { [service] in
            _ = await service.requestAuthorization(AuthorizationRequest(type))
        }
    }

    func configure(_ configuration: IONGLOCConfigurationModel) {
        self.configuration.isHighAccuracy = configuration.enableHighAccuracy
        if let meters = configuration.minimumUpdateDistanceInMeters {
            self.configuration.minimumDistance = Distance(meters: meters)
        }
        monitoring?.watch.update(self.configuration)
    }

    func startMonitoring() {
        guard monitoring == nil else { return }
        let watch = service.monitor(configuration)
        let task = Task { @MainActor [weak self] in
            // If it was stopped before it began, it needn't start the source.
            guard !Task.isCancelled else { return }
            for await event in watch {
                guard !Task.isCancelled else { return }
                self?.received(event)
            }
            guard !Task.isCancelled else { return }
            // The source has ended; it can be watched again.
            self?.monitoring = nil
        }
        monitoring = (watch, task)
    }

    func stopMonitoring() {
        monitoring?.task.cancel()
        monitoring = nil
    }

    func requestOnce() {
        giveUp()
        // The wrapper's countdown ends the request.
        let single = PositionRequest(isHighAccuracy: configuration.isHighAccuracy, timeout: .seconds(86_400))
        request = Task { @MainActor [weak self, service] in
            let result: Result<Position, LocationError>
            do throws(LocationError) {
                result = .success(try await service.position(single))
            } catch {
                result = .failure(error)
            }
            guard !Task.isCancelled else { return }
            self?.answered(result)
        }
    }

    func giveUp() {
        request?.cancel()
        request = nil
    }

    // MARK: Events of the service

    private func checkServices() {
        guard check == nil else { return }
        check = Task { @MainActor [weak self, service] in
            let areEnabled = await service.areLocationServicesEnabled()
            self?.areServicesEnabled = areEnabled
            self?.check = nil
        }
    }

    private func changed(_ authorisation: IONGLOCAuthorisation) {
        // A subscriber already has the first value from the property.
        guard owner?.authorisationStatus != authorisation else { return }
        owner?.deviceChanged(authorisation)
    }

    private func answered(_ result: Result<Position, LocationError>) {
        request = nil
        switch result {
        case .success(let position): found(position)
        case .failure: owner?.deviceFailed()
        }
    }

    private func received(_ event: MonitoringEvent) {
        switch event {
        case .position(let position): found(position)
        case .failure: owner?.deviceFailed()
        case .stalled: break
        }
    }

    private func found(_ position: Position) {
        owner?.deviceFound { _ in IONGLOCPositionModel(position) }
    }
}
