import TestSupport
import YonderGeodesy
import YonderLocation
import YonderModel

@testable import YonderPocket

/// A phone whose owner does anything at any time, as far as the invariants are about it.
struct PocketState {
    private(set) var rules = PocketRules(authorization: .whenInUse)
    private(set) var now: Timestamp
    private(set) var isInView = false
    private(set) var lastInView: Timestamp
    private(set) var isAuthorized = true
    private(set) var hasSession = false
    private(set) var isUpdating = false
    private(set) var isRecording = false
    private(set) var hasExpired = false
    private(set) var tasks = 0
    private(set) var stopped: Set<ShareID> = []
    var wasRelaunched = false
    var lastNotice: Timestamp?

    private let phone: Phone
    private var kept: PocketRecord?
    private var isSending = false
    private var nextShare = 1

    init() throws {
        phone = try Phone()
        now = phone.minute(0)
        lastInView = now
        _ = act(.launched)
        _ = act(.read(.nothing))
    }

    /// Moves the time, and lets one thing happen.
    ///
    /// - Returns: What the rules returned for it.
    mutating func step(_ random: inout SeededGenerator) -> [PocketAction] {
        now = now + .seconds(Int.random(in: 0...3_000, using: &random))
        if Int.random(in: 0..<200, using: &random) == 0 { now = now + .seconds(90_000) }
        switch Int.random(in: 0..<14, using: &random) {
        case 0: return see(true)
        case 1, 2: return see(false)
        case 3:
            isAuthorized = Bool.random(using: &random)
            return act(.authorization(isAuthorized ? .always : .denied))
        case 4: return share(&random)
        case 5: return end(rules.wanted.randomElement(using: &random)?.chat)
        case 6: return stop()
        case 7: return relaunch(isLocked: Bool.random(using: &random))
        case 8, 9: return arrive()
        case 10: return record()
        case 11: return isSending ? act(.sent) : act(.timePassed)
        case 12:
            hasExpired = true
            return act(.taskExpired)
        default: return act(.timePassed)
        }
    }

    private mutating func see(_ isInView: Bool) -> [PocketAction] {
        if self.isInView || isInView { lastInView = now }
        self.isInView = isInView
        let actions = act(isInView ? .cameToView : .leftView)
        return rules.isLocked ? actions + act(.read(reading)) : actions
    }

    private var reading: PocketReading { kept.map(PocketReading.record) ?? .nothing }

    private mutating func share(_ random: inout SeededGenerator) -> [PocketAction] {
        guard isInView else { return [] }
        nextShare += 1
        let minutes = Int.random(in: 1...600, using: &random)
        let share = phone.share(
            nextShare,
            chat: Int.random(in: 1...3, using: &random),
            end: now + .seconds(60 * minutes)
        )
        stopped.formUnion(rules.wanted.filter { $0.chat == share.chat }.map(\.id))
        lastInView = now
        return act(.shareStarted(share, phone.user))
    }

    private mutating func end(_ chat: ChatID?) -> [PocketAction] {
        guard !rules.isLocked else { return [] }
        stopped.formUnion(rules.wanted.filter { $0.chat == chat ?? $0.chat }.map(\.id))
        return act(.shareEnded(chat))
    }

    private mutating func stop() -> [PocketAction] {
        stopped.formUnion(rules.wanted.map(\.id))
        return act(.stopTapped)
    }

    private mutating func relaunch(isLocked: Bool) -> [PocketAction] {
        rules = PocketRules(authorization: isAuthorized ? .whenInUse : .denied)
        (isInView, hasSession, isUpdating, isRecording, isSending, tasks) = (
            false, false, false, false, false, 0
        )
        hasExpired = false
        wasRelaunched = true
        _ = act(.launched)
        if isLocked { _ = act(.read(.locked)) }
        return act(.read(reading))
    }

    private mutating func arrive() -> [PocketAction] {
        guard isUpdating, !isRecording else { return [] }
        isRecording = true
        hasExpired = false
        return act(.fixArrived)
    }

    private mutating func record() -> [PocketAction] {
        guard isRecording else { return [] }
        isRecording = false
        return rules.wanted.isEmpty ? [] : act(.recorded)
    }

    private mutating func act(_ event: PocketEvent) -> [PocketAction] {
        if event == .sent { isSending = false }
        let actions = rules.handle(event, at: now)
        for action in actions {
            switch action {
            case .keep(let record): kept = record
            case .removeRecord: kept = nil
            case .beginSession: hasSession = true
            case .endSession: hasSession = false
            case .startUpdates: isUpdating = true
            case .stopUpdates: isUpdating = false
            case .beginTask: tasks += 1
            case .endTask: tasks -= 1
            case .flush: isSending = true
            default: break
            }
        }
        return actions
    }
}
