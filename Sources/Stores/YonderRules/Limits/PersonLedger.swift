package import YonderGeodesy
package import YonderModel

/// Counts how often people do what ``PersonLimits`` bounds, by the hour and by the day, in the memory of one server or
/// in a database that several servers share.
///
/// Hours and days are those of UTC, so that in one of them no more than the limit is done.
///
/// `Exchange` has one; `ChatGateway`, `SubmissionBatches` and `Session+Frames.swift` take a use before what it bounds,
/// and give it back if nothing was changed. Without an answer of the database a use is refused as `unavailable`. The
/// names of the buckets are shared by all servers of a database and must stay while two versions run side by side
/// (decision 35 and 37, `PersonLedgerTests`). The limits are settings.
package struct PersonLedger: Sendable {
    /// What a person does.
    package enum Use: Hashable, Sendable {
        /// Makes a chat with these other people.
        case chat(by: UserID, with: [UserID])
        /// Adds these people to a chat that exists.
        case addition(by: UserID, of: [UserID])
        /// Changes one part of their own profile.
        case change(of: ProfilePart, by: UserID)
        /// Blocks a user, or ends a block.
        case block(UserID)
        /// Makes an invitation.
        case invitation(UserID)
        /// Makes a token.
        case token(UserID)
    }

    /// A part of a person's profile, each with the limit of ``PersonLimits/renamesPerHour`` for itself.
    package enum ProfilePart: String, Hashable, Sendable, CaseIterable {
        case name, email, avatar, hue, reads

        /// The bucket's name, which servers of a database share.
        fileprivate var bucket: String { self == .name ? "renames" : "changes of \(rawValue)" }
    }

    /// The limits.
    package let limits: PersonLimits

    private let ledger: any AttemptLedger
    private let now: @Sendable () -> Timestamp

    /// Creates a ledger that counts in another one.
    package init(
        _ limits: PersonLimits,
        in ledger: any AttemptLedger,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.limits = limits
        self.ledger = ledger
        self.now = now
    }

    /// What one ``take(_:)`` counted.
    package struct Charge: Sendable {
        fileprivate let units: [AttemptUnit]
    }

    /// Counts a use.
    ///
    /// - Returns: What was counted, for ``giveBack(_:)``.
    /// - Throws: `tooManyRequests` with the time until the next hour or day, and nothing was counted; `unavailable`.
    @discardableResult
    package func take(_ use: Use) async throws(SharingError) -> Charge {
        let window = window(of: use)
        let moment = now().milliseconds
        let length = Int64(window / .milliseconds(1))
        let number = moment / length
        let units = counts(of: use).map { name, limit in
            AttemptUnit("person \(name) \(number)", limit: RateLimit(burst: limit, interval: window))
        }
        guard !units.isEmpty, try await ledger.take(units) != nil else { return Charge(units: units) }
        throw SharingError(
            .tooManyRequests,
            "You exceeded a limit of this \(window == Self.day ? "day" : "hour"): \(text(of: use)); try again after retryAfter.",
            retryAfter: .milliseconds((number + 1) * length - moment)
        )
    }

    /// Takes a use back that changed nothing.
    package func giveBack(_ charge: Charge) async {
        if !charge.units.isEmpty { await ledger.giveBack(charge.units) }
    }

    private static let day = Duration.seconds(86_400)

    private func window(of use: Use) -> Duration {
        switch use {
        case .chat, .addition: Self.day
        case .change, .block, .invitation, .token: .seconds(3_600)
        }
    }

    /// The names of the buckets with their limits, without those that are switched off.
    private func counts(of use: Use) -> [(String, Int)] {
        let all: [(String, Int)] =
            switch use {
            case .chat(let user, let others):
                [("chats \(user)", limits.chatsPerDay)] + pairs(user, others)
            case .addition(let user, let others): pairs(user, others)
            case .change(let part, let user): [("\(part.bucket) \(user)", limits.renamesPerHour)]
            case .block(let user): [("blocks \(user)", limits.blocksPerHour)]
            case .invitation(let user): [("invitations \(user)", limits.invitationsPerHour)]
            case .token(let user): [("tokens \(user)", limits.tokensPerHour)]
            }
        return all.filter { $0.1 > 0 }
    }

    private func pairs(_ user: UserID, _ others: [UserID]) -> [(String, Int)] {
        Set(others).subtracting([user]).sorted().map { ("into \(user) \($0)", limits.chatsPerDayWithOne) }
    }

    private func text(of use: Use) -> String {
        switch use {
        case .chat: "\(limits.chatsPerDay) chats, and \(limits.chatsPerDayWithOne) with the same person"
        case .addition: "\(limits.chatsPerDayWithOne) chats with the same person"
        case .change(let part, _): "\(limits.renamesPerHour) changes of \(part.rawValue)"
        case .block: "\(limits.blocksPerHour) blocks"
        case .invitation: "\(limits.invitationsPerHour) invitations"
        case .token: "\(limits.tokensPerHour) tokens"
        }
    }
}
