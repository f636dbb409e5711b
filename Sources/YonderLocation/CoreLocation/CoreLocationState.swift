#if canImport(CoreLocation)
import CoreLocation
import YonderGeodesy

/// What ``CoreLocationSource`` knows, and what it has to do next.
struct CoreLocationState {
    /// What the manager has to be brought to.
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

    /// What brings the manager from what was done to what is wanted; each is said once.
    mutating func nextActions() -> [Action] {
        var actions: [Action] = []
        if let configuration = wanted.configuration, configuration != done.configuration {
            actions.append(.configure(configuration))
        }
        if wanted.isStarted != done.isStarted {
            actions.append(wanted.isStarted ? .start : .stop)
            // Where the device pointed before it was stopped says nothing of now.
            compass = Compass()
            compass.isMonitoring = wanted.isStarted
        }
        done = wanted
        return actions
    }

    /// The event of a changed permission, or `nil` if it is as before.
    mutating func authorizationChanged(to authorization: LocationAuthorization) -> LocationSourceEvent? {
        guard authorization != self.authorization else { return nil }
        self.authorization = authorization
        return .authorization(authorization)
    }

    /// The positions of a batch, with the heading in the last one; without those that have no valid coordinate.
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

    /// The event of an error, or `nil` if it concerns the heading alone.
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
        magneticHeading = reading.magnetic.flatMap(Angle.init(degrees:))
        trueHeading = reading.true.flatMap(Angle.init(degrees:))
        headingAccuracy = reading.accuracy.flatMap(Angle.init(degrees:))
    }
}
#endif
