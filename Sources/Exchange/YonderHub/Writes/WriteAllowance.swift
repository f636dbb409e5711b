import Synchronization
import YonderBus
import YonderRules
package import YonderModel

/// The part of a person's write allowance that one session has borrowed, and uses without locking.
///
/// `SessionWrites` holds one on its event loop, has ``WriteAllowance/lend(to:bytes:at:)`` fill it, and returns it when the
/// session closes.
struct WriteCredit: Hashable, Sendable {
    var messages = 0

    /// Bytes of messages' text and data.
    var bytes = 0

    /// Uses one message of so many bytes, if there is enough; returns whether there was.
    @inline(__always)
    mutating func use(_ bytes: Int) -> Bool {
        guard messages > 0, self.bytes >= bytes else { return false }
        messages -= 1
        self.bytes -= bytes
        return true
    }
}

/// The write allowance of one person, shared by all their sessions, on every event loop, and by REST.
///
/// `WriteAllowances` makes it at the person's first write, and keeps it while a session holds it or something of it is used.
/// `SessionWrites` borrows from it; REST and the older places API call ``useMessage(bytes:at:)``, ``useObject(at:)`` and
/// ``beginImport()`` for each write, before it. Any thread may call; no function waits. A refusal is the error
/// `tooManyRequests` with the time to wait, and uses nothing.
///
/// Other nodes of a cluster have their own value for the person, and receive each hundredth of a limit that is used here.
///
/// After a refusal, everything that is asked of the allowance is refused for at least ``minimalRest``, even if the limit
/// allows a write sooner; a session may still use the credit that it holds. That no later message of a session overtakes a
/// refused one, ``SendOrder`` ensures.
///
/// The size of a loan and the hundredth may be changed: they trade locks and frames for exactness. The rest after a refusal
/// must stay, as the order of a client's messages depends on it (`SendOrder`, `WriteLimitTests`). The limits themselves are
/// `WriteLimits`.
package final class WriteAllowance: Sendable {
    private struct State {
        // `nil` for no limit.
        var messages: TokenBucket?
        var bytes: TokenBucket?
        var objects: TokenBucket?

        /// The end of the rest after a refusal.
        var restsUntil: ContinuousClock.Instant?

        /// How many files are being imported.
        var imports = 0

        /// What was used here and other nodes haven't heard of.
        var unreported = WriteUse()
    }

    /// How long writing rests at least once a limit was exceeded.
    static let minimalRest = Duration.seconds(1)

    private let importLimit: Int

    /// The credit that a session borrows at a time.
    private let loan: WriteCredit
    private let uptime: @Sendable () -> ContinuousClock.Instant

    /// The use from which on it is reported.
    private let worth: WriteUse
    private let report: (@Sendable (WriteUse) -> Void)?
    private let state: Mutex<State>

    init(
        _ limits: WriteLimits,
        uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        report: (@Sendable (WriteUse) -> Void)? = nil
    ) {
        self.uptime = uptime
        self.report = report
        let part = { (limit: RateLimit?) in limit.map { max(1, $0.burst / 100) } ?? .max }
        worth = WriteUse(
            messages: part(limits.messages),
            bytes: part(limits.bytes),
            objects: part(limits.objects)
        )
        importLimit = limits.imports
        // A small part of a burst, so that what sessions hold and don't use is little of what the person has.
        loan = WriteCredit(
            messages: limits.messages.map { min(32, max(1, $0.burst / 256)) } ?? 32,
            bytes: limits.bytes.map { min(65_536, max(1, $0.burst / 256)) } ?? 65_536
        )
        state = Mutex(
            State(
                messages: limits.messages.map(TokenBucket.init),
                bytes: limits.bytes.map(TokenBucket.init),
                objects: limits.objects.map(TokenBucket.init)
            )
        )
    }

    /// Uses one message of so many bytes.
    ///
    /// - Returns: `nil` if it may be written; otherwise the refusal, `tooManyRequests`, and nothing is used.
    package func useMessage(bytes: Int, at time: ContinuousClock.Instant? = nil) -> SharingError? {
        let now = time ?? uptime()
        return use(at: now) { Self.take(WriteCredit(messages: 1, bytes: bytes), from: &$0, at: now) }
    }

    /// Lends a session what it lacks for a message of so many bytes, and some more where there is enough.
    ///
    /// A session that writes much so asks the clock and this lock for one message of many. What it holds in the end it
    /// returns by ``takeBack(_:)``.
    ///
    /// - Parameters:
    ///   - credit: What the session holds; afterward enough for the message, unless that is refused.
    ///   - bytes: The bytes of the message.
    ///   - time: The time, or `nil` for the present one.
    /// - Returns: `nil` if it may be written; otherwise the refusal, `tooManyRequests`, and nothing is lent.
    func lend(
        to credit: inout WriteCredit,
        bytes: Int,
        at time: ContinuousClock.Instant? = nil
    ) -> SharingError? {
        let now = time ?? uptime()
        let lacking = WriteCredit(messages: max(0, 1 - credit.messages), bytes: max(0, bytes - credit.bytes))
        let wanted = WriteCredit(
            messages: lacking.messages == 0 ? 0 : max(lacking.messages, loan.messages),
            bytes: lacking.bytes == 0 ? 0 : max(lacking.bytes, loan.bytes)
        )
        var lent = wanted
        let refusal = use(at: now) { state in
            guard Self.take(wanted, from: &state, at: now) != nil else { return nil }
            lent = lacking
            return Self.take(lacking, from: &state, at: now)
        }
        guard refusal == nil else { return refusal }
        credit.messages += lent.messages
        credit.bytes += lent.bytes
        return nil
    }

    /// Returns the unused credit of a session to the allowance.
    func takeBack(_ credit: WriteCredit) {
        state.withLock { state in
            state.messages?.giveBack(credit.messages)
            state.bytes?.giveBack(credit.bytes)
            state.unreported.messages -= credit.messages
            state.unreported.bytes -= credit.bytes
        }
    }

    /// Takes the whole credit; returns `nil`, or the time to wait for it.
    private static func take(
        _ credit: WriteCredit,
        from state: inout State,
        at now: ContinuousClock.Instant
    ) -> Duration? {
        let wait = max(
            state.messages?.wait(for: credit.messages, at: now) ?? .zero,
            state.bytes?.wait(for: credit.bytes, at: now) ?? .zero
        )
        guard wait == .zero else { return wait }
        _ = state.messages?.take(credit.messages, at: now)
        _ = state.bytes?.take(credit.bytes, at: now)
        state.unreported.messages += credit.messages
        state.unreported.bytes += credit.bytes
        return nil
    }

    /// Uses what was used on another node, also beyond the limit: the person then waits longer.
    func charge(_ use: WriteUse, at now: ContinuousClock.Instant) {
        state.withLock { state in
            state.messages?.charge(use.messages, at: now)
            state.bytes?.charge(use.bytes, at: now)
            state.objects?.charge(use.objects, at: now)
        }
    }

    /// Uses one object.
    ///
    /// - Returns: `nil` if it may be written; otherwise the refusal, `tooManyRequests`, and nothing is used.
    package func useObject(at time: ContinuousClock.Instant? = nil) -> SharingError? {
        let now = time ?? uptime()
        return use(at: now) { state in
            if let wait = state.objects?.take(at: now) { return wait }
            state.unreported.objects += 1
            return nil
        }
    }

    private func use(
        at now: ContinuousClock.Instant,
        _ take: (inout State) -> Duration?
    ) -> SharingError? {
        let (wait, used): (Duration?, WriteUse?) = state.withLock { state in
            if let end = state.restsUntil {
                if end > now { return (now.duration(to: end), nil) }
                state.restsUntil = nil
            }
            guard let wait = take(&state) else { return (nil, report == nil ? nil : takeReport(&state)) }
            let rest = max(wait, Self.minimalRest)
            state.restsUntil = now + rest
            return (rest, nil)
        }
        if let used { report?(used) }
        return wait.map {
            SharingError(
                .tooManyRequests,
                "You exceeded the rate limit for messages, bytes or objects; send the same again after retryAfter.",
                retryAfter: $0
            )
        }
    }

    /// The use that must be reported to the other nodes at once, or `nil` while it is under a hundredth of each limit.
    private func takeReport(_ state: inout State) -> WriteUse? {
        let use = state.unreported
        let isDue =
            use.messages >= worth.messages || use.bytes >= worth.bytes || use.objects >= worth.objects
        guard isDue else { return nil }
        state.unreported = WriteUse()
        return use
    }

    /// Begins to import a file.
    ///
    /// - Returns: `nil` if it may be imported, and ``endImport()`` is owed; otherwise the refusal, `tooManyRequests`.
    package func beginImport() -> SharingError? {
        let isAdmitted = state.withLock { state in
            guard state.imports < importLimit else { return false }
            state.imports += 1
            return true
        }
        guard !isAdmitted else { return nil }
        return SharingError(
            .tooManyRequests,
            "You import \(importLimit) files at once, the most that are allowed; wait until one is finished.",
            retryAfter: .seconds(1)
        )
    }

    /// Ends an import; call it once for each ``beginImport()`` that returned `nil`, also if the import failed.
    package func endImport() {
        state.withLock { $0.imports -= 1 }
    }

    /// Whether a new allowance would be the same: all limits are full, nothing rests, and no file is being imported.
    func isUnused(at now: ContinuousClock.Instant) -> Bool {
        state.withLock { state in
            let isResting = state.restsUntil.map { $0 > now } ?? false
            let areFull = [state.messages, state.bytes, state.objects].allSatisfy {
                $0?.isFull(at: now) ?? true
            }
            return !isResting && areFull && state.imports == 0
        }
    }
}
