import YonderGeodesy
import YonderModel

/// How a person stands in a chat: by the server's word on their share, else by the age of their position.
///
/// As `Web/app/freshness` decides it.
///
/// `ChatMapModel` makes one for each person of the chat at each change and each tick, for pin, list and callout. It can't
/// fail: without a share, the position's age decides. Words are in `Word`. Its limits of time and accuracy may change
/// together with those of `Web/app/freshness`, because a person must look the same in app and page (`ChatMapModelTests`,
/// `Documentation/sharing.md`).
struct PersonState: Hashable, Sendable {
    /// The person's newest position, or `nil`.
    let position: Position?

    /// The share that tells, or `nil`.
    let share: ShownShare?

    /// Creates the state of a person of whom something is known; `nil` for another one.
    ///
    /// - Parameters:
    ///   - position: The person's newest position.
    ///   - shares: The person's shares in the chat: one that runs tells, else the one that ended last.
    ///   - now: The present time.
    init?(position: Position?, shares: [ShownShare], at now: Timestamp) {
        let running = shares.filter { $0.freshness.state(at: now) != .ended }
        let newest = { (shares: [ShownShare]) in
            shares.max { ($0.share.started, $0.id) < ($1.share.started, $1.id) }
        }
        share = newest(running) ?? newest(shares)
        self.position = position
        if share == nil, position == nil { return nil }
    }

    /// The freshness at a time.
    func freshness(at now: Timestamp) -> Freshness.State {
        if let share { return share.freshness.state(at: now) }
        // A position that belongs to no share that is known, by its age alone.
        switch position.map({ now - $0.timestamp }) ?? .zero {
        case ..<(.seconds(60)): return .live
        case ..<(.seconds(300)): return .slow
        case ..<(.seconds(900)): return .stale
        default: return .offline
        }
    }

    /// Whether the pin is on the map no more: the share ended, and its positions are erased or over a day old.
    func isGone(at now: Timestamp) -> Bool {
        guard let share, let end = end(at: now) else { return false }
        return share.share.keeping == .expiring || now - end > .seconds(24 * 3_600)
    }

    /// Whether the position is of an expiring share that ended.
    func isErased(at now: Timestamp) -> Bool {
        guard let share = share?.share, let position, end(at: now) != nil else { return false }
        return share.keeping == .expiring && position.timestamp >= share.started
    }

    /// When the person was last heard of: of one who stands, the newest report; else the position's own time.
    var heard: Timestamp {
        guard let freshness = share?.freshness else {
            return position?.timestamp ?? Timestamp(milliseconds: 0)
        }
        return freshness.since == nil ? position?.timestamp ?? freshness.asOf : freshness.asOf
    }

    /// When the share ended, or `nil` while one runs.
    func end(at now: Timestamp) -> Timestamp? {
        guard let share, share.freshness.state(at: now) == .ended else { return nil }
        return share.freshness.state == .ended
            ? share.freshness.asOf : share.share.until ?? share.freshness.asOf
    }
}

// The same in words, as `Web/app/freshness/person-text.js` has them.
extension AppContext {
    private static var movingFrom: Double { 2 / 3.6 }
    private static var standingFrom: Duration { .seconds(120) }
    private static var coarseFrom: Double { 500 }

    /// What stands behind the name under a pin: *4 min*, *since 14:02*, *stopped 14:02*, and how coarse the position is.
    func label(of person: PersonState, at now: Timestamp) -> String {
        guard person.end(at: now) == nil else { return age(of: person, at: now) }
        return [age(of: person, at: now), coarse(person.position)].filter { !$0.isEmpty }.joined(
            separator: " "
        )
    }

    /// How old what is shown of a person is.
    func age(of person: PersonState, at now: Timestamp) -> String {
        if let end = person.end(at: now) {
            let hasArrived = person.share?.freshness.cause == .arrived
            return say(hasArrived ? .freshArrivedAt : .freshStoppedAt, ["time": dayText(end, at: now)])
        }
        guard person.freshness(at: now) == .paused else { return ageText(person.heard, at: now) }
        return say(.freshSince, ["time": dayText(person.share?.freshness.since ?? person.heard, at: now)])
    }

    private func coarse(_ position: Position?) -> String {
        guard let accuracy = position?.horizontalAccuracy, accuracy.meters >= Self.coarseFrom else {
            return ""
        }
        return "± \(distanceText(accuracy))"
    }

    /// How a person stands, in a callout: age, cause, how exact, and the battery.
    func state(of person: PersonState, at now: Timestamp) -> String {
        let within = person.position?.horizontalAccuracy.flatMap { accuracy in
            accuracy.meters > 0 ? say(.personWithin, ["distance": distanceText(accuracy)]) : nil
        }
        let battery = person.end(at: now) == nil ? person.share?.freshness.battery : nil
        let parts = [
            age(of: person, at: now), cause(of: person, at: now), within ?? "",
            battery.map { say(.freshBattery, ["percent": percent($0)]) } ?? "",
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: " · ")
    }

    private func cause(of person: PersonState, at now: Timestamp) -> String {
        let freshness = person.share?.freshness
        switch person.freshness(at: now) {
        case .live: return movement(of: person)
        case .slow: return known(freshness?.cause) ?? gap(freshness?.gap) ?? noNews(person, now)
        case .stale: return known(freshness?.cause) ?? noNews(person, now)
        case .offline: return known(freshness?.cause) ?? say(.freshNotReached)
        case .paused: return known(freshness?.cause) ?? ""
        case .ended: return say(freshness?.cause == .arrived ? .freshArrived : .freshStoppedSharing)
        }
    }

    private func movement(of person: PersonState) -> String {
        if let speed = person.position?.speed, speed.metersPerSecond > Self.movingFrom {
            return "\(number(Int((speed.metersPerSecond * 3.6).rounded()))) km/h"
        }
        guard let since = person.share?.freshness.since, person.heard - since > Self.standingFrom else {
            return ""
        }
        return say(.freshHereSince, ["time": clockText(since)])
    }

    private func known(_ cause: Freshness.Cause?) -> String? {
        switch cause {
        case .noFix: say(.freshNoFix)
        case .paused: say(.freshPaused)
        case Freshness.Cause("powerSaver"): say(.freshPowerSaver)
        case Freshness.Cause("coarse"): say(.freshCoarse)
        default: nil
        }
    }

    private func gap(_ gap: Duration?) -> String? {
        guard let gap, gap > .seconds(120) else { return nil }
        let minutes = Int((gap / .seconds(60)).rounded())
        return say(.freshReportsEvery, ["time": say(.ageMinutes, count: minutes)])
    }

    private func noNews(_ person: PersonState, _ now: Timestamp) -> String {
        say(.freshNoNewsSince, ["time": dayText(person.heard, at: now)])
    }

    /// A battery's level, with a narrow space before the sign.
    private func percent(_ level: Double) -> String { "\(number(Int((level * 100).rounded())))\u{202f}%" }
}
