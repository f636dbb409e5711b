import YonderGeodesy

/// Decides which listeners receive what, and what the source must do.
///
/// A plain value without a clock, a source or a lock: times are arguments, actions are return values, and
/// ``LocationProvider`` performs them.
///
/// The provider holds it behind its mutex, and calls it for each event of the source, each request and each watch, with the
/// time. It then performs the effects, and after any call ``nextCommand()`` until that returns `nil`. A request gets one
/// answer, whatever comes after; an id that has ended is ignored. Nothing throws: the source's failures are answers and
/// events, too.
///
/// When the source runs, and which position is young enough, is a promise of `LocationService`
/// (`Documentation/location-apps.md`), tried by `LocationDeskTests` and, with random calls, `DeskModel`.
///
/// ``presentAge`` may change with that guide; how listeners are kept is private.
struct LocationDesk {
    /// The identifier of a request, or of an iteration over a watch.
    struct ListenerID: Hashable, Sendable {
        fileprivate let number: Int
    }

    /// An action for a listener.
    enum Effect {
        /// A request has its answer.
        case answer(ListenerID, Result<Position, LocationError>)

        /// A watch has an event, or must compute its waiting time again.
        case wake(ListenerID)

        /// The permission has changed.
        case authorization(LocationAuthorization)
    }

    /// An action for the source.
    enum Command: Hashable {
        case configure(SourceConfiguration)
        case start
        case stop
    }

    /// The immediate result of a request.
    enum Admission {
        case answered(Result<Position, LocationError>)
        case waiting(ListenerID, until: Duration)
    }

    /// The age up to which a position counts as current while the source runs: receivers send one a second.
    static let presentAge = Duration.seconds(1)

    /// Some thirty years, which every clock can add without overflow.
    static let longestWait = Duration.seconds(1_000_000_000)

    private struct Request {
        let wish: PositionRequest

        /// The date and time of the request, by the system's clock.
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

    /// Whether the source may start with a position that is older than the start.
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
    /// The next command that brings the source to the state its listeners need, or `nil` if it is in that
    /// state.
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

    /// The configuration that satisfies all listeners: the highest accuracy, and the least distance unless
    /// one wants none.
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

    /// Handles an event of the source.
    mutating func receive(_ event: LocationSourceEvent, at moment: Moment) -> [Effect] {
        switch event {
        case .authorization(let authorization): receive(authorization)
        case .failure(let error): receive(error)
        case .positions(let batch):
            if let latest = Self.latest(of: batch) { receive(latest, at: moment) } else { receiveNoFix() }
        }
    }

    /// The position with the latest timestamp; of several, the last in order.
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
        // The system's clock may have been set back since the request.
        let begin = min(request.begin, moment.time)
        return begin - position.timestamp <= max(request.wish.maximumAge, Self.presentAge)
    }

    private mutating func receive(_ error: LocationError) -> [Effect] {
        lastFailure = error
        let over = error.code == .positionUnavailable ? [] : Array(requests.keys)
        return over.map { answer($0, .failure(error)) } + forEachWatch { $0.receive(error) }
    }

    /// Reports a missing fix once, however often the source repeats it.
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

    /// The error for all requests if the program isn't permitted to read the location, or else `nil`.
    private var refusal: LocationError? {
        switch authorization {
        case .denied: LocationError(.notAuthorized, "Permission to access the device's location is denied.")
        case .restricted: LocationError(.notAuthorized, "The device's policy forbids access to its location.")
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
    /// Begins a request, which may be answered at once.
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

    /// Ends a request whose timeout has passed.
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
            authorization == .notDetermined
            ? " Permission was never requested; call requestAuthorization." : ""
        return LocationError(
            .timedOut,
            "No position arrived before the timeout." + reason,
            underlying: lastFailure
        )
    }
}

// Watches.
extension LocationDesk {
    /// Begins a watch, with the current position if there is one.
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

    /// Changes the configuration of a watch.
    mutating func update(_ id: ListenerID, _ configuration: MonitoringConfiguration) -> [Effect] {
        guard watches[id] != nil else { return [] }
        watches[id]?.update(configuration)
        return [.wake(id)]
    }

    /// Takes the next event of a watch.
    mutating func take(_ id: ListenerID, at elapsed: Duration) -> WatchQueue.Next {
        guard let next = watches[id]?.take(at: elapsed) else { return .ended }
        if case .ended = next { watches[id] = nil }
        return next
    }

    /// Whether a watch has an event to deliver, or has ended.
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
    /// The error of a request whose task was canceled.
    static let requestCanceled = LocationError(.canceled, "The task that asked was canceled.")
}
