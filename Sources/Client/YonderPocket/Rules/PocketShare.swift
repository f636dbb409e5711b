public import YonderGeodesy
public import YonderModel

/// A share into which this phone sends positions, as its record keeps the share.
///
/// `SharingModel+Pocket.swift` makes one when a share starts, `PocketRules` keeps it in the record. A further member must be
/// optional in `PocketRecord+Codable.swift` (`PocketRulesTests`).
public struct PocketShare: Hashable, Sendable, Identifiable {
    /// The share.
    public let id: ShareID

    /// Its chat.
    public let chat: ChatID

    /// When it was started, by the server's clock.
    public let started: Timestamp

    /// When it ends by itself, or `nil` if the person or an arrival ends it.
    public let until: Timestamp?

    /// Creates a share.
    public init(id: ShareID, chat: ChatID, started: Timestamp, until: Timestamp?) {
        (self.id, self.chat, self.started, self.until) = (id, chat, started, until)
    }

    /// Creates what the record keeps of a share.
    public init(_ share: Share) {
        self.init(id: share.id, chat: share.chat, started: share.started, until: share.until)
    }

    func isOver(at now: Timestamp) -> Bool { until.map { $0 <= now } ?? false }
}
