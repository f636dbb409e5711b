package import YonderGeodesy
package import YonderModel

/// The reports of one share, as far as its freshness needs them: a value that is given reports, and computes the
/// freshness at any moment.
///
/// The thresholds, where E is the expected gap between reports and a report is a position or a heartbeat:
///
/// | state | when |
/// |---|---|
/// | live | report ≤ max(30 s, 2 E) old, and position ≤ max(60 s, 2 E) |
/// | slow | report ≤ max(5 min, 4 E) |
/// | stale | report ≤ max(15 min, 8 E) |
/// | offline | beyond |
///
/// E is the median of the last eight gaps, in 5 s…20 min, or 15 s before there are three. A position that was older than a
/// minute, or 2 E, on arrival proves only that the phone is reachable.
///
/// `ShareRoll` of the hub has one for each share. It is a plain value, and nothing fails, and a report that is older
/// than the last changes nothing. Clients compute the same states from the same numbers (`Documentation/sharing.md`,
/// `FreshnessTests`, `Tests/Web/freshness.test.js`): the thresholds must stay as promised there.
package struct ShareReports: Hashable, Sendable {
    /// When the newest report came.
    package private(set) var reported: Timestamp

    /// The time of the newest position, or `nil` before the first.
    package private(set) var fixed: Timestamp?

    /// The time of the newest position that was fresh when it came.
    private var freshlyFixed: Timestamp?

    private var place: Coordinate?
    private var accuracy: Distance?
    private var standing: (since: Timestamp, at: Coordinate)? {
        get { standingAt.map { (standingSince, $0) } }
        set {
            standingAt = newValue?.at
            standingSince = newValue?.since ?? standingSince
        }
    }
    private var standingAt: Coordinate?
    private var standingSince: Timestamp
    private var arrivedSince: Timestamp?
    private var gaps: [Int64] = []
    private var next = 0
    private var battery: Double?
    private var isCharging: Bool?
    private var isPaused = false

    /// Begins with a share's start, which counts as a report without a position.
    package init(started: Timestamp) {
        reported = started
        standingSince = started
    }

    /// Called when the phone sent anything.
    package mutating func receive(reportAt time: Timestamp) {
        isPaused = false
        report(at: time)
    }

    /// Receives a position.
    ///
    /// - Parameters:
    ///   - coordinate: The position, or `nil` if it can't be read.
    ///   - accuracy: The radius of uncertainty, or `nil` if unknown.
    ///   - fix: The time of the position by the phone's clock.
    ///   - time: When the server received it.
    package mutating func receive(
        _ coordinate: Coordinate?,
        accuracy: Distance?,
        at fix: Timestamp,
        time: Timestamp
    ) {
        receive(reportAt: time)
        // An older one, as an outbox brings it, says only that the phone was reached.
        guard let coordinate, fix >= fixed ?? fix else { return }
        fixed = fix
        if time - fix <= max(Self.freshFix, expectedGap * 2) { freshlyFixed = fix }
        place = coordinate
        self.accuracy = accuracy
        stand(at: coordinate, accuracy, fix)
    }

    /// Receives a heartbeat.
    ///
    /// Its fix counts as a position if it is younger than ``freshFix`` and within 20 m, or its accuracy, of the last one
    /// that was sent; otherwise the heartbeat proves only that the phone is reachable.
    package mutating func receive(_ heartbeat: ShareHeartbeat, at time: Timestamp) {
        report(at: time)
        battery = heartbeat.battery ?? battery
        isCharging = heartbeat.isCharging ?? isCharging
        isPaused = heartbeat.isPaused
        guard let fix = heartbeat.fix, time - fix.time < Self.freshFix, isNear(fix) else { return }
        fixed = max(fixed ?? fix.time, min(fix.time, time))
        freshlyFixed = fixed
    }

    /// A heartbeat without coordinates means that the phone hasn't moved far enough to send a position.
    private func isNear(_ fix: ShareHeartbeat.Fix) -> Bool {
        guard let place else { return false }
        guard let coordinate = fix.coordinate else { return true }
        return coordinate.distance(to: place).meters <= max(Self.nearby, fix.accuracy?.meters ?? 0)
    }

    private mutating func report(at time: Timestamp) {
        defer { reported = max(reported, time) }
        let gap = (time - reported) / .milliseconds(1)
        guard gap >= 1_000 else { return }
        if gaps.count < 8 { gaps.append(Int64(gap)) } else { gaps[next % 8] = Int64(gap) }
        next += 1
    }

    private mutating func stand(at coordinate: Coordinate, _ accuracy: Distance?, _ fix: Timestamp) {
        if let standing,
            standing.at.distance(to: coordinate).meters <= max(Self.nearby, accuracy?.meters ?? 0)
        {
            return
        }
        standing = (fix, coordinate)
    }

    /// Checks the last position for an arrival; called after every report.
    ///
    /// - Returns: Whether the person has been there for ``Arrival/stay``.
    package mutating func arrives(at arrival: Arrival) -> Bool {
        guard let place, let fixed, arrival.contains(place, accuracy: accuracy) else {
            arrivedSince = nil
            return false
        }
        let since = arrivedSince ?? fixed
        arrivedSince = since
        return fixed - since >= Arrival.stay
    }

    /// Within which time a heartbeat's fix counts.
    package static let freshFix = Duration.seconds(60)

    /// The greatest distance, in meters, between two positions that count as the same place.
    static let nearby = 20.0
}

