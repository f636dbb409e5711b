/// A share as a viewer sees it.
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
