#if canImport(CoreLocation)
import CoreLocation
import YonderGeodesy

/// The state of a ``CoreLocationSource``, which decides the next actions.
///
/// ``CoreLocationSource`` has one behind its mutex, changes ``wanted`` for each call of the provider, and performs
/// ``nextActions()`` on the main thread; the manager's delegate calls the other functions. Nothing fails. That the newest
/// wish wins, however calls overtake each other, and that an unchanged permission is no event, must stay
/// (`CoreLocationSourceTests` in `make test-apple`).
///
/// A further wish is a property of ``Wish`` and an action.
struct CoreLocationState {
    /// The state that the manager should have.
    struct Wish: Equatable {
        var configuration: SourceConfiguration?
        var isStarted = false
    }

    enum Action: Equatable {
        case configure(SourceConfiguration)
        case start
        case stop
    }

    var authorization: LocationAuthorization
    var wanted = Wish()
    var compass = Compass()
    private var done = Wish()

    init(authorization: LocationAuthorization) {
        self.authorization = authorization
    }

    /// Whether the manager was started.
    var isStarted: Bool { done.isStarted }

    /// The actions that bring the manager to the wanted state; each is returned once.
    mutating func nextActions() -> [Action] {
        var actions: [Action] = []
        if let configuration = wanted.configuration, configuration != done.configuration {
            actions.append(.configure(configuration))
        }
        if wanted.isStarted != done.isStarted {
            actions.append(wanted.isStarted ? .start : .stop)
            // A heading from before the stop is outdated.
            compass = Compass()
            compass.isMonitoring = wanted.isStarted
        }
        done = wanted
        return actions
    }

    /// The event for a changed permission, or `nil` if it is unchanged.
    mutating func authorizationChanged(to authorization: LocationAuthorization) -> LocationSourceEvent? {
        guard authorization != self.authorization else { return nil }
        self.authorization = authorization
        return .authorization(authorization)
    }

    /// The positions of a batch, with the heading in the last one; locations without a valid coordinate are
    /// skipped.
    mutating func positions(at locations: [CLLocation]) -> [Position] {
        var positions = locations.compactMap(Position.init)
        guard let last = positions.indices.last else {
            compass.losePosition()
            return []
        }
        compass.findPosition()
        if let reading = compass.reading {
            positions[last].turn(to: reading)
        }
        return positions
    }

    /// The event for an error, or `nil` if the error concerns only the heading.
    mutating func failure(of error: any Error) -> LocationSourceEvent? {
        guard (error as? CLError)?.code != .headingFailure else {
            compass.loseReading()
            return nil
        }
        compass.losePosition()
        return .failure(LocationError(coreLocation: error))
    }
}

extension Position {
    fileprivate mutating func turn(to reading: HeadingReading) {
        magneticHeading = reading.magnetic.flatMap(Bearing.init(degrees:))
        trueHeading = reading.true.flatMap(Bearing.init(degrees:))
        headingAccuracy = reading.accuracy
    }
}
#endif
