import YonderModel

extension LiveUpdates<[Message], MessageChange> {
    /// Only what matches; of what was in the list, also its recall.
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
