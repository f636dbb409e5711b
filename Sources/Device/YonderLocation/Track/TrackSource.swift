import Synchronization
public import YonderGeodesy
public import YonderTracks

/// A source that replays a recorded track, as if the device were moving along it now.
///
/// The replay begins when the source is first started. From then on its time advances, whether the source is
/// started or not, as with a real receiver: when started again, it sends the position reached by then, and
/// those that follow. Each position's timestamp is the time of day at which it is due.
///
/// At the end of a track that isn't looped it sends `sourceEnded`, and again at every later start. It has
/// only one accuracy, permission is always granted, and services are always on.
///
/// `SourceOptions` of the commands makes one of a GPX file, `ReceiverAddress` one of recorded sentences; `LocationProvider`
/// starts and stops it, on any thread. Only the creation throws. A stop ends the task that sends; what it was about to send
/// is dropped. Calls that come twice do nothing.
///
/// That time goes on while it is stopped must stay, as a real receiver's does (`TrackSourceTests`); so must the order and the
/// end, which `SourceConformanceTests` tries for every source.
///
/// Messages of failures may change; which points of a GPX file are replayed may not, as recordings are replayed by scripts.
public final class TrackSource: LocationSource {
    /// The replay.
    public let replay: TrackReplay

    /// Faults and doubtful data in the file, such as broken times; the replay leaves them out.
    public let issues: [TrackIssue]

    private struct State {
        var origin: Moment?
        var task: Task<Void, Never>?
        var run = 0
    }

    private let state = Mutex(State())
    private let outlet = SourceOutlet()
    private let time: ProviderTime

    /// Creates a source that isn't started yet.
    ///
    /// - Parameters:
    ///   - replay: The replay.
    ///   - issues: Faults in the file.
    ///   - clock: The clock for the pace of the replay.
    ///   - timeOfDay: The clock for the timestamps of positions; `nil` for the system's.
    public init(
        _ replay: TrackReplay,
        issues: [TrackIssue] = [],
        clock: any Clock<Duration> = ContinuousClock(),
        timeOfDay: (@Sendable () -> Timestamp)? = nil
    ) {
        self.replay = replay
        self.issues = issues
        time = ProviderTime(clock, timeOfDay: timeOfDay)
    }

    /// Creates a source from a GPX file that was read.
    ///
    /// It replays all points of the file's tracks that have a time; if there are none, those of its routes,
    /// or else its waypoints. A point that isn't later than the ones before it is left out.
    ///
    /// - Parameters:
    ///   - document: The file.
    ///   - speed: The speed as a multiple of the recorded one, in `0.001...1_000_000`.
    ///   - isLooping: Whether the track begins again after its end.
    ///   - clock: The clock for the pace of the replay.
    ///   - timeOfDay: The clock for the timestamps of positions; `nil` for the system's.
    /// - Throws: ``LocationError`` with code `sourceUnreadable` if no point has a time or the speed is out of
    ///   range.
    public convenience init(
        _ document: GPXDocument,
        speed: Double = 1,
        isLooping: Bool = false,
        clock: any Clock<Duration> = ContinuousClock(),
        timeOfDay: (@Sendable () -> Timestamp)? = nil
    ) throws(LocationError) {
        let replay = try TrackReplay(timedPointsOf: document, speed: speed, isLooping: isLooping)
        self.init(replay, issues: document.issues, clock: clock, timeOfDay: timeOfDay)
    }

    /// Creates a source from the bytes of a GPX file; see ``init(_:speed:isLooping:clock:timeOfDay:)``.
    ///
    /// - Throws: ``LocationError`` with code `sourceUnreadable` if the bytes aren't GPX
    ///   (``LocationError/underlying`` gives reason and position), if no point has a time, or if the speed is
    ///   out of range.
    public convenience init(
        readingGPX bytes: [UInt8],
        speed: Double = 1,
        isLooping: Bool = false,
        clock: any Clock<Duration> = ContinuousClock(),
        timeOfDay: (@Sendable () -> Timestamp)? = nil
    ) throws(LocationError) {
        let document: GPXDocument
        do throws(TrackFileFailure) {
            document = try GPXDocument(reading: bytes)
        } catch {
            throw LocationError(
                .sourceUnreadable,
                "Not a GPX file: \(error.reason) at byte \(error.offset).",
                underlying: error
            )
        }
        try self.init(document, speed: speed, isLooping: isLooping, clock: clock, timeOfDay: timeOfDay)
    }

    /// Always granted: a program that has the file may read it.
    public var authorization: LocationAuthorization { .always }

    /// Always on.
    public func areServicesEnabled() async -> Bool { true }

    /// Sets the receiver of events.
    public func setReceiver(_ receiver: @escaping @Sendable (LocationSourceEvent) -> Void) {
        outlet.setReceiver(receiver)
    }

    /// Does nothing: permission is granted already.
    public func requestAuthorization(_ request: AuthorizationRequest) {}

    /// Does nothing: a track has only its recorded accuracy.
    public func configure(_ configuration: SourceConfiguration) {}

    /// Sends the device's position on the track now, and those that follow.
    public func start() {
        state.withLock { state in
            guard state.task == nil else { return }
            let now = time.now
            let origin = state.origin ?? now
            let elapsed = now.elapsed - origin.elapsed
            state.origin = origin
            state.run += 1
            // A task bridges the callback: no caller waits for a source. Ended by `stop()`.
            state.task = Task { [weak self, run = state.run, time, replay] in
                let first = replay.isLooping || elapsed <= replay.duration ? replay.fix(at: elapsed) : nil
                await Self.play(replay, from: first, of: origin, by: time) { event in
                    self?.send(event, of: run) ?? false
                }
            }
        }
    }

    /// Stops sending positions until the next start; the replay's time advances.
    public func stop() {
        let task = state.withLock { state in
            state.run += 1
            return state.task.take()
        }
        task?.cancel()
    }

    deinit {
        state.withLock { $0.task }?.cancel()
    }

    /// Sends an event, unless its run has ended.
    private func send(_ event: LocationSourceEvent, of run: Int) -> Bool {
        guard state.withLock({ $0.run == run }) else { return false }
        outlet.send(event)
        return true
    }

    private static func play(
        _ replay: TrackReplay,
        from first: TrackReplay.Fix?,
        of origin: Moment,
        by time: ProviderTime,
        send: (LocationSourceEvent) -> Bool
    ) async {
        var fix = first
        while let due = fix {
            do { try await time.sleep(origin.elapsed + due.elapsed) } catch { return }
            guard send(.positions([due.position(startingAt: origin.time)])) else { return }
            fix = replay.next(after: due.elapsed)
        }
        _ = send(.failure(LocationError(.sourceEnded, "The track has ended.")))
    }
}

extension TrackReplay {
    fileprivate init(
        timedPointsOf document: GPXDocument,
        speed: Double,
        isLooping: Bool
    ) throws(LocationError) {
        let candidates = [
            document.tracks.flatMap(\.positions),
            document.routes.flatMap { $0.points.compactMap(\.position) },
            document.waypoints.compactMap(\.position),
        ]
        guard let positions = candidates.first(where: { !$0.isEmpty }) else {
            throw LocationError(.sourceUnreadable, "No point of the track has a time.")
        }
        guard let replay = TrackReplay(positions, speed: speed, isLooping: isLooping) else {
            throw LocationError(.sourceUnreadable, "speed must be in 0.001…1000000; it is \(speed).")
        }
        self = replay
    }
}
