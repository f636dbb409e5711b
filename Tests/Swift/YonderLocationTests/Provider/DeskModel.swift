import YonderGeodesy

@testable import YonderLocation

/// What the desk has to do, told in the plainest way: everything that ever happened is kept and looked through.
struct DeskModel {
    enum Entry {
        case position(Position, Moment)
        case failure(LocationError)
    }

    struct Watch {
        var configuration: MonitoringConfiguration
        var history: [Entry] = []
        var takenPosition = -1
        var takenFailure = -1
        var lastTaken: Position?
        var lastTrouble: Int?
        var toldStall = -1

        var hasEnded: Bool { endIndex != nil }

        private var endIndex: Int? {
            history.firstIndex { entry in
                if case .failure(let error) = entry { error.code == .sourceEnded } else { false }
            }
        }

        /// What a reader is told now: an event's short description, "wait" or "end".
        mutating func take(at elapsed: Duration) -> String {
            let counted = history.prefix((endIndex ?? history.count) + 1)
            var position: (index: Int, position: Position, arrival: Moment)?
            var failure: (index: Int, error: LocationError)?
            for (index, entry) in counted.enumerated() {
                switch entry {
                case .position(let value, let arrival): position = (index, value, arrival)
                case .failure(let error): failure = (index, error)
                }
            }
            let newPosition = position.flatMap {
                $0.index > takenPosition && isWorthTelling($0.position, $0.index) ? $0 : nil
            }
            let newFailure = failure.flatMap { $0.index > takenFailure ? $0 : nil }
            if let newFailure, newFailure.index < newPosition?.index ?? .max {
                takenFailure = newFailure.index
                lastTrouble = newFailure.index
                return "failure \(newFailure.error.message)"
            }
            if let newPosition {
                takenPosition = newPosition.index
                lastTaken = newPosition.position
                lastTrouble = nil
                return "position \(newPosition.position.coordinate)"
            }
            if hasEnded { return "end" }
            guard let position, let interval = configuration.stallInterval, toldStall < position.index,
                elapsed - position.arrival.elapsed >= interval
            else { return "wait" }
            toldStall = position.index
            lastTrouble = history.count - 1
            return "stalled \(position.arrival.time)"
        }

        private func isWorthTelling(_ position: Position, _ index: Int) -> Bool {
            if let lastTrouble, index > lastTrouble { return true }
            guard let lastTaken, let distance = configuration.minimumDistance else { return true }
            return lastTaken.coordinate.distance(to: position.coordinate) >= distance
        }
    }

    struct Request {
        var wish: PositionRequest
        var begin: Moment
    }

    var authorization = LocationAuthorization.whenInUse
    var requests: [LocationDesk.ListenerID: Request] = [:]
    var watches: [LocationDesk.ListenerID: Watch] = [:]
    var positions: [(position: Position, arrival: Moment)] = []
    var isWithoutFix = false

    var isListening: Bool {
        !requests.isEmpty || watches.values.contains { !$0.hasEnded }
    }

    /// What the source has to be told, if it is on.
    var configuration: SourceConfiguration {
        var configuration = SourceConfiguration(isHighAccuracy: false)
        var distances: [Distance?] = []
        for request in requests.values {
            if request.wish.isHighAccuracy { configuration.isHighAccuracy = true }
            distances.append(nil)
        }
        for watch in watches.values where !watch.hasEnded {
            if watch.configuration.isHighAccuracy { configuration.isHighAccuracy = true }
            distances.append(
                watch.configuration.stallInterval == nil ? watch.configuration.minimumDistance : nil
            )
        }
        configuration.minimumDistance = distances.contains(nil) ? nil : distances.compactMap(\.self).min()
        return configuration
    }

    /// The position that a request gets at once.
    func present(maximumAge: Duration, at moment: Moment) -> Position? {
        guard let last = positions.last else { return nil }
        let ages = [moment.time - last.position.timestamp, moment.elapsed - last.arrival.elapsed]
        var allowed = maximumAge
        if isListening, allowed < .seconds(1) { allowed = .seconds(1) }
        return allowed > .zero && ages.allSatisfy { $0 <= allowed } ? last.position : nil
    }

    mutating func record(_ entry: Entry) {
        for id in watches.keys { watches[id]?.history.append(entry) }
    }
}
