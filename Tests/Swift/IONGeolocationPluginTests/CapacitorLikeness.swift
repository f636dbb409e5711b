import Dispatch
import IONGeolocationLib

/// A call of a page's script: a promise, which has one answer, or a callback, which may have many.
final class CapacitorCall {
    let options: [String: Any]
    var keepAlive = false
    private(set) var resolved: [[String: Double]] = []
    private(set) var rejected: [PluginError] = []

    init(_ options: [String: Any] = [:]) {
        self.options = options
    }

    func resolve(_ position: [String: Double]) { resolved.append(position) }
    func reject(_ error: PluginError) { rejected.append(error) }
}

/// Like a Capacitor plug-in over the library: calls wait for the permission, and the publishers' values go to every call.
final class CapacitorLikeness {
    private let location: IONGLOCService
    private var subscriptions = Set<AnyCancellable>()
    private var positions: AnyCancellable?
    private var singles: [CapacitorCall] = []
    private var watches: [String: CapacitorCall] = [:]
    private var waiting: [() -> Void] = []

    init(_ location: IONGLOCService) {
        self.location = location
        location.authorisationStatusPublisher
            .sink { [weak self] status in self?.permissionChanged(PluginPermission(status)) }
            .store(in: &subscriptions)
        location.locationTimeoutPublisher
            .sink { [weak self] error in self?.reject(PluginError(error)) }
            .store(in: &subscriptions)
        follow()
    }

    func getCurrentPosition(_ call: CapacitorCall) {
        perform(call) { [self] in
            singles.append(call)
            location.requestSingleLocation(options: options(of: call))
        }
    }

    func watchPosition(_ call: CapacitorCall, id: String) {
        call.keepAlive = true
        perform(call) { [self] in
            watches[id] = call
            location.startMonitoringLocation(options: options(of: call))
        }
    }

    func clearWatch(id: String) {
        watches[id] = nil
        if watches.isEmpty { location.stopMonitoringLocation() }
    }

    private func options(of call: CapacitorCall) -> IONGLOCRequestOptionsModel {
        IONGLOCRequestOptionsModel(timeout: call.options["timeout"] as? Int)
    }

    private func perform(_ call: CapacitorCall, _ action: @escaping () -> Void) {
        guard location.areLocationServicesEnabled() else { return call.reject(.servicesDisabled) }
        let isAccurate = call.options["enableHighAccuracy"] as? Bool ?? false
        location.updateConfiguration(IONGLOCConfigurationModel(enableHighAccuracy: isAccurate))
        switch PluginPermission(location.authorisationStatus) {
        case .granted: action()
        case .refused(let error): call.reject(error)
        case .prompt:
            waiting.append { [weak self] in self?.perform(call, action) }
            location.requestAuthorisation(withType: .whenInUse)
        }
    }

    private func permissionChanged(_ permission: PluginPermission) {
        if case .prompt = permission { return }
        let known = waiting
        waiting = []
        // The property has its new value once the publisher has sent it.
        DispatchQueue.main.async { for action in known { action() } }
    }

    /// The publisher ends at its first failure, so a new subscription follows.
    private func follow() {
        positions = location.currentLocationPublisher.sink { [weak self] completion in
            guard case .failure(let error) = completion, let self else { return }
            self.reject(PluginError(error))
            self.follow()
        } receiveValue: { [weak self] position in
            self?.resolve(position)
        }
    }

    private func resolve(_ position: IONGLOCPositionModel) {
        var coordinates = [
            "latitude": position.latitude, "longitude": position.longitude,
            "accuracy": position.horizontalAccuracy, "timestamp": position.timestamp,
        ]
        if position.verticalAccuracy > 0 { coordinates["altitude"] = position.altitude }
        if let heading = position.trueHeading ?? position.magneticHeading { coordinates["heading"] = heading }
        let answered = singles
        singles = []
        for call in answered { call.resolve(coordinates) }
        for call in watches.values { call.resolve(coordinates) }
    }

    private func reject(_ error: PluginError) {
        let ended = singles + watches.values
        (singles, watches) = ([], [:])
        for call in ended { call.reject(error) }
    }
}
