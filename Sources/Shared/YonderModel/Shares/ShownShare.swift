/// A share as a viewer sees it.
///
/// `ShareRoll` of the server makes it, frames and REST send it (`Share+JSON.swift`), and the client's `ShareList` has it. It
/// is a pair and checks nothing.
public struct ShownShare: Hashable, Sendable, Identifiable {
    /// The share.
    public let share: Share

    /// How fresh its positions are.
    public let freshness: Freshness

    /// Creates what a viewer sees.
    public init(_ share: Share, _ freshness: Freshness) {
        self.share = share
        self.freshness = freshness
    }

    /// The share's id.
    public var id: ShareID { share.id }
}
