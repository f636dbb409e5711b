#if canImport(CoreLocation)
public import CoreLocation
import Foundation
import Synchronization

/// Positions from Core Location, on Apple's platforms.
///
/// It may be called from any thread. The manager must be called on the thread that created it, so all calls
/// go to the main thread: at once if the caller is there, otherwise as soon as the main thread is free.
/// Events are sent from the main thread.
///
/// Headings are part of positions: the latest heading since the first position, and only while started. A
/// change of the heading alone doesn't cause a new position.
///
/// An app on Apple's platforms makes one for its `LocationProvider`, as the example's `Phone` does; it isn't compiled on
/// Linux. Nothing throws: Core Location's failure is an event, and a failure of the compass alone is none. What to tell the
/// manager is decided in `CoreLocationState`, conversions are in `CoreLocation+Conversions.swift`.
///
/// That the manager is called on the main thread alone must stay: Core Location sends nothing otherwise. `make test-apple`
/// runs it against a stand-in of Core Location (`CoreLocationSourceTests`).
public final class CoreLocationSource: LocationSource, @unchecked Sendable {
    // Safe because the manager is called on the main thread alone, and all mutable state is in the mutex.
    private let manager: CLLocationManager
    private let listener = CoreLocationListener()
    private let outlet = SourceOutlet()
    private let mainQueueMark = DispatchSpecificKey<Bool>()
    private let state: Mutex<CoreLocationState>

    /// Creates a source over a manager, and becomes its delegate.
    ///
    /// - Parameter manager: The manager, which now belongs to the source: the source sets its accuracy,
    ///   filters and delegate. Other properties, such as background updates, stay as the app has set them.
    @MainActor
    public init(manager: CLLocationManager = CLLocationManager()) {
        self.manager = manager
        state = Mutex(CoreLocationState(authorization: LocationAuthorization(manager.authorizationStatus)))
        DispatchQueue.main.setSpecific(key: mainQueueMark, value: true)
        listener.source = self
        manager.headingFilter = Compass.filter
        manager.delegate = listener
    }

    deinit {
        guard state.withLock({ $0.isStarted }) else { return }
        // The app may keep a reference to the manager.
        let left = LeftManager(manager: manager)
        if isOnMainQueue { return left.stop() }
        DispatchQueue.main.async { left.stop() }
    }

    /// The permission, as the system reported it last.
    public var authorization: LocationAuthorization {
        state.withLock { $0.authorization }
    }

    /// Whether location services are on for the device, according to its settings.
    ///
    /// Runs off the main thread, since the system may need some time.
    @concurrent
    public func areServicesEnabled() async -> Bool {
        type(of: manager).locationServicesEnabled()
    }

    /// Core Location starts with the last known position, however old.
    public var mayBeginWithOldPosition: Bool { true }

    /// Sets the receiver of events, which is called on the main thread.
    public func setReceiver(_ receiver: @escaping @Sendable (LocationSourceEvent) -> Void) {
        outlet.setReceiver(receiver)
    }

    /// Shows the system's prompt, unless the user was asked before.
    ///
    /// The app's `Info.plist` must give the reason; otherwise the system shows nothing.
    public func requestAuthorization(_ request: AuthorizationRequest) {
        onMainThread { $0.requestAuthorization(request) }
    }

    /// Sets best accuracy or three kilometers, and the distance that the device must move before the system
    /// reports it.
    public func configure(_ configuration: SourceConfiguration) {
        state.withLock { $0.wanted.configuration = configuration }
        catchUp()
    }

    /// Starts positions, and headings where the device has a compass.
    public func start() {
        state.withLock { $0.wanted.isStarted = true }
        catchUp()
    }

    /// Stops positions and headings.
    public func stop() {
        state.withLock { $0.wanted.isStarted = false }
        catchUp()
    }

    /// Applies the newest wanted state to the manager: calls from several threads may overtake each other.
    private func catchUp() {
        onMainThread { [self] manager in
            for action in state.withLock({ $0.nextActions() }) {
                switch action {
                case .configure(let configuration): manager.apply(configuration)
                case .start: manager.startMonitoring()
                case .stop: manager.stopMonitoring()
                }
            }
        }
    }

    private func onMainThread(_ action: @escaping @Sendable (CLLocationManager) -> Void) {
        guard !isOnMainQueue else { return action(manager) }
        DispatchQueue.main.async { [self] in action(manager) }
    }

    /// Whether the caller runs on the main queue.
    ///
    /// In a program whose main function is asynchronous, the main actor need not be on the main thread, so
    /// the queue is checked.
    private var isOnMainQueue: Bool {
        Thread.isMainThread || DispatchQueue.getSpecific(key: mainQueueMark) == true
    }

    /// Updates the state, and sends the resulting event, if there is one.
    fileprivate func tell(_ note: (inout CoreLocationState) -> LocationSourceEvent?) {
        if let event = state.withLock({ note(&$0) }) { outlet.send(event) }
    }
}

/// A manager whose source was released.
private struct LeftManager: @unchecked Sendable {
    // Safe because the manager is called on the main thread alone.
    let manager: CLLocationManager

    func stop() {
        manager.stopMonitoring()
    }
}

/// The manager's delegate, separate from the source so that the delegate methods aren't part of its
/// interface.
private final class CoreLocationListener: NSObject, CLLocationManagerDelegate {
    weak var source: CoreLocationSource?

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        let authorization = LocationAuthorization(manager.authorizationStatus)
        source?.tell { $0.authorizationChanged(to: authorization) }
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        source?.tell { .positions($0.positions(at: locations)) }
    }

    func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
        source?.tell { state in
            state.compass.turn(to: HeadingReading(newHeading))
            return nil
        }
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        source?.tell { $0.failure(of: error) }
    }
}
#endif
