public import YonderGeodesy

/// A day of a phone in a pocket, as Core Location and iOS report it: a walk, a rest of three hours, a tunnel, a process that the
/// system ends, a reboot, and a stop in the notification.
///
/// One test plays it through the stand-ins of Apple's frameworks, another one against a real server: both play the same day.
public struct PocketDay: Sendable {
    /// An event of the day.
    public enum Moment: Hashable, Sendable {
        /// Core Location finds the device.
        case fix(Position)
        /// Core Location doesn't find the device.
        case noFix
        /// Core Location reports that the device is at rest, with its position, and falls silent until it moves.
        case rest(Position)
        /// The app comes to view.
        case comeToView
        /// The app leaves view.
        case leaveView
        /// There is no connection from here on.
        case lineCut
        /// There is a connection again.
        case lineMended
        /// The system ends the process, without a warning.
        case processEnded
        /// The system launches the app for a significant change; `isLocked` before the device's first unlock.
        case launched(isLocked: Bool)
        /// The device is unlocked for the first time.
        case unlocked
        /// The person taps *Stop* in the notification.
        case stopTapped
    }

    /// An event with its time, in seconds after the day's beginning.
    public struct Entry: Hashable, Sendable {
        /// The seconds after the beginning.
        public let second: Int

        /// The event.
        public let moment: Moment
    }

    /// The day, in order; it begins when the person has begun to share, with the app in view.
    public private(set) var entries: [Entry] = []

    private let start: Timestamp
    private var second = 0
    private var place: Coordinate
    private var steps = 0

    /// Creates the day.
    ///
    /// - Parameters:
    ///   - start: When it begins.
    ///   - place: Where it begins.
    public init(from start: Timestamp, at place: Coordinate) {
        (self.start, self.place) = (start, place)
        morning()
        tunnel()
        endedInTheTunnel()
        reboot()
        stop()
    }

    /// A walk, three hours of rest, and a walk back.
    private mutating func morning() {
        walk(5)
        add(.leaveView)
        walk(60)
        add(.rest(here))
        pass(3 * 3_600)
        walk(30)
        add(.comeToView)
        walk(3)
        add(.leaveView)
    }

    /// A tunnel without a connection: some fixes, some updates without one.
    private mutating func tunnel() {
        add(.lineCut)
        for _ in 0..<10 {
            walk(2)
            pass(20)
            add(.noFix)
        }
        add(.lineMended)
        walk(10)
    }

    /// The process ends without a connection, and the next one records on without a connection.
    private mutating func endedInTheTunnel() {
        add(.lineCut)
        walk(15)
        add(.processEnded)
        pass(600)
        add(.launched(isLocked: false))
        walk(15)
        add(.lineMended)
        walk(10)
    }

    /// A restart of the phone: until the first unlock the record can't be read, and nothing is recorded.
    private mutating func reboot() {
        add(.processEnded)
        pass(300)
        add(.launched(isLocked: true))
        walk(5)
        add(.unlocked)
        walk(20)
    }

    /// The person stops without a connection, and goes on walking; the process ends, and the next one has a connection.
    private mutating func stop() {
        add(.lineCut)
        walk(10)
        add(.stopTapped)
        walk(10)
        add(.processEnded)
        pass(600)
        add(.launched(isLocked: false))
        walk(10)
        add(.lineMended)
        walk(10)
    }

    private mutating func walk(_ fixes: Int) {
        for _ in 0..<fixes {
            pass(20)
            steps += 1
            place = place.destination(
                bearing: Bearing(degrees: Double(steps * 7 % 360)) ?? .north,
                distance: .meters(25)
            )
            add(.fix(here))
        }
    }

    private var here: Position {
        Position(coordinate: place, timestamp: start + .seconds(second), horizontalAccuracy: .meters(5))
    }

    private mutating func pass(_ seconds: Int) { second += seconds }

    private mutating func add(_ moment: Moment) {
        entries.append(Entry(second: second, moment: moment))
    }
}