extension ShareReports {
    /// The freshness of a share at a moment, and what becomes of it by itself.
    package func freshness(of share: Share, at now: Timestamp) -> Freshness {
        if let end = share.end { return Freshness(ended: end) }
        if let until = share.until, until <= now {
            return Freshness(ended: Share.End(time: until, ending: .expired))
        }
        let (state, changes) = isPaused ? (.paused, []) : course(at: now)
        let end = share.until.map { Freshness.Change(time: $0, state: .ended) }
        return Freshness(
            state: state,
            cause: cause(of: state, at: now),
            asOf: reported,
            since: since(at: now),
            gap: gap,
            battery: share.showsBattery ? battery : nil,
            isCharging: share.showsBattery ? isCharging : nil,
            changes: changes.filter { change in end.map { change.time < $0.time } ?? true }
                + [end].compactMap(\.self)
        )
    }

    /// The current state, and the states that follow if no report comes.
    private func course(at now: Timestamp) -> (Freshness.State, [Freshness.Change]) {
        let steps = steps
        let past = steps.last { $0.time <= now }
        return (past?.state ?? .live, steps.filter { $0.time > now })
    }

    /// From when on which state holds, from the newest report and position on.
    private var steps: [Freshness.Change] {
        let gap = expectedGap
        func later(_ time: Timestamp, _ least: Duration, _ gaps: Int) -> Timestamp {
            time + max(least, gap * gaps) + .milliseconds(1)
        }
        let byReport = later(reported, .seconds(30), 2)
        let slow = freshlyFixed.map { min(byReport, later($0, .seconds(60), 2)) } ?? reported
        return [
            Freshness.Change(time: slow, state: .slow),
            Freshness.Change(time: later(reported, .seconds(300), 4), state: .stale),
            Freshness.Change(time: later(reported, .seconds(900), 8), state: .offline),
        ]
    }

    private func cause(of state: Freshness.State, at now: Timestamp) -> Freshness.Cause? {
        switch state {
        case .live, .ended: nil
        case .paused: .paused
        case .slow:
            if expectedGap > .seconds(120) {
                .interval
            } else if now - reported <= max(.seconds(30), expectedGap * 2) {
                .noFix
            } else {
                .silent
            }
        case .stale, .offline: isNearlyEmpty ? .battery : .silent
        }
    }

    private var isNearlyEmpty: Bool {
        (battery.map { $0 < 0.1 } ?? false) && isCharging != true
    }

    private func since(at now: Timestamp) -> Timestamp? {
        guard let standing, let fixed, fixed - standing.since >= .seconds(60) else { return nil }
        return standing.since
    }

    /// The median of the last gaps, as they were; `nil` before there is one.
    private var gap: Duration? {
        guard !gaps.isEmpty else { return nil }
        return .milliseconds(gaps.sorted()[gaps.count / 2])
    }

    private var expectedGap: Duration {
        guard gaps.count >= 3, let gap else { return .seconds(15) }
        return min(max(gap, .seconds(5)), .seconds(1_200))
    }
}
