import IONGeolocationLib
import YonderLocation

/// Keeps what a wrapper tells.
@MainActor final class WrapperRecorder {
    private(set) var positions: [IONGLOCPositionModel] = []
    private(set) var statuses: [IONGLOCAuthorisation] = []
    private(set) var failures = 0
    private(set) var timeouts = 0
    private var subscriptions: Set<AnyCancellable> = []

    init(_ wrapper: IONGLOCManagerWrapper) {
        wrapper.authorisationStatusPublisher
            .sink { [unowned self] in statuses.append($0) }
            .store(in: &subscriptions)
        wrapper.locationTimeoutPublisher
            .sink { [unowned self] _ in timeouts += 1 }
            .store(in: &subscriptions)
        followPositions(of: wrapper)
    }

    /// Subscribes to the positions, anew after a failure.
    func followPositions(of wrapper: IONGLOCManagerWrapper) {
        wrapper.currentLocationPublisher
            .sink(
                receiveCompletion: { [unowned self] completion in
                    if case .failure(.locationUnavailable) = completion { failures += 1 }
                },
                receiveValue: { [unowned self] in positions.append($0) }
            )
            .store(in: &subscriptions)
    }
}

/// Lets others run on the main thread until something is so; the test's time limit ends a vain wait.
@MainActor func until(_ condition: () -> Bool) async {
    while !condition(), !Task.isCancelled { await Task.yield() }
}
