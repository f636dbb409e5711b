import YonderGeodesy

/// Who listens, what they are told, and what the source has to do for it.
///
/// A plain value without a clock, a source or a lock: every time is given, what is to be done is returned, and
/// ``LocationProvider`` does it.
struct LocationDesk {
    /// A request, or an iteration over a watch.
    struct ListenerID: Hashable, Sendable {
        fileprivate let number: Int
    }

    /// What is to be told to somebody.
    enum Effect {
        /// A request is over.
        case answer(ListenerID, Result<Position, LocationError>)

        /// A watch has news, or has to look again at how long it waits.
        case wake(ListenerID)

        /// What the program may do has changed.
        case authorization(LocationAuthorization)
    }

    /// What the source has to do.
    enum Command: Hashable {
        case configure(SourceConfiguration)
        case start
        case stop
    }

    /// What became of a request when it was made.
    enum Admission {
        case answered(Result<Position, LocationError>)
        case waiting(ListenerID, until: Duration)
    }

    /// How long a position counts as present while the source runs: receivers give one a second.
    static let presentAge = Duration.seconds(1)

    /// Some thirty years, which every clock can add.
    static let longestWait = Duration.seconds(1_000_000_000)

    private struct Request {
        let wish: PositionRequest

        /// The time of day at which it was made.
        let begin: Timestamp
    }

    private struct Known {
        let position: Position
        let arrival: Moment

        func age(at moment: Moment) -> Duration {
            max(moment.time - position.timestamp, moment.elapsed - arrival.elapsed)
        }
    }

    private(set) var authorization: LocationAuthorization

    /// Whether the source may begin with a position it had kept from before it was started.
    private let skipsOldPositions: Bool

    private var requests: [ListenerID: Request] = [:]
    private var watches: [ListenerID: WatchQueue] = [:]
    private var lastNumber = 0

    private var known: Known?
    private var lastFailure: LocationError?
    private var isWithoutFix = false

    private var isStarted = false
    private var configured: SourceConfiguration?

    init(authorization: LocationAuthorization, skipsOldPositions: Bool = false) {
        self.authorization = authorization
        self.skipsOldPositions = skipsOldPositions
    }
}

// The source.
extension LocationDesk {
    /// What the source has to do next so that it is as the listeners want it, or `nil` if it is.
    mutating func nextCommand() -> Command? {
        guard isWanted else {
            guard isStarted else { return nil }
            isStarted = false
            return .stop
        }
        if configured != wantedConfiguration {
            configured = wantedConfiguration
            return .configure(wantedConfiguration)
        }
        guard !isStarted else { return nil }
        isStarted = true
        lastFailure = nil
        isWithoutFix = false
        return .start
    }

    private var isWanted: Bool {
        !requests.isEmpty || watches.values.contains { !$0.hasEnded }
    }

    /// What satisfies everybody: the accuracy of the most demanding, the least distance, none if one wants none.
    private var wantedConfiguration: SourceConfiguration {
        let watches = watches.values.filter { !$0.hasEnded }
        let distances = watches.compactMap(\.sourceDistance)
        let everyoneHasDistance = requests.isEmpty && distances.count == watches.count
        return SourceConfiguration(
            isHighAccuracy: requests.values.contains { $0.wish.isHighAccuracy }
                || watches.contains { $0.configuration.isHighAccuracy },
            minimumDistance: everyoneHasDistance ? distances.min() : nil
        )
    }

    /// Takes in what the source tells.
    mutating func receive(_ event: LocationSourceEvent, at moment: Moment) -> [Effect] {
        switch event {
        case .authorization(let authorization): receive(authorization)
        case .failure(let error): receive(error)
        case .positions(let batch):
            if let latest = Self.latest(of: batch) { receive(latest, at: moment) } else { receiveNoFix() }
        }
    }

    /// The latest by its own time; of those at the same time, the last in order.
    private static func latest(of batch: [Position]) -> Position? {
        guard var latest = batch.first else { return nil }
        for position in batch where position.timestamp >= latest.timestamp { latest = position }
        return latest
    }

    private mutating func receive(_ position: Position, at moment: Moment) -> [Effect] {
        known = Known(position: position, arrival: moment)
        lastFailure = nil
        isWithoutFix = false
        let answered = requests.keys.filter { accepts(position, for: $0, at: moment) }
        return answered.map { answer($0, .success(position)) }
            + forEachWatch { $0.receive(position, at: moment) }
    }

    private func accepts(_ position: Position, for id: ListenerID, at moment: Moment) -> Bool {
        guard skipsOldPositions, let request = requests[id] else { return true }
        // The time of day may have been set back since the request was made.
        let begin = min(request.begin, moment.time)
        return begin - position.timestamp <= max(request.wish.maximumAge, Self.presentAge)
    }

