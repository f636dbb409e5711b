import Observation
import YonderGeodesy
import YonderLocation
import YonderPocket

/// The device's position and the permission to read it, as several models need it.
///
/// `SharingModel` and `WorldModel` have one each, over the app's `LocationService`, and call it on the main actor; views read
/// ``permission``. Nothing throws: a failure is a code, for which `SharingModel` has a sentence. With a pocket, its updates
/// come by ``take(_:)-(PocketUpdate)``, and the device isn't read here. That reading ends with the last share must stay, as
/// it empties the battery (`SharingModelTests`, `WorldModelTests`).
///
/// The accuracy that it asks for may change here, with the battery that it takes (`PhoneCostTests`).
@MainActor @Observable
final class OwnPlace {
    /// The newest position since the source was started, or `nil`.
    private(set) var position: Position?

    /// Why there is no new position, or `nil`.
    ///
    /// A failure that comes late, when the permission is back already, doesn't count.
    var failure: LocationError.Code? {
        let isOver =
            permission == .allowed && (lastFailure == .notAuthorized || lastFailure == .servicesDisabled)
        return isOver ? nil : lastFailure
    }

    private var lastFailure: LocationError.Code?

    /// Whether the app may read the position.
    private(set) var permission: Permission

    private let location: any LocationService
    @ObservationIgnored private var watch: LocationWatch?

    init(_ location: any LocationService) {
        self.location = location
        permission = Permission(location.authorization, areServicesEnabled: true)
    }

    /// Asks for permission if the person wasn't asked yet.
    func ask() async -> Permission {
        if location.authorization == .notDetermined { _ = await location.requestAuthorization(.whenInUse) }
        await read()
        return permission
    }

    /// Follows the permission until the task is canceled.
    func followPermission() async {
        for await _ in location.authorizationUpdates { await read() }
    }

    private func read() async {
        let areEnabled = await location.areLocationServicesEnabled()
        permission = Permission(location.authorization, areServicesEnabled: areEnabled)
    }

    /// Reads the device's positions until ``stop()``, or until the task is canceled; does nothing while it reads already.
    func read(_ receive: (Position) async -> Void) async {
        guard watch == nil else { return }
        let watch = location.monitor()
        self.watch = watch
        for await event in watch {
            take(event)
            if let position = event.position { await receive(position) }
        }
        self.watch = nil
    }

    /// Ends reading; the device's source rests if nothing else reads it.
    func stop() {
        watch?.stop()
        forget()
    }

    /// The device's positions while they are read, for a reader elsewhere.
    nonisolated func positions() -> AsyncStream<Position> {
        let watch = location.monitor(MonitoringConfiguration(stallInterval: .seconds(60))).makeAsyncIterator()
        return AsyncStream {
            while let event = await watch.next() {
                await self.take(event)
                if let position = event.position { return position }
            }
            return nil
        }
    }

    private func take(_ event: MonitoringEvent) {
        switch event {
        case .position(let position): (self.position, lastFailure) = (position, nil)
        case .stalled: lastFailure = .positionUnavailable
        case .failure(let error): lastFailure = error.code
        }
    }

    /// Takes an update of the pocket, which reads the device in place of this.
    func take(_ update: PocketUpdate) {
        if let position = update.position { take(.position(position)) }
        if let code = update.failure { lastFailure = code }
    }

    /// Call this when the source is needed no more.
    func forget() {
        (position, lastFailure) = (nil, nil)
    }
}
