import YonderModel

// `SharingClient.messages(in:where:)` drops with it what the server couldn't decide. Recalls must pass, as the message may be
// listed (`CriteriaTests`).
extension LiveUpdates<[Message], MessageChange> {
    /// Keeps only matching messages.
    ///
    /// Recalls of messages and trims are always passed on.
    func matching(_ criteria: Criteria) -> Self {
        mapped { update in
            switch update {
            case .list(let messages): .list(messages.filter(criteria.matches))
            case .change(.added(let message)), .change(.passed(let message)):
                criteria.matches(message) ? update : nil
            case .change: update
            }
        }
    }
}
