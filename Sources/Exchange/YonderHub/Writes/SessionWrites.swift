import YonderRules
import YonderModel

/// The writes of one session: how many wait for their commit, the credit borrowed from the person's allowance, and the
/// order of messages.
///
/// `Session` has one on its event loop: it uses a write before each submission, calls ``begin()`` and ``end()`` around
/// the store, and ``returnCredit()`` when it closes, or the person would lose what was borrowed. A refusal is
/// `tooManyRequests`. How many writes wait is a setting, promised in `Documentation/stream.md` (`SessionWritesTests`).
/// That messages after a refused one are refused too must stay: ``SendOrder``.
struct SessionWrites {
    /// How many writes may wait for their commit.
    private let limit: Int
    private var waiting = 0

    /// The allowance of the session's person, fetched at the first write.
    private var allowance: WriteAllowance?

    /// The part of ``allowance`` that is borrowed and not used.
    private var credit = WriteCredit()
    private var order = SendOrder()

    /// Creates the writes of a session that may have `limit` of them wait for their commit.
    init(limit: Int) {
        self.limit = limit
    }

    /// Uses a write.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that are written.
    ///   - person: The session's person; writes of a session without one aren't limited.
    ///   - allowances: The allowances of all persons.
    /// - Returns: `nil` if it may be written; otherwise the refusal, and nothing is used.
    mutating func use(bytes: Int, of person: UserID?, in allowances: WriteAllowances) -> SharingError? {
        guard waiting < limit else {
            return SharingError(
                .tooManyRequests,
                "\(waiting) frames of this session wait for the disk; send the same again after retryAfter.",
                retryAfter: .milliseconds(100)
            )
        }
        guard !credit.use(bytes) else { return nil }
        if allowance == nil { allowance = person.map { allowances.allowance(of: $0) } }
        guard let allowance else { return nil }
        if let error = allowance.lend(to: &credit, bytes: bytes) { return error }
        _ = credit.use(bytes)
        return nil
    }

    /// Uses a write for a message that is kept: in the order of ``SendOrder``.
    ///
    /// - Parameters:
    ///   - message: The message's submission.
    ///   - allowances: The allowances of all persons.
    ///   - now: The monotonic time, read only around a refusal.
    /// - Returns: `nil` if it may be written; otherwise the refusal.
    mutating func use(
        for message: Submission,
        in allowances: WriteAllowances,
        at now: @autoclosure () -> ContinuousClock.Instant
    ) -> SharingError? {
        if let error = order.check(message.key, in: message.chat, at: now()) { return error }
        guard let error = use(bytes: message.byteCount, of: message.sender, in: allowances) else {
            return nil
        }
        order.refuse(message.key, in: message.chat, error, at: now())
        return error
    }

    /// Called when a write begins to wait for its commit.
    mutating func begin() {
        waiting += 1
    }

    /// Called when a write that waited was answered.
    mutating func end() {
        waiting -= 1
    }

    /// Returns the borrowed credit that wasn't used.
    mutating func returnCredit() {
        guard credit != WriteCredit() else { return }
        allowance?.takeBack(credit)
        credit = WriteCredit()
    }
}
