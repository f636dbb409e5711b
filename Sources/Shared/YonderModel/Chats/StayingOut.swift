package import YonderGeodesy

/// A user's refusal to be added to a group again.
///
/// `ChatRules` sets it when a participant leaves for good, and the stores keep it with the participant (`StoreRule+Staying`).
package struct StayingOut: Hashable, Sendable {
    /// When the user left.
    package let since: Timestamp

    /// The group's subject then: the user isn't shown later ones.
    package let subject: String

    /// Creates a refusal as a store has it.
    package init(since: Timestamp, subject: String) {
        self.since = since
        self.subject = subject
    }
}
