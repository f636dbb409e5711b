import Foundation
import IONGeolocationLib

/// Like a Cordova plug-in over the library: a command has an id, and each result is JSON for that id.
final class CordovaLikeness {
    /// A result for a callback of the page's script.
    struct Result: Equatable {
        var callback: String
        var json: String
        var isError = false
        var isKept = false
    }

    private(set) var results: [Result] = []
    private let location: IONGLOCService
    private var subscriptions = Set<AnyCancellable>()
    private var singles: [String] = []
    private var watches: [String: String] = [:]
    private var isAsking = false

    init(_ location: IONGLOCService) {
        self.location = location
        location.authorisationStatusPublisher.dropFirst()
            .sink { [weak self] status in self?.permissionChanged(PluginPermission(status)) }
            .store(in: &subscriptions)
        for outcomes in [locations(of: location), timeouts(of: location)] {
            outcomes.sink { [weak self] outcome in self?.receive(outcome) }.store(in: &subscriptions)
        }
    }

    func getCurrentPosition(callback: String) {
        guard mayLocate(callback) else { return }
        singles.append(callback)
        begin()
    }

    func watchPosition(callback: String, id: String) {
        guard mayLocate(callback) else { return }
        watches[id] = callback
        begin()
    }

    func clearWatch(callback: String, id: String?) {
        guard let id, watches.removeValue(forKey: id) != nil else {
            return fail(callback, .invalidArguments)
        }
        if watches.isEmpty { location.stopMonitoringLocation() }
        results.append(Result(callback: callback, json: "null"))
    }

    private typealias Outcome = Swift.Result<IONGLOCPositionModel, IONGLOCLocationError>

    /// Positions and failures as values, by a new subscription after each failure.
    private func locations(of location: IONGLOCService) -> AnyPublisher<Outcome, Never> {
        location.currentLocationPublisher
            .map { .success($0) }
            .catch { [weak self] error -> AnyPublisher<Outcome, Never> in
                let failure = Just(Outcome.failure(error)).eraseToAnyPublisher()
                guard let self else { return failure }
                return failure.append(Deferred { self.locations(of: location) }).eraseToAnyPublisher()
            }
            .eraseToAnyPublisher()
    }

    private func timeouts(of location: IONGLOCService) -> AnyPublisher<Outcome, Never> {
        location.locationTimeoutPublisher.map { .failure($0) }.eraseToAnyPublisher()
    }

    private func mayLocate(_ callback: String) -> Bool {
        guard location.areLocationServicesEnabled() else {
            fail(callback, .servicesDisabled)
            return false
        }
        guard case .refused(let error) = PluginPermission(location.authorisationStatus) else { return true }
        fail(callback, error)
        return false
    }

    private func begin() {
        guard case .granted = PluginPermission(location.authorisationStatus) else {
            isAsking = true
            return location.requestAuthorisation(withType: .whenInUse)
        }
        if !singles.isEmpty {
            location.requestSingleLocation(options: IONGLOCRequestOptionsModel(timeout: 3_600_000))
        }
        if !watches.isEmpty { location.startMonitoringLocation() }
    }

    private func permissionChanged(_ permission: PluginPermission) {
        guard isAsking else { return }
        isAsking = false
        // The property has its new value once the publisher has sent it.
        DispatchQueue.main.async { [weak self] in
            if case .refused(let error) = permission { self?.failAll(error) } else { self?.begin() }
        }
    }

    private func receive(_ outcome: Outcome) {
        switch outcome {
        case .failure(let error): failAll(PluginError(error))
        case .success(let position):
            let json = (try? JSONEncoder().encode(position)).map { String(decoding: $0, as: UTF8.self) } ?? ""
            let answered = singles
            singles = []
            results += answered.map { Result(callback: $0, json: json) }
            results += watches.values.map { Result(callback: $0, json: json, isKept: true) }
        }
    }

    private func failAll(_ error: PluginError) {
        let ended = singles + watches.values
        (singles, watches) = ([], [:])
        for callback in ended { fail(callback, error) }
    }

    private func fail(_ callback: String, _ error: PluginError) {
        results.append(Result(callback: callback, json: #"{"code":"\#(error.rawValue)"}"#, isError: true))
    }
}