    private mutating func receive(_ error: LocationError) -> [Effect] {
        lastFailure = error
        let over = error.code == .positionUnavailable ? [] : Array(requests.keys)
        return over.map { answer($0, .failure(error)) } + forEachWatch { $0.receive(error) }
    }

    /// Tells once that there is no fix, however often the source repeats it.
    private mutating func receiveNoFix() -> [Effect] {
        guard !isWithoutFix else { return [] }
        isWithoutFix = true
        return receive(LocationError(.positionUnavailable, "The device has no fix."))
    }

    private mutating func receive(_ authorization: LocationAuthorization) -> [Effect] {
        guard authorization != self.authorization else { return [] }
        self.authorization = authorization
        guard let refusal else { return [.authorization(authorization)] }
        return [.authorization(authorization)] + receive(refusal)
    }

    /// Why nobody gets a position, if the program may not know it.
    private var refusal: LocationError? {
        switch authorization {
        case .denied: LocationError(.notAuthorized, "Permission to know the device's location is denied.")
        case .restricted: LocationError(.notAuthorized, "The device's policy forbids to know its location.")
        case .notDetermined, .always, .whenInUse: nil
        }
    }

    private mutating func forEachWatch(_ body: (inout WatchQueue) -> Void) -> [Effect] {
        watches = watches.mapValues { watch in
            var watch = watch
            body(&watch)
            return watch
        }
        return watches.keys.map { .wake($0) }
    }
}

// Single positions.
extension LocationDesk {
    /// Begins a request, which may be answered already.
    mutating func request(_ wish: PositionRequest, at moment: Moment) -> Admission {
        if let refusal { return .answered(.failure(refusal)) }
        if let known, isYoungEnough(known, for: wish, at: moment) {
            return .answered(.success(known.position))
        }
        guard wish.timeout > .zero else { return .answered(.failure(timeout)) }
        let id = newID()
        requests[id] = Request(wish: wish, begin: moment.time)
        return .waiting(id, until: moment.elapsed + min(wish.timeout, Self.longestWait))
    }

    /// Ends a request whose time is over.
    mutating func timeOut(_ id: ListenerID) -> [Effect] {
        guard requests[id] != nil else { return [] }
        return [answer(id, .failure(timeout))]
    }

    /// Ends a request whose task was canceled.
    mutating func cancel(_ id: ListenerID) -> [Effect] {
        guard requests[id] != nil else { return [] }
        return [answer(id, .failure(.requestCanceled))]
    }

    private mutating func answer(_ id: ListenerID, _ result: Result<Position, LocationError>) -> Effect {
        requests[id] = nil
        return .answer(id, result)
    }

    private func isYoungEnough(_ known: Known, for wish: PositionRequest, at moment: Moment) -> Bool {
        let allowed = isWanted ? max(wish.maximumAge, Self.presentAge) : wish.maximumAge
        return allowed > .zero && known.age(at: moment) <= allowed
    }

    private var timeout: LocationError {
        let reason =
            authorization == .notDetermined ? " Permission was never asked for; the program has to." : ""
        return LocationError(.timedOut, "No position came in time." + reason, underlying: lastFailure)
    }
}

// Watches.
extension LocationDesk {
    /// Begins to watch, with the present position if there is one.
    mutating func watch(_ configuration: MonitoringConfiguration, at moment: Moment) -> ListenerID {
        var watch = WatchQueue(configuration)
        if let refusal {
            watch.receive(refusal)
        } else if let known, isYoungEnough(known, for: PositionRequest(), at: moment) {
            watch.receive(known.position, at: known.arrival)
        }
        let id = newID()
        watches[id] = watch
        return id
    }

    /// Changes what a watch wants to be told.
    mutating func update(_ id: ListenerID, _ configuration: MonitoringConfiguration) -> [Effect] {
        guard watches[id] != nil else { return [] }
        watches[id]?.update(configuration)
        return [.wake(id)]
    }

    /// Takes what a watch has to be told next.
    mutating func take(_ id: ListenerID, at elapsed: Duration) -> WatchQueue.Next {
        guard let next = watches[id]?.take(at: elapsed) else { return .ended }
        if case .ended = next { watches[id] = nil }
        return next
    }

    /// Whether a watch has to be told anything, or is over.
    func hasNews(_ id: ListenerID, at elapsed: Duration) -> Bool {
        watches[id]?.hasNews(at: elapsed) ?? true
    }

    /// Ends a watch.
    mutating func close(_ id: ListenerID) -> [Effect] {
        watches[id] = nil
        return [.wake(id)]
    }

    private mutating func newID() -> ListenerID {
        lastNumber += 1
        return ListenerID(number: lastNumber)
    }
}

extension LocationError {
    /// What a request throws whose task was canceled.
    static let requestCanceled = LocationError(.canceled, "The task that asked was canceled.")
}
